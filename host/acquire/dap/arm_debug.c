/* SPDX-License-Identifier: MIT */
/* See arm_debug.h. */
#include "acquire/dap/arm_debug.h"

#include "acquire/dap/cpuid.h"
#include "acquire/dap/memory_ap.h"
#include "acquire/dap/rom_table.h"

#include <stdlib.h>

/* Milliseconds that the target may be silent or busy while disconnecting. */
#define FINISH_TIME 300

static bool can_exist(const struct adi *adi, uint64_t number)
{
	const unsigned bits = adi->port.address_bits;

	if (bits == 0)
		return number < PORTS_MAX;
	return number % CORESIGHT_SIZE == 0 && (bits >= 64 || number >> bits == 0);
}

static enum status arm_debug_scan_tables(struct ports *ports, struct error *error)
{
	return rom_table_scan(ports->probe, ports, error);
}

static enum status arm_debug_identify_port(void *probe, uint64_t number, uint32_t *idr, struct error *error)
{
	*idr = 0;
	return can_exist(probe, number) ? memory_ap_identify(probe, number, idr, error) : STATUS_OK;
}

static enum status arm_debug_open_port(void *probe, const struct found_port *found, struct error *error)
{
	return memory_ap_open(probe, found->number, found->idr, error);
}

static void arm_debug_close_port(void *probe)
{
	memory_ap_close(probe);
}

static bool arm_debug_has_core(void *probe)
{
	struct adi *adi = probe;
	struct error ignored;
	uint32_t cpuid;

	return access_probe(&adi->access, CORTEX_CPUID, &cpuid, &ignored) == STATUS_OK && cortex_is_cpuid(cpuid);
}

static bool arm_debug_is_lost(const void *probe)
{
	const struct adi *adi = probe;

	return adi->port.is_lost;
}

#define PORTS_OPS                                                                                        \
	.identify = arm_debug_identify_port, .open = arm_debug_open_port, .close = arm_debug_close_port, \
	.has_core = arm_debug_has_core, .is_lost = arm_debug_is_lost
static const struct ports_ops numbered_ports = {PORTS_OPS};
static const struct ports_ops addressed_ports = {PORTS_OPS, .scan = arm_debug_scan_tables};

static enum status choose_access_port(struct adi *adi, struct error *error)
{
	const struct target_setup *setup = &adi->port.setup;
	const bool have_addresses = adi->port.address_bits != 0;
	struct ports ports = {
	        .ops = have_addresses ? &addressed_ports : &numbered_ports,
	        .probe = adi,
	        .source = adi->port.dap->source,
	        .access_port = setup->access_port,
	        /* If each core has its own debug port, the core's port is already selected. */
	        .core = adi->port.target == 0 ? setup->core : -1,
	        .have_addresses = have_addresses,
	};

	return ports_choose(&ports, error);
}

static enum status arm_debug_drive_reset(void *probe, bool is_low, struct error *error)
{
	struct adi *adi = probe;

	trace_sequence(&adi->port.trace, is_low ? "reset pin low" : "reset pin released", 0);
	return adi->port.dap->ops->drive_reset(adi->port.dap, is_low, error);
}

static void arm_debug_finish(void *probe)
{
	struct adi *adi = probe;
	struct error ignored;

	/* A target is not lost if its access was only interrupted. */
	if (port_fail_if_cancelled(&adi->port, &ignored) != STATUS_OK)
		adi->port.is_lost = false;
	adi->port.setup.cancel = -1;
	if (adi->port.setup.timeout > FINISH_TIME)
		adi->port.setup.timeout = FINISH_TIME;
	adi->port.dap->ops->finish(adi->port.dap);
}

static void arm_debug_close(void *probe)
{
	struct adi *adi = probe;

	memory_ap_close(adi);
	port_disconnect(&adi->port);
	adi->port.dap->ops->close(adi->port.dap);
	free(adi);
}

static const struct probe_ops arm_debug_ops = {.transfer = memory_ap_transfer,
                                               .recover = memory_ap_recover,
                                               .fail = memory_ap_fail,
                                               .drive_reset = arm_debug_drive_reset,
                                               .finish = arm_debug_finish,
                                               .close = arm_debug_close};

static void arm_debug_init_access(struct adi *adi)
{
	adi->access = (struct access){.ops = &arm_debug_ops,
	                              .probe = adi,
	                              .setup = &adi->port.setup,
	                              .source = adi->port.dap->source,
	                              .is_lost = &adi->port.is_lost,
	                              .packets_lost = &adi->port.dap->packets_lost,
	                              .is_speed_limit = &adi->port.dap->is_speed_limit,
	                              .last = UINT32_MAX,
	                              .words = adi->words,
	                              .units_max = access_words_max(adi->port.setup.speed, MEMORY_AP_WORDS_MAX),
	                              .units_now = MEMORY_AP_WORDS_FIRST,
	                              .traffic.speed = adi->port.setup.speed};
}

static enum status connect_memory(struct adi *adi, struct error *error)
{
	struct port *port = &adi->port;

	enum status status = port->dap->ops->set_speed(port->dap, &port->setup.speed, error);
	arm_debug_init_access(adi);
	if (status == STATUS_OK && target_connects_under_reset(&port->setup))
		status = arm_debug_drive_reset(adi, true, error);
	if (status == STATUS_OK)
		status = port_connect(port, error);
	if (status == STATUS_OK) {
		status = choose_access_port(adi, error);
		if (status != STATUS_OK) {
			arm_debug_finish(adi);
			port_disconnect(port);
		}
	}
	adi->access.traffic.bytes = adi->access.milliseconds = 0;
	return status;
}

enum status arm_debug_connect(struct dap *dap, const struct target_setup *setup, struct access **access,
                              struct error *error)
{
	struct adi *adi = calloc(1, sizeof *adi);
	enum status status;

	*access = NULL;
	if (adi != NULL) {
		adi->port = (struct port){.dap = dap, .setup = *setup, .trace = {.observer = setup->observer}};
		status = connect_memory(adi, error);
	} else {
		status = status_no_memory(error, dap->source);
	}
	if (status == STATUS_OK) {
		*access = &adi->access;
	} else {
		free(adi);
		dap->ops->close(dap);
	}
	return status;
}
