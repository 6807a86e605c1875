/* SPDX-License-Identifier: MIT */
/* A debug port on the SWD or JTAG wires of the model in tests/probe-model/, with faults at the test's choice. */
#ifndef UNIT_ACQUIRE_DAP_BENCH_H
#define UNIT_ACQUIRE_DAP_BENCH_H

#include "../../../probe-model/swd.h"

#include "acquire/dap/jtag_dp.h"
#include "acquire/dap/swd.h"

#define BENCH_RAM      0x20000000u
#define BENCH_RAM_SIZE 0x20000u

struct bench {
	struct pins pins;
	struct swd_target *target;
	struct dap *dap; /* for the test, which closes it */
	uint8_t *memory; /* random */
	uint32_t speed;
	unsigned opened, closed;
	bool is_reset_low;
	/* Faults. */
	bool is_unplugged;     /* the probe */
	unsigned unplugs_in;   /* shifts until it is unplugged; 0: never */
	unsigned fails_in;     /* shifts until one fails; 0: none */
	unsigned cancels_in;   /* shifts until a byte is written to cancel; 0: never */
	int cancel;            /* descriptor; -1: none */
	bool cancels_in_reset; /* a byte is written to cancel when the reset pin goes low */
};

extern struct bench bench;

/* How the next debug port is reached; SWD at first. BENCH_PINS: there is none, the test opens what is at the pins. */
enum bench_wires { BENCH_SWD, BENCH_JTAG, BENCH_WIRES, BENCH_PINS };
extern enum bench_wires bench_wires;

/* Opens a target with these options, ended by NULL, and RAM. */
void bench_open(const char *const *options);
/* Opens another debug port to the same target, after the first was closed. */
void bench_open_again(void);
/* Fails the test unless all debug ports are closed and host and target never drove the line together. */
void bench_close(void);

#endif
