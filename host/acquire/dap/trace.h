/* SPDX-License-Identifier: MIT */
/* A line of text per transfer, with register names (IHI 0031). */
#ifndef ACQUIRE_DAP_TRACE_H
#define ACQUIRE_DAP_TRACE_H

#include "acquire/dap/dap.h"
#include "acquire/observer.h"

/* Where lines go, and the last values of SELECT, SELECT1 and TAR. */
struct trace {
	const struct target_observer *observer;
	bool has_addresses; /* access ports have addresses (IHI 0074) */
	uint32_t select, select_high, address;
};

/* Traces transfers that were made together. ack: how they ended. It is unknown which transfer failed. */
void trace_transfers(struct trace *trace, const struct dap_transfer *transfers, size_t count, enum dap_ack ack);
/* For lines of the trace. */
const char *trace_ack_name(enum dap_ack ack);
/* Traces bits outside of transfers: "line: JTAG to SWD". */
void trace_sequence(struct trace *trace, const char *name, uint32_t target);

#endif
