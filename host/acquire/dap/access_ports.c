/* SPDX-License-Identifier: MIT */
/* See access_ports.h. */
#include "acquire/dap/access_ports.h"

#include "acquire/dap/registers.h"

#include <inttypes.h>
#include <stdio.h>

/* The scan ends after this many missing access ports in a row. */
#define GAP_MAX 8

enum port_kind ports_kind(uint32_t idr)
{
	static const enum port_kind kinds[16] = {
	        [1] = PORT_AHB, [2] = PORT_APB, [4] = PORT_AXI, [5] = PORT_AHB,
	        [6] = PORT_APB, [7] = PORT_AXI, [8] = PORT_AHB,
	};

	return IDR_CLASS(idr) == IDR_CLASS_MEMORY ? kinds[IDR_TYPE(idr)] : PORT_OTHER;
}

void ports_name(uint64_t number, bool is_address, char name[PORT_NAME_SIZE])
{
	snprintf(name, PORT_NAME_SIZE, is_address ? "0x%" PRIX64 : "%" PRIu64, number);
}

/* Fails with the list of access ports: "0 (AHB), 1 (APB)". */
static enum status fail_listing_ports(const struct ports *ports, const char *why, struct error *error)
{
	static const char *const kinds[] = {
	        [PORT_OTHER] = "other", [PORT_AHB] = "AHB", [PORT_APB] = "APB", [PORT_AXI] = "AXI"};
	char text[256] = "none", name[PORT_NAME_SIZE];
	size_t length = 0;

	for (size_t i = 0; i < ports->count && length + 32 < sizeof text; i++) {
		ports_name(ports->all[i].number, ports->have_addresses, name);
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s (%s)", i ? ", " : "", name,
		                           kinds[ports_kind(ports->all[i].idr)]);
	}
	return status_fail(error, "%s: %s; the target's access ports: %s", ports->source, why, text);
}

static enum status fail_asked(const struct ports *ports, struct error *error)
{
	const uint64_t number = (uint64_t)ports->access_port;
	char name[PORT_NAME_SIZE], why[64];

	ports_name(number, ports->have_addresses || number >= PORTS_MAX, name);
	snprintf(why, sizeof why, "access port %s leads to no memory", name);
	return fail_listing_ports(ports, why, error);
}

static enum status fail_without_core(const struct ports *ports, struct error *error)
{
	char which[32] = "none answers", why[96];

	if (ports->cores == 1)
		snprintf(which, sizeof which, "only core 0 answers");
	else if (ports->cores > 1)
		snprintf(which, sizeof which, "cores 0 to %d answer", ports->cores - 1);
	snprintf(why, sizeof why, "there is no core %d: %s", ports->core, which);
	return fail_listing_ports(ports, why, error);
}

/* Tries to open a port; *is_open: whether it could be opened. */
static enum status try_port(struct ports *ports, const struct found_port *found, bool *is_open, struct error *error)
{
	enum status status = ports->ops->open(ports->probe, found, error);

	*is_open = status == STATUS_OK;
	return ports->ops->is_lost(ports->probe) ? status : STATUS_OK;
}

static enum status try_core(struct ports *ports, const struct found_port *found, struct error *error)
{
	bool is_open;

	enum status status = try_port(ports, found, &is_open, error);
	if (status != STATUS_OK || !is_open)
		return status;
	ports->is_open = ports->ops->has_core(ports->probe) && ports->cores++ == ports->core;
	if (!ports->is_open && ports->ops->close != NULL)
		ports->ops->close(ports->probe);
	return STATUS_OK;
}

enum status ports_add(struct ports *ports, uint64_t number, uint32_t idr, struct error *error)
{
	struct found_port *found = &ports->all[ports->count];
	enum port_kind kind = ports_kind(idr);

	if (ports->count == PORTS_MAX)
		return STATUS_OK;
	ports->count++;
	*found = (struct found_port){number, idr};
	if (ports->access_port >= 0)
		return STATUS_OK;
	if (ports->core >= 0)
		return kind == PORT_AHB || kind == PORT_AXI ? try_core(ports, found, error) : STATUS_OK;
	return kind == PORT_AHB ? try_port(ports, found, &ports->is_open, error) : STATUS_OK;
}

static enum status scan_numbers(struct ports *ports, struct error *error)
{
	for (unsigned number = 0, gap = 0; number < PORTS_MAX && gap < GAP_MAX && !ports->is_open; number++) {
		uint32_t idr = 0;
		enum status status = ports->ops->identify(ports->probe, number, &idr, error);

		if (status != STATUS_OK && ports->ops->is_lost(ports->probe))
			return status;
		gap++;
		if (status != STATUS_OK || idr == 0)
			continue;
		gap = 0;
		status = ports_add(ports, number, idr, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* Opens the requested port without a scan, because the target's ROM tables may omit it. */
static enum status open_asked(struct ports *ports, bool *is_found, struct error *error)
{
	struct found_port found = {.number = (uint64_t)ports->access_port};

	enum status status = ports->ops->identify(ports->probe, found.number, &found.idr, error);
	*is_found = status == STATUS_OK && IDR_CLASS(found.idr) == IDR_CLASS_MEMORY;
	if (*is_found)
		return ports->ops->open(ports->probe, &found, error);
	return ports->ops->is_lost(ports->probe) ? status : STATUS_OK;
}

/* Opens an AXI-AP, which is the second choice. */
static enum status open_axi(struct ports *ports, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && !ports->is_open && i < ports->count; i++)
		if (ports_kind(ports->all[i].idr) == PORT_AXI)
			status = try_port(ports, &ports->all[i], &ports->is_open, error);
	return status;
}

enum status ports_choose(struct ports *ports, struct error *error)
{
	enum status status = STATUS_OK;
	bool is_found = false;

	if (ports->access_port >= 0)
		status = open_asked(ports, &is_found, error);
	if (status != STATUS_OK || is_found)
		return status;
	status = ports->ops->scan != NULL ? ports->ops->scan(ports, error) : scan_numbers(ports, error);
	if (status != STATUS_OK || ports->is_open)
		return status;
	if (ports->access_port >= 0)
		return fail_asked(ports, error);
	if (ports->core >= 0)
		return fail_without_core(ports, error);
	status = open_axi(ports, error);
	if (status != STATUS_OK || ports->is_open)
		return status;
	return fail_listing_ports(ports, "no access port leads to memory (is the target locked?)", error);
}
