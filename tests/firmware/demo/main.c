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

/* Which tables: the board's, or small ones for tests of what they turn away. */
#ifndef ARCS
#define ARCS BOARD_ARCS
#endif
#ifdef GRANULES
#define SAMPLES BAREPROF_GRANULES(GRANULES, 8, 4)
#else
#define SAMPLES BOARD_SAMPLES
#endif
/* Who samples: the board's spare timer, or what the firmware has instead. */
#ifndef SAMPLING_START
#define SAMPLING_START board_sampling_start
#endif
void SAMPLING_START(uint32_t period);

BAREPROF_DEFINE(ARCS, SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ, .period = SAMPLE_PERIOD,
                .set_period = SAMPLING_START, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

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
	SAMPLING_START(SAMPLE_PERIOD);
	board_work_start(BOARD_WORK_MICROSECONDS);

	start_counting();
	for (uint32_t round = 0; round < ROUNDS; round++)
		run_round(round);
	stop_counting();

	call_counts_write();
	board_console_write(station_failures() == 0 ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
