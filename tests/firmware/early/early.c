/* SPDX-License-Identifier: MIT */
/*
 * Instrumented code and sampling interrupts on top of a profile block full of garbage, as after power-up: nothing in
 * the block may change before bareprof_init(), and init must make it valid. Prints a line per check and ends the
 * emulator. Macros: SEED of the garbage; GATE_OPEN makes the gate look open by accident, which must be seen to change
 * the block.
 */
#include "../check.h"
#include "board.h"
#include "crc.h"
#include "station.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SEED
#define SEED 1u
#endif
#ifdef GATE_OPEN
#define GATE_IS_OPEN true
#else
#define GATE_IS_OPEN false
#endif
#define ROUNDS            20u
#define WORK_MICROSECONDS 997u

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .set_period = board_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

/* Fills the block by Marsaglia's xorshift, then calls instrumented code before .data is initialised. */
UNINSTRUMENTED void board_startup_hook(void)
{
	static const uint8_t text[] = "123456789";
	uint32_t noise = SEED * 2654435761u | 1u;

	for (uint32_t offset = 0; offset < bareprof_layout.block_size; offset += sizeof(uint32_t)) {
		noise ^= noise << 13;
		noise ^= noise >> 17;
		noise ^= noise << 5;
		*block_word(offset) = noise;
	}
	if (GATE_IS_OPEN)
		*block_word(BAREPROF_OFFSET_GATE) = BAREPROF_GATE((uintptr_t)bareprof_block, BAREPROF_STATE_RUNNING);
	crc32(text, sizeof(text));
}

/* Fletcher's sums over the whole block: any word that changed shows. */
UNINSTRUMENTED static uint64_t block_checksum(void)
{
	uint32_t sum = 0;
	uint32_t sum_of_sums = 0;

	for (uint32_t offset = 0; offset < bareprof_layout.block_size; offset += sizeof(uint32_t)) {
		sum += *block_word(offset);
		sum_of_sums += sum;
	}
	return (uint64_t)sum_of_sums << 32 | sum;
}

/* True if all words after the header are 0: no arc and no sample is recorded. */
UNINSTRUMENTED static bool tables_are_empty(void)
{
	for (uint32_t offset = BAREPROF_HEADER_SIZE(sizeof(uintptr_t)); offset < bareprof_layout.block_size;
	     offset += sizeof(uint32_t))
		if (*block_word(offset) != 0)
			return false;
	return true;
}

static void work_for_some_rounds(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		run_round(round);
}

/* Every function that an application may call by mistake before init. */
static void call_everything(void)
{
	bareprof_start();
	bareprof_sample((uintptr_t)work_for_some_rounds);
	bareprof_arc((uintptr_t)call_everything, (uintptr_t)work_for_some_rounds);
	bareprof_tick_missed(3);
	bareprof_clock_changed(1000000u);
	bareprof_reset();
	bareprof_stop();
}

int main(void)
{
	uint64_t before = block_checksum();
	int failures = 0;

	board_init();
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	work_for_some_rounds();
	if (GATE_IS_OPEN)
		board_exit(check("a garbage gate that is open lets the block change", block_checksum() != before));
	failures += check("instrumented code and ticks before init touch nothing", block_checksum() == before);
	call_everything();
	failures += check("no call before init touches anything", block_checksum() == before);

	bareprof_init();
	work_for_some_rounds();
	failures += check("init leaves the profile stopped and empty",
	                  *block_word(BAREPROF_OFFSET_GATE) ==
	                                  BAREPROF_GATE((uintptr_t)bareprof_block, BAREPROF_STATE_STOPPED) &&
	                          tables_are_empty() && *block_word(BAREPROF_OFFSET_TICKS) == 0);
	bareprof_start();
	work_for_some_rounds();
	bareprof_stop();
	failures += check("after start, arcs and ticks are recorded",
	                  !tables_are_empty() && *block_word(BAREPROF_OFFSET_TICKS) > 0);
	failures += check("the work went well", station_failures() == 0);
	board_exit(failures);
}
