/* SPDX-License-Identifier: MIT */
/* A RISC-V debug transport on JTAG ("RISC-V External Debug Support", 0.13.2 and 1.0, chapter 6): registers of the debug
 * module, read and written in order. */
#ifndef ACQUIRE_RISCV_DTM_H
#define ACQUIRE_RISCV_DTM_H

#include "acquire/dap/jtag_pipe.h"
#include "acquire/setup.h"

/* Positions in the register dmi (6.1.5). */
#define DTM_DATA_SHIFT    2u
#define DTM_ADDRESS_SHIFT 34u

struct dtm {
	struct jtag jtag;
	uint32_t idcode;                        /* IDCODE of the device; 0: none */
	const struct target_observer *observer; /* trace() receives a line per request */

	/* Private. */
	struct jtag_pipe pipe;
	struct jtag_step traced[JTAG_PIPE_STEPS_MAX]; /* a copy of the steps, because the pipe forgets them */
	unsigned address_bits;
};

/* Initializes a transport on pins, which the caller still owns, without a trace. */
void dtm_init(struct dtm *dtm, struct pins *pins);
/* Resets the chain and finds the first device with a transport; idcode is 0 if there is none. A chain with an Arm debug
 * port is not searched. */
enum status dtm_connect(struct dtm *dtm, bool from_dormant, struct error *error);
/* Queue a request. The queue holds at most JTAG_PIPE_STEPS_MAX. */
void dtm_add_read(struct dtm *dtm, unsigned address, uint32_t *word);
void dtm_add_write(struct dtm *dtm, unsigned address, uint32_t word);
/* Makes the requests. *ack as in jtag_pipe_run(); DAP_FAULT: the debug module failed a request. */
enum status dtm_run(struct dtm *dtm, enum dap_ack *ack, struct error *error);
/* Lengthens the pause after requests, for a module that accepts them faster than it executes them. False at the
 * maximum. */
bool dtm_slow_down(struct dtm *dtm);

#endif
