/* SPDX-License-Identifier: MIT */
/* Takes a profile, stops it and sends it by semihosting, twice. Interrupts are masked then: the timer would change the
 * random number in the block. */
#include "board.h"
#include "station.h"

#include <bareprof/link.h>
#include <bareprof/semihosting.h>

#define ROUNDS            20u
#define WORK_MICROSECONDS 997u

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .set_period = board_sampling_start);
BAREPROF_LINK(256, .write = bareprof_semihosting_write);

int main(void)
{
	board_init();
	bareprof_init();
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	bareprof_start();
	for (uint32_t round = 0; round < ROUNDS; round++)
		run_round(round);
	bareprof_stop();
	core_interrupts_save();
	bareprof_send();
	bareprof_send();
	board_console_write("sent\n");
	board_idle();
}
