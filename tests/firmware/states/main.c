/* SPDX-License-Identifier: MIT */
/*
 * Runs the state machine repeatedly. With some values of SAMPLE_PERIOD, samples at fixed distances would always hit the
 * same place in it.
 */
#include "board.h"
#include "machine.h"

#include <bareprof/bareprof.h>

#ifndef MESSAGES
#define MESSAGES 20000u
#endif
#ifndef GRANULE
#define GRANULE 8
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif

void port_sampling_start(uint32_t period);

BAREPROF_DEFINE(64, BAREPROF_GRANULES(1024, GRANULE, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .set_period = port_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

/* Nothing is received, and every trap enters the sampling port. */
void work_interrupt(void)
{
	board_work_acknowledge();
}

int main(void)
{
	board_init();
	bareprof_init();
	port_sampling_start(SAMPLE_PERIOD);

	bareprof_start();
	machine_run(MESSAGES);
	bareprof_stop();

	board_console_write("states: ");
	board_console_write_number(machine_messages(), 10);
	board_console_write(machine_failures() == 0 && machine_messages() == MESSAGES ? " messages\ndemo: done\n"
	                                                                              : " messages\ndemo: failed\n");
	board_idle();
}
