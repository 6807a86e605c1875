/* SPDX-License-Identifier: MIT */
/* The profile of a program: its block, its timer, its begin and its end. */
#include "profiling.h"
#include "board.h"

#include <bareprof/bareprof.h>

/* Half of the arcs stay free with the largest of the programs, as PORTING.md recommends. */
BAREPROF_DEFINE(2048, BAREPROF_GRANULES(8192, 4, 64), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

void work_interrupt(void)
{
	board_work_acknowledge();
}

void profiling_begin(void)
{
	board_init();
	bareprof_init();
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	bareprof_start();
}

void profiling_end(bool is_right)
{
	bareprof_stop();
	board_console_write(is_right ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
