/* SPDX-License-Identifier: MIT */
/* A debug port whose wires are those of the model in tests/probe-model/: what goes wrong at which moment is said by the
 * test.
 */
#ifndef UNIT_TARGET_DAP_BENCH_H
#define UNIT_TARGET_DAP_BENCH_H

#include "../../../probe-model/swd.h"

#include "target/dap/swd.h"

#define BENCH_RAM      0x20000000u
#define BENCH_RAM_SIZE 0x20000u

struct bench {
	struct swd_wire wire;
	struct swd_target *target;
	struct dap *dap; /* to be taken over */
	uint8_t *memory; /* of no pattern */
	uint32_t speed;
	unsigned opened, closed;
	bool is_reset_low;
	/* Faults. */
	bool is_unplugged;     /* the probe, not the target */
	unsigned unplugs_in;   /* so many shifts from now it is; 0 = never */
	unsigned fails_in;     /* so many shifts from now one fails; 0 = none does */
	unsigned cancels_in;   /* so many shifts from now a byte is written to: */
	int cancel;            /* -1 = none */
	bool cancels_in_reset; /* it is written there when the reset pin goes low */
};

extern struct bench bench;

/* With these options of a target, ended by NULL, and RAM. */
void bench_open(const char *const *options);
/* Another debug port to the same target, once the one before is closed. */
void bench_open_again(void);
/* Fails the test unless all that was opened is closed, and nobody drove against another. */
void bench_close(void);

#endif
