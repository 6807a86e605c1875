/* SPDX-License-Identifier: MIT */
/* See adi.h. */
#include "target/dap/adi.h"

#include "target/dap/cpuid.h"
#include "target/dap/memory_ap.h"
#include "target/dap/ports.h"

#include <stdio.h>
#include <stdlib.h>

/* Milliseconds that the target may be silent or busy while disconnecting. */
#define FINISH_TIME 300

static enum status fail(const struct adi *adi, const struct ports *ports, const char *why, struct error *error)
{
	return ports_fail(ports, adi->port.dap->source, why, error);
}

static bool can_exist(const struct adi *adi, uint64_t number)
{
	const unsigned bits = adi->port.address_bits;

	if (bits == 0)
		return number < PORTS_MAX;
	return number % CORESIGHT_SIZE == 0 && (bits >= 64 || number >> bits == 0);
}

/* The port may be missing in the target's ROM tables, and needs no scan. */
static enum status open_asked(struct adi *adi, struct error *error)
{
	const uint64_t number = (uint64_t)adi->port.setup.access_port;
	char name[PORT_NAME_SIZE], why[64];
	struct ports ports;
	uint32_t idr = 0;

	if (can_exist(adi, number)) {
		enum status status = memory_ap_identify(adi, number, &idr, error);

		if (status == STATUS_OK && IDR_CLASS(idr) == IDR_CLASS_MEMORY)
			return memory_ap_open(adi, number, idr, error);
		if (adi->port.is_lost)
			return status;
	}
	enum status status = ports_scan(adi, &ports, error);
	if (status != STATUS_OK)
		return status;
	memory_ap_name(number, number >= PORTS_MAX || ports.have_addresses, name);
	snprintf(why, sizeof why, "access port %s leads to no memory", name);
	return fail(adi, &ports, why, error);
}

static bool has_core(struct adi *adi)
{
	struct error ignored;
	uint32_t cpuid;

	return adi_probe(adi, CORTEX_CPUID, &cpuid, &ignored) == STATUS_OK && cortex_is_cpuid(cpuid);
}

/* A port that cannot be set up counts as missing, unless the target is lost. */
static enum status open_found(struct adi *adi, const struct found_port *found, bool *is_open, struct error *error)
{
	enum status status = memory_ap_open(adi, found->number, found->idr, error);

	*is_open = status == STATUS_OK;
	return adi->port.is_lost ? status : STATUS_OK;
}

static enum status fail_without_core(const struct adi *adi, const struct ports *ports, int cores, struct error *error)
{
	char which[32] = "none answers", why[96];

	if (cores == 1)
		snprintf(which, sizeof which, "only core 0 answers");
	else if (cores > 1)
		snprintf(which, sizeof which, "cores 0 to %d answer", cores - 1);
	snprintf(why, sizeof why, "there is no core %d, %s", adi->port.setup.core, which);
	return fail(adi, ports, why, error);
}

static enum status open_core(struct adi *adi, const struct ports *ports, struct error *error)
{
	int cores = 0;

	for (size_t i = 0; i < ports->count; i++) {
		enum memory_ap_kind kind = memory_ap_kind(ports->all[i].idr);
		bool is_open;

		if (kind != MEMORY_AP_AHB && kind != MEMORY_AP_AXI)
			continue;
		enum status status = open_found(adi, &ports->all[i], &is_open, error);
		if (status != STATUS_OK)
			return status;
		if (!is_open)
			continue;
		if (has_core(adi) && cores++ == adi->port.setup.core)
			return STATUS_OK;
		memory_ap_close(adi);
	}
	return fail_without_core(adi, ports, cores, error);
}

static enum status open_first(struct adi *adi, const struct ports *ports, enum memory_ap_kind kind, bool *is_open,
                              struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && !*is_open && i < ports->count; i++)
		if (memory_ap_kind(ports->all[i].idr) == kind)
			status = open_found(adi, &ports->all[i], is_open, error);
	return status;
}

/* Opens the access port that port.setup asks for, or else the first that leads to the core or to memory. */
static enum status choose_access_port(struct adi *adi, struct error *error)
{
	struct ports ports;
	bool is_open = false;

	if (adi->port.setup.access_port >= 0)
		return open_asked(adi, error);
	enum status status = ports_scan(adi, &ports, error);
	if (status != STATUS_OK)
		return status;
	/* If each core has its own debug port, that port is already selected. */
	if (adi->port.setup.core >= 0 && adi->port.target == 0)
		return open_core(adi, &ports, error);
	status = open_first(adi, &ports, MEMORY_AP_AHB, &is_open, error);
	if (status == STATUS_OK)
		status = open_first(adi, &ports, MEMORY_AP_AXI, &is_open, error);
	if (status != STATUS_OK || is_open)
		return status;
	return fail(adi, &ports, "no access port leads to memory (is the target locked?)", error);
}

static enum status connect_memory(struct adi *adi, struct error *error)
{
	struct port *port = &adi->port;

	enum status status = port->dap->ops->set_speed(port->dap, &port->setup.speed, error);
	if (status == STATUS_OK)
		status = port_connect(port, error);
	if (status != STATUS_OK)
		return status;
	status = choose_access_port(adi, error);
	if (status != STATUS_OK) {
		adi_finish(adi);
		port_disconnect(port);
	}
	adi->bytes = adi->milliseconds = 0;
	return status;
}

enum status adi_connect(struct dap *dap, const struct adi_setup *setup, struct adi **adi, struct error *error)
{
	enum status status;

	*adi = calloc(1, sizeof **adi);
	if (*adi != NULL) {
		(*adi)->port = (struct port){
		        .dap = dap, .setup = *setup, .trace = {.line = setup->trace, .context = setup->context}};
		status = connect_memory(*adi, error);
	} else {
		status = status_no_memory(error, dap->source);
	}
	if (status != STATUS_OK) {
		free(*adi);
		*adi = NULL;
		dap->ops->close(dap);
	}
	return status;
}

enum status adi_drive_reset(struct adi *adi, bool is_reset, struct error *error)
{
	trace_sequence(&adi->port.trace, is_reset ? "reset pin low" : "reset pin released", 0);
	return adi->port.dap->ops->drive_reset(adi->port.dap, is_reset, error);
}

void adi_finish(struct adi *adi)
{
	struct error ignored;

	/* An interrupted target is not lost. */
	if (port_fail_if_cancelled(&adi->port, &ignored) != STATUS_OK)
		adi->port.is_lost = false;
	adi->port.setup.cancel = -1;
	if (adi->port.setup.timeout > FINISH_TIME)
		adi->port.setup.timeout = FINISH_TIME;
	adi->port.dap->ops->finish(adi->port.dap);
}

bool adi_is_lost(const struct adi *adi)
{
	return adi->port.is_lost;
}

void adi_close(struct adi *adi)
{
	if (adi == NULL)
		return;
	adi_finish(adi);
	memory_ap_close(adi);
	port_disconnect(&adi->port);
	adi->port.dap->ops->close(adi->port.dap);
	free(adi);
}

struct adi_traffic adi_traffic(const struct adi *adi)
{
	return (struct adi_traffic){
	        .bytes = adi->bytes,
	        .seconds = (double)adi->milliseconds / 1000,
	        .lists = adi->lists,
	        .repeats = adi->repeats,
	        .damaged = adi->damaged,
	        .packets_lost = adi->port.dap->packets_lost,
	        .speed = adi->port.setup.speed,
	};
}
