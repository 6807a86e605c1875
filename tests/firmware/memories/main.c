/* SPDX-License-Identifier: MIT */
/* Rounds of work in flash and in RAM, always the same. Every loop body takes the same number of instructions. */
#include "board.h"

#include <bareprof/bareprof.h>

#ifndef ROUNDS
#define ROUNDS 600u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif

#define FUNCTION __attribute__((noinline))
/* A call from flash to RAM, or back, may be too far for one instruction. */
#define RAM_FUNCTION __attribute__((noinline, section(".ramfunc")))

void port_sampling_start(uint32_t period);

/* Where the linker script puts variables and functions in RAM. */
extern const char data_start[], data_end[];

BAREPROF_DEFINE(64, BAREPROF_GRANULES(256, 8, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .set_period = port_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS,
                .ranges = {{bareprof_text_start, bareprof_text_end}, {data_start, data_end}});

static uint32_t noise = 2463534242u;

RAM_FUNCTION static void mix(void)
{
	for (uint32_t i = 0; i < 4000; i++) {
		noise ^= noise << 13;
		__asm__ volatile("" ::: "memory");
	}
}

FUNCTION static void stir(void)
{
	for (uint32_t i = 0; i < 3000; i++) {
		noise += noise << 5;
		__asm__ volatile("" ::: "memory");
	}
}

FUNCTION static void blend(void)
{
	mix();
	stir();
	__asm__ volatile("");
}

FUNCTION static void pour(void)
{
	for (uint32_t i = 0; i < 2000; i++) {
		noise -= noise >> 3;
		__asm__ volatile("" ::: "memory");
	}
}

/* mix() is called twice, from two callers. */
FUNCTION static void run_round(void)
{
	blend();
	pour();
	mix();
	__asm__ volatile("");
}

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
	for (uint32_t round = 0; round < ROUNDS; round++)
		run_round();
	bareprof_stop();

	board_console_write("demo: done\n");
	board_idle();
}
