/* SPDX-License-Identifier: MIT */
/*
 * One arc is called and one granule is sampled repeatedly, each found in its first slot, and the link is polled while
 * it has nothing to do. A plugin of QEMU counts the instructions between measured_begin() and measured_end(): every
 * call takes the same path, and so does every tick and every poll. Checks in the block that each call and tick was
 * counted in the right place. With slices all ticks are kept, from a stack that fills them, or with SETTLED-1 none, as
 * in a profile that has run for long. A filter keeps few words of that stack, and half of the others are odd.
 */
#include "../check.h"
#include "board.h"

#include <bareprof/link.h>
#include <stdbool.h>

#define HITS_ARCS     64u
#define HITS_GRANULES 64u
#define GRANULE       64u /* wait_for_ticks() is not longer */

/* Not instrumented: only one arc may be in the table. */
#define PLAIN __attribute__((noinline, no_instrument_function))

BAREPROF_DEFINE(HITS_ARCS, BAREPROF_GRANULES(HITS_GRANULES, GRANULE, 16), .board = BOARD_NAME,
                .period = BOARD_SAMPLING_PERIOD, BOARD_STACKS);

#ifndef SETTLED
#define SETTLED 0
#endif

/* Primes, so that the count of an instruction shows which of them it belongs to. */
#define CALLS       1009u
#define TICKS       503u
#define POLLS       701u
#define FIRST_TICKS 5u

/* A pipe without input or room. Its instructions belong to a poll. */
PLAIN static size_t pipe_write(const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return 0;
}

PLAIN static size_t pipe_read(uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return 0;
}

BAREPROF_LINK(64, .write = pipe_write, .read = pipe_read);

void measured_call(void);
void measured_begin(void);
void measured_end(void);

/* More than any handler needs. Painted below the caller's stack pointer. */
#define STACK_WORDS 128u
#define STACK_FILL  ((uintptr_t)0xC5A3C5A3C5A3C5A3u)

static uintptr_t stack_at_ticks;

void work_interrupt(void)
{
	board_work_acknowledge();
}

PLAIN static uint32_t max_arc_count(void)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < HITS_ARCS; i++) {
		const uint32_t slot = BAREPROF_ARCS_OFFSET + i * (uint32_t)BAREPROF_ARC_SIZE;
		const uint32_t count = *block_word(slot + (uint32_t)BAREPROF_ARC_COUNT(sizeof(uintptr_t)));

		if (count > max)
			max = count;
	}
	return max;
}

__attribute__((noinline)) void measured_call(void)
{
	__asm volatile("");
}

PLAIN void measured_begin(void)
{
	__asm volatile("");
}

PLAIN void measured_end(void)
{
	__asm volatile("");
}

PLAIN static void call_often(uint32_t calls)
{
	for (uint32_t i = 0; i < calls; i++)
		measured_call();
}

PLAIN static void poll_often(void)
{
	for (uint32_t i = 0; i < POLLS; i++)
		bareprof_poll();
}

static inline uintptr_t stack_pointer(void)
{
	register const uintptr_t sp __asm("sp");
	uintptr_t pointer;

	__asm volatile("" : "=r"(pointer) : "0"(sp));
	return pointer;
}

PLAIN static void stack_paint(void)
{
	volatile uintptr_t *word = (volatile uintptr_t *)stack_pointer();

	for (uint32_t i = 0; i < STACK_WORDS; i++)
		*--word = STACK_FILL;
}

/* Bytes that the interrupts used below the interrupted stack pointer. */
PLAIN static uint32_t stack_depth(void)
{
	const volatile uintptr_t *word = (const volatile uintptr_t *)stack_at_ticks - STACK_WORDS;

	while (*word == STACK_FILL)
		word++;
	return (uint32_t)(stack_at_ticks - (uintptr_t)word);
}

/* Within one granule, which all ticks hit: interrupts are masked elsewhere. */
PLAIN __attribute__((aligned(GRANULE))) static void wait_for_ticks(uint32_t ticks, unsigned long state)
{
	stack_at_ticks = stack_pointer();
	core_interrupts_restore(state);
	while (*block_word(BAREPROF_OFFSET_TICKS) < ticks)
		;
	core_interrupts_save();
}

/* Slots of the table of granules with a count; one granule has one slot. */
PLAIN static uint32_t granules_seen(void)
{
	const uint32_t entry = BAREPROF_OFFSET_DIRECTORY + BAREPROF_DIRECTORY_SAMPLES * BAREPROF_ENTRY_SIZE;
	const uint32_t counts =
	        *block_word(entry + BAREPROF_ENTRY_OFFSET) + (uint32_t)BAREPROF_GRANULE_COUNT(sizeof(uintptr_t));
	uint32_t seen = 0;

	for (uint32_t i = 0; i < HITS_GRANULES; i++)
		seen += *block_word(counts + i * (uint32_t)BAREPROF_GRANULE_SIZE) != 0;
	return seen;
}

static inline void settle(void)
{
#if SETTLED
	volatile uint32_t *totals =
	        block_word(BAREPROF_OFFSET_STACK_TOTALS(BAREPROF_DIRECTORY_COUNT, (uint32_t)sizeof(uintptr_t)));

	totals[BAREPROF_STACK_TOTAL_OFFERED] = UINT32_MAX / 2;
#endif
}

PLAIN int main(void)
{
#if BAREPROF_STACKS != 0
	volatile uint32_t deep[BAREPROF_STACK_BYTES / 4] __attribute__((unused));

	for (uint32_t i = 0; i < BAREPROF_STACK_BYTES / 4; i++)
		deep[i] = 0x55555555u - i;
#endif
	board_init();
	const unsigned long state = core_interrupts_save();
	bareprof_init();
	bareprof_start();
	settle();
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	call_often(1);
	wait_for_ticks(FIRST_TICKS, state);

	measured_begin();
	stack_paint();
	wait_for_ticks(FIRST_TICKS + TICKS, state);
	call_often(CALLS);
	poll_often();
	measured_end();
	bareprof_stop();

	board_console_write("stack ");
	board_console_write_number(stack_depth(), 10);
	board_console_write("\n");
	int failures = check("one slot counts every call", max_arc_count() == CALLS + 1);
	failures += check("one granule counts every tick",
	                  granules_seen() == 1 && *block_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE) == 0 &&
	                          *block_word(BAREPROF_OFFSET_TICKS) == FIRST_TICKS + TICKS);
	board_exit(failures);
}
