/* SPDX-License-Identifier: MIT */
/* A block with slices, ticks that offer stacks, and what is in the block; see stacks.h. */
#include "stacks.h"

#include <string.h>

#define ADDRESS_SIZE sizeof(uintptr_t)

uintptr_t stack[STACK_WORDS];

static void acknowledge(uint32_t clock_units)
{
	(void)clock_units;
}

int stacks_begin(void **state)
{
	(void)state;
	for (unsigned i = 0; i < STACK_WORDS; i++)
		stack[i] = 0x1000u + i;
	arena_begin(8, 16);
	arena_layout.config.stacks[0] =
	        (struct bareprof_range){(const char *)stack, (const char *)(stack + STACK_WORDS)};
	arena_init_and_start();
	return 0;
}

uintptr_t stacks_pc(void)
{
	return (uintptr_t)bareprof_text_start + 64;
}

struct bareprof_interrupted stacks_interrupted(uintptr_t sp)
{
	return (struct bareprof_interrupted){.lr = ~sp, .sp = sp, .fp = sp + 4, .entry = 0xFFFFFFF9u};
}

void stacks_tick(uintptr_t sp)
{
	const struct bareprof_interrupted interrupted = stacks_interrupted(sp);

	bareprof_stack_tick(stacks_pc(), acknowledge, &interrupted);
}

uint32_t stacks_total(unsigned item)
{
	return arena_word(arena_item(BAREPROF_SECTION_STACK_TOTALS, item));
}

void stacks_set_total(unsigned item, uint32_t value)
{
	arena_set_word(arena_item(BAREPROF_SECTION_STACK_TOTALS, item), value);
}

struct stacks_slice stacks_slice(uint32_t place)
{
	const uint8_t *bytes = arena_bytes(arena_item(BAREPROF_SECTION_SLICES, place));
	struct stacks_slice slice;

	memcpy(&slice.number, bytes + BAREPROF_SLICE_NUMBER, 4);
	memcpy(&slice.context, bytes + BAREPROF_SLICE_CONTEXT, 4);
	memcpy(&slice.bytes, bytes + BAREPROF_SLICE_BYTES, 2);
	memcpy(&slice.flags, bytes + BAREPROF_SLICE_FLAGS, 2);
	memcpy(&slice.entry, bytes + BAREPROF_SLICE_ENTRY, 4);
	memcpy(&slice.pc, bytes + BAREPROF_SLICE_PC, ADDRESS_SIZE);
	memcpy(&slice.lr, bytes + BAREPROF_SLICE_LR(ADDRESS_SIZE), ADDRESS_SIZE);
	memcpy(&slice.sp, bytes + BAREPROF_SLICE_SP(ADDRESS_SIZE), ADDRESS_SIZE);
	memcpy(&slice.fp, bytes + BAREPROF_SLICE_FP(ADDRESS_SIZE), ADDRESS_SIZE);
	memcpy(slice.words, bytes + BAREPROF_SLICE_WORDS(ADDRESS_SIZE), sizeof slice.words);
	memcpy(&slice.number_again,
	       bytes + BAREPROF_SLICE_NUMBER_AGAIN(BAREPROF_SLICE_SIZE(ADDRESS_SIZE, BAREPROF_STACK_BYTES)), 4);
	return slice;
}
