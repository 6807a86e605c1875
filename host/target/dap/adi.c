/* SPDX-License-Identifier: MIT */
/* See adi.h. */
#include "target/dap/adi.h"

#include "target/dap/cpuid.h"
#include "target/dap/memory_ap.h"

#include <stdio.h>
#include <stdlib.h>

/* Milliseconds that the target may be silent or busy while disconnecting. */
#define FINISH_TIME 300

#define PORTS_MAX 256
/* This many missing access ports in a row end the scan. */
#define GAP_MAX 8

struct found {
	unsigned number;
	uint32_t idr;
};

struct scan {
	size_t count;
	struct found ports[PORTS_MAX];
};

static enum status scan_ports(struct adi *adi, struct scan *scan, struct error *error)
{
	scan->count = 0;
	for (unsigned number = 0, gap = 0; number < PORTS_MAX && gap < GAP_MAX; number++) {
		uint32_t idr = 0;
		enum status status = memory_ap_identify(adi, number, &idr, error);

		/* A port that answers with an error, or has no power, counts as missing. */
		if (status != STATUS_OK && adi->port.is_lost)
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

static enum status fail(const struct adi *adi, const struct scan *scan, const char *why, struct error *error)
{
	char text[256];

	return status_fail(error, "%s: %s; the target's access ports: %s", adi->port.dap->source, why,
	                   list_ports(scan, text, sizeof text));
}

static enum status open_asked(struct adi *adi, const struct scan *scan, struct error *error)
{
	char why[64];

	for (size_t i = 0; i < scan->count; i++) {
		const struct found *found = &scan->ports[i];

		if ((int)found->number == adi->port.setup.access_port && IDR_CLASS(found->idr) == IDR_CLASS_MEMORY)
			return memory_ap_open(adi, found->number, found->idr, error);
	}
	snprintf(why, sizeof why, "access port %d leads to no memory", adi->port.setup.access_port);
	return fail(adi, scan, why, error);
}

static bool has_core(struct adi *adi)
{
	struct error ignored;
	uint32_t cpuid;

	return adi_probe(adi, CORTEX_CPUID, &cpuid, &ignored) == STATUS_OK && cortex_is_cpuid(cpuid);
}

/* A port that cannot be set up counts as missing, unless the target is lost. */
static enum status open_found(struct adi *adi, const struct found *found, bool *is_open, struct error *error)
{
	enum status status = memory_ap_open(adi, found->number, found->idr, error);

	*is_open = status == STATUS_OK;
	return adi->port.is_lost ? status : STATUS_OK;
}

static enum status fail_without_core(const struct adi *adi, const struct scan *scan, int cores, struct error *error)
{
	char which[32] = "none answers", why[96];

	if (cores == 1)
		snprintf(which, sizeof which, "only core 0 answers");
	else if (cores > 1)
		snprintf(which, sizeof which, "cores 0 to %d answer", cores - 1);
	snprintf(why, sizeof why, "there is no core %d, %s", adi->port.setup.core, which);
	return fail(adi, scan, why, error);
}

static enum status open_core(struct adi *adi, const struct scan *scan, struct error *error)
{
	int cores = 0;

	for (size_t i = 0; i < scan->count; i++) {
		enum memory_ap_kind kind = memory_ap_kind(scan->ports[i].idr);
		bool is_open;

		if (kind != MEMORY_AP_AHB && kind != MEMORY_AP_AXI)
			continue;
		enum status status = open_found(adi, &scan->ports[i], &is_open, error);
		if (status != STATUS_OK)
			return status;
		if (!is_open)
			continue;
		if (has_core(adi) && cores++ == adi->port.setup.core)
			return STATUS_OK;
		memory_ap_close(adi);
	}
	return fail_without_core(adi, scan, cores, error);
}

static enum status open_first(struct adi *adi, const struct scan *scan, enum memory_ap_kind kind, bool *is_open,
                              struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && !*is_open && i < scan->count; i++)
		if (memory_ap_kind(scan->ports[i].idr) == kind)
			status = open_found(adi, &scan->ports[i], is_open, error);
	return status;
}

/* Opens the access port that port.setup asks for, or else the first that leads to the core or to memory. */
static enum status choose_access_port(struct adi *adi, struct error *error)
{
	struct scan scan;
	bool is_open = false;

	enum status status = scan_ports(adi, &scan, error);
	if (status != STATUS_OK)
		return status;
	if (adi->port.setup.access_port >= 0)
		return open_asked(adi, &scan, error);
	/* If each core has its own debug port, that port is already selected. */
	if (adi->port.setup.core >= 0 && adi->port.target == 0)
		return open_core(adi, &scan, error);
	status = open_first(adi, &scan, MEMORY_AP_AHB, &is_open, error);
	if (status == STATUS_OK)
		status = open_first(adi, &scan, MEMORY_AP_AXI, &is_open, error);
	if (status != STATUS_OK || is_open)
		return status;
	return fail(adi, &scan, "no access port leads to memory (is the target locked?)", error);
}

enum status adi_drive_reset(struct adi *adi, bool is_reset, struct error *error)
{
	trace_sequence(&adi->port.trace, is_reset ? "reset pin low" : "reset pin released", 0);
	return adi->port.dap->ops->drive_reset(adi->port.dap, is_reset, error);
}

static enum status connect_memory(struct adi *adi, struct error *error)
{
	struct port *port = &adi->port;
	struct error ignored;

	enum status status = port->dap->ops->set_speed(port->dap, &port->setup.speed, error);
	if (status == STATUS_OK && port->setup.under_reset)
		status = adi_drive_reset(adi, true, error);
	if (status == STATUS_OK)
		status = port_connect(port, error);
	if (status == STATUS_OK) {
		status = choose_access_port(adi, error);
		if (status != STATUS_OK) {
			adi_finish(adi);
			port_disconnect(port);
		}
	}
	if (status != STATUS_OK && port->setup.under_reset)
		adi_drive_reset(adi, false, &ignored);
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
