/* SPDX-License-Identifier: MIT */
/* Choice and settings of the access port that an ST-Link uses. See stlink_state.h. */
#include "target/dap/stlink_state.h"

#include "target/dap/cpuid.h"
#include "target/dap/memory_ap.h"

#include <inttypes.h>
#include <stdio.h>

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

/* The first access port to a core is mostly number 0: then the others do not matter. */
static bool is_enough(const struct stlink *stlink, uint32_t idr)
{
	return stlink->setup.adi.access_port < 0 && stlink->setup.adi.core < 0 && memory_ap_kind(idr) == MEMORY_AP_AHB;
}

static enum status scan_ports(struct stlink *stlink, struct scan *scan, struct error *error)
{
	scan->count = 0;
	for (unsigned number = 0, gap = 0; number < PORTS_MAX && gap < GAP_MAX; number++) {
		uint32_t idr = 0;
		enum status status = stlink_read_port(stlink, number, AP_IDR, &idr, true, error);

		/* A port that answers with an error counts as missing. */
		if (status != STATUS_OK && (stlink->is_lost || stlink_is_cancelled(stlink)))
			return status;
		if (status != STATUS_OK)
			idr = 0;
		gap = idr == 0 ? gap + 1 : 0;
		if (idr != 0)
			scan->ports[scan->count++] = (struct found){number, idr};
		if (is_enough(stlink, idr))
			break;
	}
	return STATUS_OK;
}

/* Fails with the list of access ports: "0 (AHB), 1 (APB)". */
static enum status fail(const struct stlink *stlink, const struct scan *scan, const char *why, struct error *error)
{
	static const char *const kinds[] = {
	        [MEMORY_AP_OTHER] = "other", [MEMORY_AP_AHB] = "AHB", [MEMORY_AP_APB] = "APB", [MEMORY_AP_AXI] = "AXI"};
	char text[256] = "none";
	size_t length = 0;

	for (size_t i = 0; i < scan->count && length + 32 < sizeof text; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%u (%s)", i ? ", " : "",
		                           scan->ports[i].number, kinds[memory_ap_kind(scan->ports[i].idr)]);
	return status_fail(error, "%s: %s; the target's access ports: %s", stlink->exchange->source, why, text);
}

static enum status open_port(struct stlink *stlink, unsigned number, struct error *error)
{
	struct stlink_result result;
	char text[128];

	stlink->has_port = true;
	stlink->port = number;
	stlink->csw = 0;
	enum status status = stlink_open_port(stlink, &result, error);
	if (status == STATUS_OK && result.ack != DAP_OK)
		status = stlink_connect(stlink, &result, error);
	if (status == STATUS_OK && result.ack != DAP_OK)
		return status_fail(error, "%s: cannot open access port %u: %s", stlink->exchange->source, number,
		                   stlink_reason(&result, text, sizeof text));
	return status;
}

/* Bits of CSW that an access port does not implement are not stored (IHI 0031, C2.6.4). Reads by an AHB-AP go through
 * the data cache if it allows that. */
static enum status set_up_port(struct stlink *stlink, const struct found *found, struct error *error)
{
	uint32_t csw = 0;

	enum status status = open_port(stlink, found->number, error);
	if (status == STATUS_OK)
		status = stlink_read_port(stlink, found->number, AP_CSW, &csw, false, error);
	if (status == STATUS_OK && !(csw & CSW_DEVICE_EN))
		return status_fail(error, "%s: access port %u is switched off; is the target locked?",
		                   stlink->exchange->source, found->number);
	if (status != STATUS_OK || memory_ap_kind(found->idr) != MEMORY_AP_AHB)
		return status;
	status = stlink_write_port(stlink, found->number, AP_CSW, csw | CSW_CACHEABLE, error);
	if (status == STATUS_OK)
		status = stlink_read_port(stlink, found->number, AP_CSW, &csw, false, error);
	stlink->csw = csw;
	return status;
}

/* A port that cannot be opened counts as missing, unless the target is lost. */
static enum status try_port(struct stlink *stlink, const struct found *found, bool *is_open, struct error *error)
{
	enum status status = set_up_port(stlink, found, error);

	*is_open = status == STATUS_OK;
	return stlink->is_lost || stlink_is_cancelled(stlink) ? status : STATUS_OK;
}

static enum status open_wanted(struct stlink *stlink, const struct scan *scan, struct error *error)
{
	char why[64];

	for (size_t i = 0; i < scan->count; i++) {
		const struct found *found = &scan->ports[i];

		if (found->number == stlink->setup.adi.access_port && IDR_CLASS(found->idr) == IDR_CLASS_MEMORY)
			return set_up_port(stlink, found, error);
	}
	snprintf(why, sizeof why, "access port %" PRId64 " leads to no memory", stlink->setup.adi.access_port);
	return fail(stlink, scan, why, error);
}

static enum status open_core(struct stlink *stlink, const struct scan *scan, struct error *error)
{
	char which[32] = "none answers", why[96];
	int cores = 0;

	for (size_t i = 0; i < scan->count; i++) {
		enum memory_ap_kind kind = memory_ap_kind(scan->ports[i].idr);
		struct error ignored;
		uint32_t cpuid;
		bool is_open;

		if (kind != MEMORY_AP_AHB && kind != MEMORY_AP_AXI)
			continue;
		enum status status = try_port(stlink, &scan->ports[i], &is_open, error);
		if (status != STATUS_OK)
			return status;
		if (is_open && stlink_probe(stlink, CORTEX_CPUID, &cpuid, &ignored) == STATUS_OK &&
		    cortex_is_cpuid(cpuid) && cores++ == stlink->setup.adi.core)
			return STATUS_OK;
	}
	if (cores == 1)
		snprintf(which, sizeof which, "only core 0 answers");
	else if (cores > 1)
		snprintf(which, sizeof which, "cores 0 to %d answer", cores - 1);
	snprintf(why, sizeof why, "there is no core %d, %s", stlink->setup.adi.core, which);
	return fail(stlink, scan, why, error);
}

static enum status open_first(struct stlink *stlink, const struct scan *scan, struct error *error)
{
	static const enum memory_ap_kind kinds[] = {MEMORY_AP_AHB, MEMORY_AP_AXI};
	bool is_open = false;

	for (size_t i = 0; i < 2 * scan->count; i++) {
		const struct found *found = &scan->ports[i % scan->count];

		if (memory_ap_kind(found->idr) != kinds[i / scan->count])
			continue;
		enum status status = try_port(stlink, found, &is_open, error);
		if (status != STATUS_OK || is_open)
			return status;
	}
	return fail(stlink, scan, "no access port leads to memory (is the target locked?)", error);
}

enum status stlink_choose_port(struct stlink *stlink, struct error *error)
{
	struct scan scan;

	/* Older firmware uses access port 0 for everything. */
	if (!stlink_has(stlink, STLINK_CHOOSES_PORT)) {
		if (stlink->setup.adi.access_port <= 0 && stlink->setup.adi.core <= 0)
			return open_port(stlink, 0, error);
		return status_fail(error,
		                   "%s: its firmware V%uJ%u reaches access port 0 alone: update it with "
		                   "STM32CubeProgrammer",
		                   stlink->exchange->source, stlink->hardware, stlink->release);
	}
	enum status status = scan_ports(stlink, &scan, error);
	if (status != STATUS_OK)
		return status;
	if (stlink->setup.adi.access_port >= 0)
		return open_wanted(stlink, &scan, error);
	return stlink->setup.adi.core >= 0 ? open_core(stlink, &scan, error) : open_first(stlink, &scan, error);
}
