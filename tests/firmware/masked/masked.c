/* SPDX-License-Identifier: MIT */
/*
 * Sections of many lengths with interrupts masked, on a RISC-V board that samples by the machine timer: ticks and
 * missed ticks together equal the elapsed time. A window of the same timer has the requested number of ticks. Prints
 * a line per check and ends the emulator.
 */
#include "../check.h"
#include "board.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

/* SiFive FU540-C000 manual, chapter CLINT. The low half does not wrap within a run. */
#define MTIME (*(volatile uint32_t *)0x0200BFF8u)

#define PERIOD   BOARD_SAMPLING_PERIOD
#define SECTIONS 200u
/* The standard deviation of a distance between two samples is PERIOD / 7, so that of some hundreds of them is less than
 * three periods, and five are at least four sigma. */
#define DOUBT 5u

#define WINDOW_TICKS 70u
#define HOOK_WITHIN  24u /* bytes from the start of a function */

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ, .period = PERIOD,
                .set_period = board_sampling_start, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

void work_interrupt(void)
{
	board_work_acknowledge();
}

static void wait_for(uint32_t units)
{
	const uint32_t begin = MTIME;

	while (MTIME - begin < units)
		;
}

static void wait_masked(uint32_t units)
{
	const unsigned long state = core_interrupts_save();

	wait_for(units);
	core_interrupts_restore(state);
}

__attribute__((noinline)) static void begin_window(void)
{
	__asm volatile("");
}

int main(void)
{
	int failures = 0;

	board_init();
	bareprof_init();
	board_sampling_start(PERIOD);
	bareprof_start();
	wait_for(100u * PERIOD);
	failures += check("no tick is missed where nothing is masked",
	                  *block_word(BAREPROF_OFFSET_TICKS_MISSED) == 0 && *block_word(BAREPROF_OFFSET_TICKS) > 95u);

	const uint32_t begin = MTIME;
	const uint32_t ticks_before = *block_word(BAREPROF_OFFSET_TICKS);
	for (uint32_t section = 0; section < SECTIONS; section++) {
		wait_masked(section * PERIOD / 16u);
		wait_for(PERIOD / 3u);
	}
	const uint32_t periods = (MTIME - begin) / PERIOD;
	const uint32_t ticks = *block_word(BAREPROF_OFFSET_TICKS) - ticks_before;
	const uint32_t missed = *block_word(BAREPROF_OFFSET_TICKS_MISSED);
	failures += check("masked sections miss ticks", missed > 10u * SECTIONS / 4u);
	failures += check("ticks and missed ticks are the time that passed",
	                  ticks + missed + DOUBT > periods && ticks + missed < periods + DOUBT);

	bareprof_stop();
	const uint32_t ticks_stopped = *block_word(BAREPROF_OFFSET_TICKS);
	bareprof_arm((const void *)(uintptr_t)begin_window, HOOK_WITHIN, WINDOW_TICKS);
	wait_for(5u * PERIOD);
	failures += check("no tick is counted before a window", *block_word(BAREPROF_OFFSET_TICKS) == ticks_stopped);
	begin_window();
	wait_for(2u * WINDOW_TICKS * PERIOD);
	failures += check("a window has its ticks", *block_word(BAREPROF_OFFSET_TICKS) == ticks_stopped + WINDOW_TICKS);
	board_exit(failures);
}
