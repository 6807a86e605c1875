/* SPDX-License-Identifier: MIT */
/*
 * The demo: a sensor station works for some rounds under the profiler, then serves the link with the sampling timer
 * still on, so that a host may read and control the profile, through a probe or over the console's UART. With LIVE-1 it
 * works forever, prints a line now and then, and serves the link between rounds; with SEND-1 it sends the profile
 * unasked; with LINK-0 it has no link.
 */
#include "board.h"
#include "count.h"
#include "station.h"

#include <bareprof/link.h>

#ifndef LINK
#define LINK 1
#endif
#ifndef LIVE
#define LIVE 0
#endif
#ifndef SEND
#define SEND 0
#endif
#ifndef ROUNDS
#define ROUNDS 2500u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#ifndef BOARD_WORK_MICROSECONDS
#define BOARD_WORK_MICROSECONDS 997u
#endif

#define ROUNDS_PER_LINE 16u

/* Sizes of the tables: the board's, or small ones for tests of full tables. */
#ifndef ARCS
#define ARCS BOARD_ARCS
#endif
#ifdef GRANULES
#ifndef GRANULE
#define GRANULE 8
#endif
#define SAMPLES BAREPROF_GRANULES(GRANULES, GRANULE, 4)
#else
#define SAMPLES BOARD_SAMPLES
#endif
/* The start of sampling: by a timer of the board, or by the firmware's replacement. */
#ifndef SAMPLING_START
#define SAMPLING_START board_sampling_start
#endif
void SAMPLING_START(uint32_t period);

BAREPROF_DEFINE(ARCS, SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ, .period = SAMPLE_PERIOD,
                .set_period = SAMPLING_START, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, BOARD_STACKS);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(4096);
#endif

#if LINK
BAREPROF_LINK(128, .write = board_pipe_write, .read = board_pipe_read);
#endif

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

#if LIVE
/* Frames and text take turns on the UART. */
static void serve_between_rounds(uint32_t round)
{
	bareprof_poll();
	if (round % ROUNDS_PER_LINE != 0)
		return;
	board_console_write("demo: round ");
	board_console_write_number(round, 10);
	board_console_write("\n");
}
#endif

int main(void)
{
	board_init();
	bareprof_init();
	SAMPLING_START(SAMPLE_PERIOD);
	board_work_start(BOARD_WORK_MICROSECONDS);

	start_counting();
	for (uint32_t round = 0; LIVE || round < ROUNDS; round++) {
		run_round(round);
#if LIVE
		serve_between_rounds(round);
#endif
	}
	stop_counting();

	call_counts_write();
#if SEND
	bareprof_send();
#endif
	board_console_write(station_failures() == 0 ? "demo: done\n" : "demo: failed\n");
#if LINK
	for (;;)
		bareprof_poll();
#endif
	board_idle();
}
