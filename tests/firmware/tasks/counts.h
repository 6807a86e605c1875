/* SPDX-License-Identifier: MIT */
/*
 * Counts of calls by context, and of switches of contexts, made by the firmware itself, for tests that compare the
 * profile with them. A firmware includes this in one file, after it has defined enum context, which ends in CONTEXTS,
 * the array context_names, and COUNTED_FUNCTIONS(X), a list of functions. Each of these begins with COUNT(context, its
 * name); the firmware calls COUNT_SWITCH(context) where it switches to a context.
 */
#ifndef FIRMWARE_TASKS_COUNTS_H
#define FIRMWARE_TASKS_COUNTS_H

#include "board.h"

#include <bareprof/bareprof.h>

_Static_assert(CONTEXTS >= BAREPROF_CONTEXTS, "contexts"); /* more: a test of too few */

#define COUNT_INDEX(name) COUNT_##name,
#define COUNT_NAME(name)  #name,
enum { COUNTED_FUNCTIONS(COUNT_INDEX) COUNT_ENTRIES };
static const char *const count_names[COUNT_ENTRIES] = {COUNTED_FUNCTIONS(COUNT_NAME)};

/* A context is not interrupted by itself, so nothing needs to be masked. */
static volatile uint32_t counts[CONTEXTS][COUNT_ENTRIES];
static volatile uint32_t switches[CONTEXTS];
static volatile uint32_t counting;
#define COUNT(context, name)  (counts[context][COUNT_##name] += counting)
#define COUNT_SWITCH(context) (switches[context] += counting)

UNINSTRUMENTED static void counts_write(enum context context, unsigned function)
{
	board_console_write("calls ");
	board_console_write(context_names[context]);
	board_console_write(" ");
	board_console_write(count_names[function]);
	board_console_write(" ");
	board_console_write_number(counts[context][function], 10);
	board_console_write("\n");
}

UNINSTRUMENTED static void switches_write(enum context context)
{
	board_console_write("switches ");
	board_console_write(context_names[context]);
	board_console_write(" ");
	board_console_write_number(switches[context], 10);
	board_console_write("\n");
}

UNINSTRUMENTED static void counts_start(void)
{
	bareprof_start();
	counting = 1;
}

/* Ends the profile and the counts, and prints `calls CONTEXT FUNCTION N` and `switches CONTEXT N` for each count. */
UNINSTRUMENTED static _Noreturn void counts_finish(void)
{
	unsigned long state = core_interrupts_save();

	bareprof_stop();
	counting = 0;
	core_interrupts_restore(state);
	for (unsigned context = 0; context < CONTEXTS; context++)
		for (unsigned function = 0; function < COUNT_ENTRIES; function++)
			counts_write((enum context)context, function);
	for (unsigned context = 0; context < CONTEXTS; context++)
		switches_write((enum context)context);
	board_console_write("demo: done\n");
	board_idle();
}

/* Takes a random time, so that neither rounds nor interrupts are in step with the samples. Marsaglia's xorshift. */
UNINSTRUMENTED static void linger(enum context context)
{
	static uint32_t noise[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	_Static_assert(CONTEXTS <= sizeof noise / sizeof noise[0], "a number for each context");
	uint32_t random = noise[context];

	random ^= random << 13;
	random ^= random >> 17;
	random ^= random << 5;
	noise[context] = random;
	for (volatile uint32_t i = random % 512; i > 0; i--)
		;
}

#endif
