/* SPDX-License-Identifier: MIT */
/* Model of a RISC-V hart as its debug module sees it: halting, abstract commands and a program buffer ("RISC-V External
 * Debug Support", 0.13.2, sections 3.6 and 3.7). Sections are those of the specification. */
#ifndef PROBE_MODEL_HART_H
#define PROBE_MODEL_HART_H

#include "memory.h"

#define HART_DATA_COUNT  4
#define HART_PROGRAM_MAX 16

struct hart {
	const struct setup *setup;
	struct memory *memory;
	struct swd_counts *counts;
	bool is_halted;
	unsigned command_error; /* cmderr */
	uint32_t command, automatic;
	uint32_t data[HART_DATA_COUNT];
	uint32_t program[HART_PROGRAM_MAX];
	uint64_t general[32];
	uint64_t busy_until; /* clocks */
};

/* Halts the hart, or lets it run. Its memory is the caller's. */
void hart_halt(struct hart *hart, bool is_halted);
/* Whether a register of the module is one of these. */
bool hart_has(unsigned address);
uint32_t hart_read(struct hart *hart, unsigned address);
void hart_write(struct hart *hart, unsigned address, uint32_t word);

#endif
