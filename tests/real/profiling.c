/* SPDX-License-Identifier: MIT */
/* The profile of a program: its block, its timer, its begin and its end. */
#include "profiling.h"
#include "board.h"

#include <bareprof/bareprof.h>

#define SAMPLE_PERIOD (PERIODS * BOARD_SAMPLING_PERIOD)

/* Half of the arcs stay free with the largest of the programs, as PORTING.md recommends. */
BAREPROF_DEFINE(2048, BAREPROF_GRANULES(8192, 4, 64), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, BOARD_STACKS);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(32768);
#endif

void work_interrupt(void)
{
	board_work_acknowledge();
}

void profiling_begin(void)
{
	libc_init();
	board_init();
	bareprof_init();
	board_sampling_start(SAMPLE_PERIOD);
	bareprof_start();
}

void profiling_end(bool is_right)
{
	bareprof_stop();
	board_console_write(is_right ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
