/* SPDX-License-Identifier: MIT */
/* See access_ports.h. */
#include "target/dap/access_ports.h"

#include "target/dap/cpuid.h"

#include <stdio.h>
#include <string.h>

#define PORTS_MAX 256
/* So many missing numbers in a row end the scan. */
#define GAP_MAX 8

struct found {
	unsigned number;
	uint32_t idr;
};

struct scan {
	size_t count;
	struct found ports[PORTS_MAX];
};

static enum status scan_ports(struct port *port, struct memory_ap *memory, struct scan *scan, struct error *error)
{
	scan->count = 0;
	for (unsigned number = 0, gap = 0; number < PORTS_MAX && gap < GAP_MAX; number++) {
		uint32_t idr = 0;
		enum status status = memory_ap_identify(memory, number, &idr, error);
		/* A port that answers with an error, or has no power, counts as missing. */
		if (status != STATUS_OK && port->is_lost)
			return status;
		if (status != STATUS_OK)
			idr = 0;
		gap = idr == 0 ? gap + 1 : 0;
		if (idr != 0)
			scan->ports[scan->count++] = (struct found){number, idr};
	}
	return STATUS_OK;
}

static const char *kind_name(uint32_t idr)
{
	static const char *const names[] = {
	        [MEMORY_AP_OTHER] = "other", [MEMORY_AP_AHB] = "AHB", [MEMORY_AP_APB] = "APB", [MEMORY_AP_AXI] = "AXI"};

	return names[memory_ap_kind(idr)];
}

/* "0 (AHB), 1 (APB)". */
static const char *list_ports(const struct scan *scan, char *text, size_t size)
{
	size_t length = 0;

	snprintf(text, size, "none");
	for (size_t i = 0; i < scan->count && length + 32 < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%u (%s)", i ? ", " : "",
		                           scan->ports[i].number, kind_name(scan->ports[i].idr));
	return text;
}

static enum status fail(const struct port *port, const struct scan *scan, const char *why, struct error *error)
{
	char text[256];

	return status_fail(error, "%s: %s; the target's access ports: %s", port->dap->source, why,
	                   list_ports(scan, text, sizeof text));
}

static enum status open_asked(struct port *port, struct memory_ap *memory, const struct scan *scan, struct error *error)
{
	char why[64];

	for (size_t i = 0; i < scan->count; i++) {
		const struct found *found = &scan->ports[i];
		if ((int)found->number == port->setup.access_port && IDR_CLASS(found->idr) == IDR_CLASS_MEMORY)
			return memory_ap_open(memory, found->number, found->idr, error);
	}
	snprintf(why, sizeof why, "access port %d leads to no memory", port->setup.access_port);
	return fail(port, scan, why, error);
}

static bool has_core(struct memory_ap *memory)
{
	struct error ignored;
	uint32_t cpuid;

	return memory_ap_probe(memory, CORTEX_CPUID, &cpuid, &ignored) == STATUS_OK && cortex_is_cpuid(cpuid);
}

/* A port that cannot be set up counts as missing, unless the target is lost. */
static enum status open_found(struct port *port, struct memory_ap *memory, const struct found *found, bool *is_open,
                              struct error *error)
{
	enum status status = memory_ap_open(memory, found->number, found->idr, error);

	*is_open = status == STATUS_OK;
	return port->is_lost ? status : STATUS_OK;
}

static enum status fail_without_core(const struct port *port, const struct scan *scan, int cores, struct error *error)
{
	char which[32] = "none answers", why[96];

	if (cores == 1)
		snprintf(which, sizeof which, "only core 0 answers");
	else if (cores > 1)
		snprintf(which, sizeof which, "cores 0 to %d answer", cores - 1);
	snprintf(why, sizeof why, "there is no core %d, %s", port->setup.core, which);
	return fail(port, scan, why, error);
}

static enum status open_core(struct port *port, struct memory_ap *memory, const struct scan *scan, struct error *error)
{
	int cores = 0;

	for (size_t i = 0; i < scan->count; i++) {
		enum memory_ap_kind kind = memory_ap_kind(scan->ports[i].idr);
		bool is_open;
		if (kind != MEMORY_AP_AHB && kind != MEMORY_AP_AXI)
			continue;
		enum status status = open_found(port, memory, &scan->ports[i], &is_open, error);
		if (status != STATUS_OK)
			return status;
		if (!is_open)
			continue;
		if (has_core(memory) && cores++ == port->setup.core)
			return STATUS_OK;
		memory_ap_close(memory);
	}
	return fail_without_core(port, scan, cores, error);
}

static enum status open_first(struct port *port, struct memory_ap *memory, const struct scan *scan,
                              enum memory_ap_kind kind, bool *is_open, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && !*is_open && i < scan->count; i++)
		if (memory_ap_kind(scan->ports[i].idr) == kind)
			status = open_found(port, memory, &scan->ports[i], is_open, error);
	return status;
}

enum status access_ports_choose(struct port *port, struct memory_ap *memory, struct error *error)
{
	struct scan scan;
	bool is_open = false;

	memory->port = port;
	enum status status = scan_ports(port, memory, &scan, error);
	if (status != STATUS_OK)
		return status;
	if (port->setup.access_port >= 0)
		return open_asked(port, memory, &scan, error);
	/* If each core has its own debug port, that port is already selected. */
	if (port->setup.core >= 0 && port->target == 0)
		return open_core(port, memory, &scan, error);
	status = open_first(port, memory, &scan, MEMORY_AP_AHB, &is_open, error);
	if (status == STATUS_OK)
		status = open_first(port, memory, &scan, MEMORY_AP_AXI, &is_open, error);
	if (status != STATUS_OK || is_open)
		return status;
	return fail(port, &scan, "no access port leads to memory (is the target locked?)", error);
}
