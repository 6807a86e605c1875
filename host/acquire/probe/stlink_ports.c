/* SPDX-License-Identifier: MIT */
/* Choice and settings of the access port that an ST-Link uses. See stlink_state.h. */
#include "acquire/probe/stlink_state.h"

#include "acquire/dap/access_ports.h"
#include "acquire/dap/cpuid.h"
#include "acquire/dap/memory_ap.h"

#include <stdio.h>

static enum status open_numbered_port(struct stlink *stlink, unsigned number, struct error *error)
{
	struct access_result result;
	char text[128];

	stlink->has_port = true;
	stlink->port = number;
	snprintf(stlink->access.name, sizeof stlink->access.name, "access port %u", number);
	stlink->csw = 0;
	enum status status = stlink_open_port(stlink, &result, error);
	if (status == STATUS_OK && result.ack != DAP_OK)
		status = stlink_connect(stlink, &result, error);
	if (status == STATUS_OK && result.ack != DAP_OK)
		return status_fail(error, "%s: cannot open access port %u: %s", stlink->exchange->source, number,
		                   stlink_reason(&result, text, sizeof text));
	return status;
}

/* CSW bits that an access port does not implement are not stored (IHI 0031, C2.6.4). If possible, reads by an AHB-AP go
 * through the data cache. */
static enum status set_up_port(void *probe, const struct found_port *found, struct error *error)
{
	struct stlink *stlink = probe;
	const unsigned number = (unsigned)found->number;
	uint32_t csw = 0;

	enum status status = open_numbered_port(stlink, number, error);
	if (status == STATUS_OK)
		status = stlink_read_port(stlink, number, AP_CSW, &csw, false, error);
	if (status == STATUS_OK && !(csw & CSW_DEVICE_EN))
		return status_fail(error, "%s: access port %u is switched off; is the target locked?",
		                   stlink->exchange->source, number);
	if (status != STATUS_OK || ports_kind(found->idr) != PORT_AHB)
		return status;
	status = stlink_write_port(stlink, number, AP_CSW, csw | CSW_CACHEABLE, error);
	if (status == STATUS_OK)
		status = stlink_read_port(stlink, number, AP_CSW, &csw, false, error);
	stlink->csw = csw;
	return status;
}

static enum status stlink_identify_port(void *probe, uint64_t number, uint32_t *idr, struct error *error)
{
	*idr = 0;
	return number < PORTS_MAX ? stlink_read_port(probe, (unsigned)number, AP_IDR, idr, true, error) : STATUS_OK;
}

static bool stlink_has_core(void *probe)
{
	struct stlink *stlink = probe;
	struct error ignored;
	uint32_t cpuid;

	return access_probe(&stlink->access, CORTEX_CPUID, &cpuid, &ignored) == STATUS_OK && cortex_is_cpuid(cpuid);
}

static bool stlink_is_lost(const void *probe)
{
	const struct stlink *stlink = probe;

	return stlink->is_lost || stlink_is_cancelled(stlink);
}

static const struct ports_ops ports_ops = {
        .identify = stlink_identify_port, .open = set_up_port, .has_core = stlink_has_core, .is_lost = stlink_is_lost};

enum status stlink_choose_port(struct stlink *stlink, struct error *error)
{
	struct ports ports = {
	        .ops = &ports_ops,
	        .probe = stlink,
	        .source = stlink->exchange->source,
	        .access_port = stlink->setup.access_port,
	        .core = stlink->setup.core,
	};

	/* Older firmware uses access port 0 for everything. */
	if (!stlink_has(stlink, STLINK_CHOOSES_PORT)) {
		if (stlink->setup.access_port <= 0 && stlink->setup.core <= 0)
			return open_numbered_port(stlink, 0, error);
		return status_fail(error,
		                   "%s: its firmware V%uJ%u reaches access port 0 only: update it with "
		                   "STM32CubeProgrammer",
		                   stlink->exchange->source, stlink->hardware, stlink->release);
	}
	return ports_choose(&ports, error);
}
