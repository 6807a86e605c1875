/* SPDX-License-Identifier: MIT */
/*
 * The demo: a sensor station works for some rounds under the profiler, then idles with the sampling timer still on, so
 * that a host may read and control the profile. Knows nothing of the board.
 */
#include "board.h"
#include "count.h"
#include "station.h"

#include <bareprof/bareprof.h>

#ifndef ROUNDS
#define ROUNDS 2500u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#ifndef BOARD_WORK_MICROSECONDS
#define BOARD_WORK_MICROSECONDS 997u
#endif

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .set_period = board_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

/* Both counts begin and end in one step, which no interrupt can split. */
static inline void start_counting(void)
{
	unsigned long state = core_interrupts_save();

	bareprof_start();
	call_counts_begin();
	core_interrupts_restore(state);
}

static inline void stop_counting(void)
{
	unsigned long state = core_interrupts_save();

	bareprof_stop();
	call_counts_end();
	core_interrupts_restore(state);
}

int main(void)
{
	board_init();
	bareprof_init();
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(BOARD_WORK_MICROSECONDS);

	start_counting();
	for (uint32_t round = 0; round < ROUNDS; round++)
		run_round(round);
	stop_counting();

	call_counts_write();
	board_console_write(station_failures() == 0 ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
