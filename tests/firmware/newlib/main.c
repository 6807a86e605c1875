/* SPDX-License-Identifier: MIT */
/* newlib's printf(), strtod(), qsort(), sin() and longjmp(), and soft floating point, under the profiler. */
#include "board.h"
#include "soft.h"

#include <bareprof/bareprof.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ROUNDS
#define ROUNDS 120u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define VALUES     16u
#define JUMP_DEPTH 12u

BAREPROF_DEFINE(64, BAREPROF_GRANULES(1024, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, BOARD_STACKS);

static int by_digits(const void *left, const void *right)
{
	char texts[2][16];

	snprintf(texts[0], sizeof texts[0], "%d", *(const int *)left);
	snprintf(texts[1], sizeof texts[1], "%d", *(const int *)right);
	return strcmp(texts[0], texts[1]);
}

static void sort(void)
{
	int values[VALUES];

	for (uint32_t i = 0; i < VALUES; i++)
		values[i] = (int)(soft_next() >> 8);
	qsort(values, VALUES, sizeof *values, by_digits);
	sink += (uint32_t)values[VALUES / 2];
}

static void print_numbers(void)
{
	char text[40];
	double value = 0.3;

	for (uint32_t i = 0; i < 3; i++) {
		value = sin(value + i) * 10.0;
		snprintf(text, sizeof text, "%.9g", value);
		value = strtod(text, NULL);
	}
	sink += (uint32_t)(value * 1000.0);
}

static volatile bool jumps = true;
static jmp_buf buffer;

static void leave(uint32_t depth)
{
	volatile char padding[24];

	padding[0] = (char)depth;
	if (depth != 0)
		leave(depth - 1);
	else if (jumps)
		longjmp(buffer, 1);
	sink += (uint32_t)padding[0];
}

static void jump(void)
{
	if (setjmp(buffer) == 0)
		leave(JUMP_DEPTH);
	sink++;
}

void work_interrupt(void)
{
	board_work_acknowledge();
	sink += (uint32_t)((double)soft_next() / 3.0);
}

int main(void)
{
	board_init();
	bareprof_init();
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(997);
	bareprof_start();
	for (uint32_t round = 0; round < ROUNDS; round++) {
		sort();
		print_numbers();
		jump();
		soft_round();
	}
	bareprof_stop();
	board_console_write("demo: done\n");
	board_idle();
}
