/* SPDX-License-Identifier: MIT */
/* Requests through JTAG registers that return each result with the next request, as in a JTAG-DP and a RISC-V debug
 * transport. Many requests form one stream of bits. The device discards all requests after one that came too early, so
 * nothing has to be checked in between: the pipe sends discarded requests again, and learns the pause that requests
 * need. */
#ifndef ACQUIRE_DAP_JTAG_PIPE_H
#define ACQUIRE_DAP_JTAG_PIPE_H

#include "acquire/dap/dap.h"
#include "acquire/dap/jtag.h"

#define JTAG_PIPE_STEPS_MAX 512u

struct jtag_pipe_ops {
	/* How the request before this scan ended, or DAP_WAIT if it is still in progress; *word is its result. */
	enum dap_ack (*decode)(const void *device, uint64_t bits, uint32_t *word);
	/* Queues a scan without effect, which returns a result. Returns its place. */
	size_t (*add_flush)(void *device);
	/* Queues scans that make the device accept requests again. Returns the place of the last one, which decode()
	 * accepts. */
	size_t (*add_restart)(void *device);
};

struct jtag_step {
	uint32_t instruction;
	uint64_t bits;
	uint32_t *destination; /* where its result goes; NULL: nowhere */
};

struct jtag_pipe {
	const struct jtag_pipe_ops *ops;
	void *device; /* for ops */
	struct jtag *jtag;
	unsigned bits;     /* bits of a scan */
	unsigned idle_min; /* minimum of jtag->idle, which the pipe adapts */
	/* The requests to make; the caller fills them in. */
	size_t count;
	struct jtag_step steps[JTAG_PIPE_STEPS_MAX];

	/* Private. */
	size_t burst; /* maximum requests per stream; 0: unknown */
	size_t places[JTAG_PIPE_STEPS_MAX + 1];
};

/* Makes the requests in order, each once, and empties the pipe. *ack is DAP_OK, or how the first failed request ended;
 * that request and later ones may or may not have been made. DAP_WAIT: the device was busy for too long. */
enum status jtag_pipe_run(struct jtag_pipe *pipe, enum dap_ack *ack, struct error *error);

#endif
