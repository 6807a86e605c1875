/* SPDX-License-Identifier: MIT */
/* Soft floating point, long divisions and frames of variable size, under the profiler. */
#include "board.h"
#include "soft.h"

#include <bareprof/bareprof.h>

#ifndef ROUNDS
#define ROUNDS 150u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif

BAREPROF_DEFINE(64, BAREPROF_GRANULES(128, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, BOARD_STACKS);

void work_interrupt(void)
{
	board_work_acknowledge();
	sink += (uint32_t)((double)soft_next() / 3.0);
}

/* Called last of all, so that its return address is after the end of its caller. */
static _Noreturn void work(void)
{
	bareprof_start();
	for (uint32_t round = 0; round < ROUNDS; round++)
		soft_round();
	bareprof_stop();
	board_console_write("demo: done\n");
	board_idle();
}

int main(void)
{
	board_init();
	bareprof_init();
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(997);
	work();
}
