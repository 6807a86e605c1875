/* SPDX-License-Identifier: MIT */
/*
 * Two cores that run the same functions at the same time, one of them with a second interrupt that does so too. Each
 * passes its number to every function that it calls, and the functions count their calls by it. Prints a line `calls
 * CORE FUNCTION N` for each.
 */
#include "board.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

#ifndef ROUNDS
#define ROUNDS 20000u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define WORK_MICROSECONDS 997u

_Static_assert(BAREPROF_CORES == BOARD_CORES, "a block for each core of the board");
/* The stack of the second core is a variable. */
#if BAREPROF_STACKS != 0
extern const char bss_start[], stack_top[];
#define CORES_STACKS .stacks = {{bss_start, stack_top}}, BOARD_STACKS
#else
#define CORES_STACKS
#endif

BAREPROF_DEFINE(64, BAREPROF_GRANULES(256, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, CORES_STACKS);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(4096);
#endif

#define COUNTED_FUNCTIONS(X) X(mix) X(twist) X(descend) X(first_round) X(second_round) X(work_interrupt)
#define COUNT_INDEX(name)    COUNT_##name,
#define COUNT_NAME(name)     #name,
enum { COUNTED_FUNCTIONS(COUNT_INDEX) COUNT_ENTRIES };
static const char *const count_names[COUNT_ENTRIES] = {COUNTED_FUNCTIONS(COUNT_NAME)};

/* Each core writes only its own entry, with interrupts masked. */
static struct {
	volatile uint32_t counts[COUNT_ENTRIES];
	volatile uint32_t counting;
	volatile uint32_t mixture;
	volatile bool done;
} cores[BAREPROF_CORES];

CORE_INLINE void count_call(uint32_t core, unsigned index)
{
	unsigned long state = core_interrupts_save();

	cores[core].counts[index] += cores[core].counting;
	core_interrupts_restore(state);
}

#define COUNT(core, name) count_call(core, COUNT_##name)

static void mix(uint32_t core)
{
	COUNT(core, mix);
	for (uint32_t i = 0; i < 16; i++)
		cores[core].mixture = cores[core].mixture * 5u + i;
}

static void twist(uint32_t core)
{
	COUNT(core, twist);
	cores[core].mixture ^= cores[core].mixture >> 3;
}

static void descend(uint32_t core, uint32_t depth)
{
	COUNT(core, descend);
	if (depth > 0)
		descend(core, depth - 1);
	twist(core);
}

static void (*const volatile actions[])(uint32_t) = {mix, twist};

static void first_round(void)
{
	COUNT(0, first_round);
	for (uint32_t i = 0; i < 6; i++)
		actions[i % 2](0);
	descend(0, 2);
}

static void second_round(void)
{
	COUNT(1, second_round);
	for (uint32_t i = 0; i < 5; i++)
		actions[i % 2](1);
	descend(1, 4);
}

/* On the first core. */
void work_interrupt(void)
{
	board_work_acknowledge();
	COUNT(0, work_interrupt);
	mix(0);
	descend(0, 3);
}

/* A core's profile and its count begin and end in one step, which no interrupt can split. */
UNINSTRUMENTED static void profile_rounds(uint32_t core, void (*round)(void))
{
	bareprof_init();
	board_sampling_start(SAMPLE_PERIOD);
	unsigned long state = core_interrupts_save();
	bareprof_start();
	cores[core].counting = 1;
	core_interrupts_restore(state);

	for (uint32_t i = 0; i < ROUNDS; i++)
		round();

	state = core_interrupts_save();
	bareprof_stop();
	cores[core].counting = 0;
	core_interrupts_restore(state);
	cores[core].done = true;
}

UNINSTRUMENTED static void second_main(void)
{
	profile_rounds(1, second_round);
	board_idle();
}

UNINSTRUMENTED static void write_count(uint32_t core, unsigned function)
{
	board_console_write("calls ");
	board_console_write_number(core, 10);
	board_console_write(" ");
	board_console_write(count_names[function]);
	board_console_write(" ");
	board_console_write_number(cores[core].counts[function], 10);
	board_console_write("\n");
}

UNINSTRUMENTED int main(void)
{
	board_init();
	board_second_core_start(second_main);
	board_work_start(WORK_MICROSECONDS);
	profile_rounds(0, first_round);
	while (!cores[1].done)
		;
	for (uint32_t core = 0; core < BAREPROF_CORES; core++)
		for (unsigned function = 0; function < COUNT_ENTRIES; function++)
			write_count(core, function);
	board_console_write("demo: done\n");
	board_idle();
}
