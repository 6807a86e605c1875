/* SPDX-License-Identifier: MIT */
/* Filters and sorts blocks of samples, for an STM32F405; QEMU runs it as a netduinoplus2. */
#include "main.h"

static int16_t samples[BLOCK];
static volatile float level;

static void read_samples(uint32_t block)
{
	uint32_t random = block * 2654435761u + 1;

	for (uint32_t i = 0; i < BLOCK; i++) {
		random = random * 1664525u + 1013904223u;
		samples[i] = (int16_t)(random >> 16);
	}
}

static void process_block(uint32_t block)
{
	read_samples(block);
	level += filter_block(samples, BLOCK);
	sort_samples(samples, BLOCK);
}

int main(void)
{
	console_init();
	filter_init();
	for (uint32_t block = 0; block < 3000; block++)
		process_block(block);
	console_write("done\n");
	for (;;)
		;
}
