/* SPDX-License-Identifier: MIT */
/* Reads, calibrates, smooths and sends the values of all sensors, forever. */
#include "board.h"
#include "station.h"

/* The handler of the board's second interrupt, which the station never starts. */
void work_interrupt(void)
{
}

__attribute__((noinline)) static void run_round(void)
{
	int32_t values[CHANNELS];

	sensors_read(values);
	for (unsigned channel = 0; channel < CHANNELS; channel++)
		values[channel] = filter_smooth(channel, calibrate(channel, values[channel]));
	packet_send(values);
}

int main(void)
{
	board_init();
	profiling_start();
	for (;;)
		run_round();
}
