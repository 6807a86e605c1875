/* SPDX-License-Identifier: MIT */
/*
 * A start from power-up in RAM with ECC: the startup code writes the gate, instrumented code and ticks run before init,
 * and init learns that the start is cold. A profile is recorded, cleared and recorded again. Prints a line and ends the
 * emulator. Two macros cause a read of words that were never written, which the test must detect: WARM makes init look
 * for a block; GATE_UNWRITTEN leaves the gate unwritten.
 */
#include "../check.h"
#include "board.h"
#include "crc.h"
#include "station.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>
#include <stddef.h>

#define ROUNDS            20u
#define WORK_MICROSECONDS 997u

UNINSTRUMENTED static bool is_cold_start(void)
{
#ifdef WARM
	return false;
#else
	return true;
#endif
}

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .set_period = board_sampling_start, .is_cold_start = is_cold_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

UNINSTRUMENTED void board_startup_hook(void)
{
	static const uint8_t text[] = "123456789";

#ifndef GATE_UNWRITTEN
	*block_word(BAREPROF_OFFSET_GATE) = 0;
#endif
	crc32(text, sizeof(text));
}

static void take_profile(void)
{
	bareprof_start();
	for (uint32_t round = 0; round < ROUNDS; round++)
		run_round(round);
	bareprof_stop();
}

UNINSTRUMENTED static bool is_clearing(void)
{
	return BAREPROF_STATE_IS_CLEARING(*block_word(BAREPROF_OFFSET_GATE) -
	                                  BAREPROF_GATE((uintptr_t)bareprof_block, 0));
}

int main(void)
{
	board_init();
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	run_round(0);
	bareprof_init();
	take_profile();
	bareprof_reset();
	while (is_clearing())
		core_wait();
	take_profile();
	check("a profile was taken after a reset",
	      *block_word(BAREPROF_OFFSET_TICKS) > 0 && *block_word(BAREPROF_OFFSET_EPOCH) == 1);
	board_exit(0);
}
