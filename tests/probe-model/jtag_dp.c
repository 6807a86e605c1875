/* SPDX-License-Identifier: MIT */
/* See jtag_dp.h. Sections are those of IHI 0031. */
#include "jtag_dp.h"

/* B3.2.2 */
enum { ABORT = 0x8, DPACC = 0xa, APACC = 0xb, IDCODE = JTAG_DP_IDCODE, BYPASS = 0xf };

/* B3.2.3: three bits of acknowledge or address, then data. */
enum { SCAN_BITS = 35, SCAN_READ = 1, SCAN_ADDRESS = 6, SCAN_DATA_SHIFT = 3 };
enum { SCAN_WAIT = 1, SCAN_OK_FAULT = 2, SCAN_OK_3 = 4 };

/* Makes the pending access if the access port is ready. Returns whether none is pending then. */
static bool finish_pending(struct jtag_dp *dp)
{
	if (!dp->is_pending)
		return !debug_port_is_busy(dp->port, (struct request){0});
	if (debug_port_is_busy(dp->port, dp->pending))
		return false;
	dp->is_pending = false;
	dp->port->counts->oks++;
	if (dp->pending.is_read) {
		debug_port_read_register(dp->port, dp->pending);
		dp->result = dp->port->posted;
	} else {
		debug_port_write_register(dp->port, dp->pending, dp->pending_word);
	}
	return true;
}

/* Version 3 distinguishes OK and FAULT (IHI 0074, B3.2.4). In the strictest reading, all requests get FAULT while a
 * sticky flag is set. */
static uint64_t ok_or_fault(const struct jtag_dp *dp)
{
	return debug_port_version(dp->port) == 3 && !debug_port_is_sticky(dp->port) ? SCAN_OK_3 : SCAN_OK_FAULT;
}

/* 8-bit instructions begin with ones; others select BYPASS. */
static uint32_t decode(const struct jtag_dp *dp, uint32_t instruction)
{
	if (dp->instruction_bits == 8 && instruction >> 4 != 0xf)
		return BYPASS;
	return instruction & 0xf;
}

/* B3.3.1: while an access is in progress every scan answers WAIT, and its request is discarded. */
static uint64_t capture_access(struct jtag_dp *dp)
{
	dp->was_busy = !finish_pending(dp);
	if (!dp->was_busy)
		return (uint64_t)dp->result << SCAN_DATA_SHIFT | ok_or_fault(dp);
	dp->port->counts->waits++;
	debug_port_record_overrun(dp->port);
	return SCAN_WAIT;
}

static uint64_t capture(void *device, uint32_t instruction, unsigned *bits)
{
	struct jtag_dp *dp = device;

	*bits = SCAN_BITS;
	if (dp->is_silent)
		return UINT64_MAX;
	switch (decode(dp, instruction)) {
	case ABORT:
		return ok_or_fault(dp);
	case DPACC:
	case APACC:
		return capture_access(dp);
	case IDCODE:
		*bits = 32;
		return dp->idcode;
	default:
		*bits = 1;
		return 0;
	}
}

/* A sticky error discards the access (B3.3.2). */
static void start_access(struct jtag_dp *dp, struct request request, uint32_t word)
{
	if (debug_port_examine(dp->port, request) == ACK_FAULT) {
		dp->port->counts->faults++;
		return;
	}
	dp->pending = request;
	dp->pending_word = word;
	dp->is_pending = true;
	finish_pending(dp);
}

/* Requests to the debug port take effect at once, those to an access port when it is ready. */
static void request(struct jtag_dp *dp, bool is_ap, uint64_t bits)
{
	const struct request request = {
	        .is_ap = is_ap, .is_read = (bits & SCAN_READ) != 0, .address = (unsigned)(bits & SCAN_ADDRESS) << 1};
	const uint32_t word = (uint32_t)(bits >> SCAN_DATA_SHIFT);

	if (dp->was_busy)
		return;
	dp->port->counts->requests++;
	dp->is_silent = dp->is_lost(dp->context);
	if (dp->is_silent)
		return;
	if (is_ap) {
		start_access(dp, request, word);
	} else if (request.is_read) {
		dp->result = request.address == 12 ? 0 : debug_port_read_register(dp->port, request);
	} else {
		if (request.address == 4)
			debug_port_clear_sticky(dp->port, word);
		if (request.address != 0)
			debug_port_write_register(dp->port, request, word);
	}
}

static void update(void *device, uint32_t instruction, uint64_t bits)
{
	struct jtag_dp *dp = device;

	if (dp->is_silent)
		return;
	instruction = decode(dp, instruction);
	if (instruction == ABORT) {
		dp->is_pending = false;
		debug_port_write_register(dp->port, (struct request){.address = 0},
		                          (uint32_t)(bits >> SCAN_DATA_SHIFT) & 1);
	} else if (instruction == DPACC || instruction == APACC) {
		request(dp, instruction == APACC, bits);
	}
}

static void reset(void *device)
{
	struct jtag_dp *dp = device;

	dp->port->counts->line_resets++;
	dp->is_silent = dp->is_pending = dp->was_busy = false;
}

const struct tap_ops jtag_dp_ops = {.reset = reset, .capture = capture, .update = update};
