/* SPDX-License-Identifier: MIT */
/* A line for each transfer, with the names of registers (IHI 0031). Knows nothing of what they are for. */
#ifndef TARGET_DAP_TRACE_H
#define TARGET_DAP_TRACE_H

#include "target/dap/dap.h"

/* Whom lines go to, and what registers that have no other trace on the wire were set to. */
struct trace {
	void (*line)(void *context, const char *line); /* NULL = nobody is told */
	void *context;
	uint32_t select, address;
};

/* Tells of transfers that were made together. ack is what they ended in; of those that failed none is told apart. */
void trace_transfers(struct trace *trace, const struct dap_transfer *transfers, size_t count, enum dap_ack ack);
/* Tells of bits that are no transfer: "line: JTAG to SWD". */
void trace_sequence(struct trace *trace, const char *name, uint32_t target);

#endif
