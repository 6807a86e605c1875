/* SPDX-License-Identifier: MIT */
#include "board.h"
#include HEADER

void work(void);

BAREPROF_DEFINE(.clock_hz = CLOCK_HZ, .rate_hz = 9973);
TIMER;

int main(void)
{
	bareprof_init();
	bareprof_timer_start();
	bareprof_start();
	work();
	bareprof_stop();
	say("done\n");
	for (;;)
		;
}
