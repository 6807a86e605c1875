/* SPDX-License-Identifier: MIT */
/* The station's only code for bareprof: memory for the profile, and its start. */
#include "board.h"
#include "station.h"

#include <bareprof/bareprof.h>

BAREPROF_DEFINE(64, BAREPROF_GRANULES(1024, 2, 64), .board = "station", .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD);

void profiling_start(void)
{
	bareprof_init();
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	bareprof_start();
}
