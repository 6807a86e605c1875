/* SPDX-License-Identifier: MIT */
/*
 * Resets the core again and again so that the first tick after each reset is a timed one, then compares the cost of a
 * tick with that after a reset of the profile. The profile survives the resets, and the timer starts at the plain
 * period each time. Prints a line per check and ends the emulator.
 */
#include "../check.h"
#include "board.h"

#include <bareprof/bareprof.h>

#ifdef __riscv
#define RESET       (*(volatile uint32_t *)0x00100000u) /* the finisher of QEMU's "virt" machine */
#define RESET_VALUE 0x7777u
#else
#define RESET       (*(volatile uint32_t *)0xE000ED0Cu) /* AIRCR (Armv7-M ARM B3.2.6) */
#define RESET_VALUE 0x05FA0004u
#endif

#define PERIOD BOARD_SAMPLING_PERIOD
#define RESETS 40u
#define TICKS  (5u * BAREPROF_TIMED_TICKS)
/* The shortest of few measurements differs by where the timer's edges fall. */
#define DOUBT 2u

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ, .period = PERIOD,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

void work_interrupt(void)
{
	board_work_acknowledge();
}

static uint32_t cost_of_tick(void)
{
	return *block_word(BAREPROF_OFFSET_TICK_COST(BAREPROF_DIRECTORY_COUNT, (uint32_t)sizeof(uintptr_t)));
}

static void wait_for_ticks(uint32_t ticks)
{
	while (*block_word(BAREPROF_OFFSET_TICKS) < ticks)
		;
}

/* Records until there are this many ticks, so that the next one is timed. The distance of the last one is random. */
static void record(uint32_t ticks)
{
	bareprof_start();
	wait_for_ticks(ticks);
	bareprof_stop();
}

int main(void)
{
	int failures = 0;

	board_init();
	bareprof_init();
	board_sampling_start(PERIOD);

	const uint32_t resets = *block_word(BAREPROF_OFFSET_RESET_COUNT);
	record((resets + 1u) * BAREPROF_TIMED_TICKS);
	if (resets < RESETS) {
		RESET = RESET_VALUE;
		for (;;)
			;
	}
	const uint32_t cost = cost_of_tick();
	bareprof_reset();
	while (*block_word(BAREPROF_OFFSET_EPOCH) == 0)
		;
	record(TICKS);
	failures += check("distances are random", *block_word(BAREPROF_OFFSET_RANDOM) != 0);
	failures += check("the cost of a tick is that without warm resets",
	                  cost + DOUBT >= cost_of_tick() && cost_of_tick() > 0);
	board_exit(failures);
}
