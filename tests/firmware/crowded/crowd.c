/* SPDX-License-Identifier: MIT */
/* Functions that are called once, each from a call site of its own, when the sampling timer starts. */
#include "board.h"

#include <bareprof/bareprof.h>

/* The demo has 51 arcs: with these, half of a table of 128 slots is taken. */
#define CROWD(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)

void crowded_sampling_start(uint32_t period);

static volatile uint32_t parts_started;

/* One function each, not merged with its twins. */
#define DEFINE_START(number)                                         \
	__attribute__((noipa)) static void start_part_##number(void) \
	{                                                            \
		parts_started |= 1u << (number);                     \
	}
CROWD(DEFINE_START)

#define CALL_START(number) start_part_##number();

void crowded_sampling_start(uint32_t period)
{
	bareprof_start();
	CROWD(CALL_START)
	board_sampling_start(period);
}
