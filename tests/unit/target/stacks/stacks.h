/* SPDX-License-Identifier: MIT */
/* The options of <bareprof/bareprof.h> in these tests, as in firmware with slices, and a stack to copy. Comes first. */
#ifndef UNIT_TARGET_STACKS_STACKS_H
#define UNIT_TARGET_STACKS_STACKS_H

#define BAREPROF_STACKS      16
#define BAREPROF_STACK_BYTES 64

#include "../recorder/arena.h"

#define STACK_WORDS 64u

/* Memory of a stack, each word different. It is the range of stacks of the layout. */
extern uintptr_t stack[STACK_WORDS];

/* Lays out a block with slices and without other options, with the range of stacks, and starts the profile. */
int stacks_begin(void **state);

/* One tick, as the interrupt's entry makes it, with an SP and other registers that follow from it. */
void stacks_tick(uintptr_t sp);
struct bareprof_interrupted stacks_interrupted(uintptr_t sp);
uintptr_t stacks_pc(void);

uint32_t stacks_total(unsigned item);
void stacks_set_total(unsigned item, uint32_t value);

/* A slice in the block, read by offsets. */
struct stacks_slice {
	uint32_t number, number_again, context, entry;
	uint16_t bytes, flags;
	uintptr_t pc, lr, sp, fp;
	uintptr_t words[BAREPROF_STACK_BYTES / sizeof(uintptr_t)];
};
struct stacks_slice stacks_slice(uint32_t place);

#endif
