/* SPDX-License-Identifier: MIT */
/*
 * A program that keeps its own call stack by -finstrument-functions, and prints copies of it, which a plugin's shadow
 * call stack must equal. It has what such a stack must follow: recursion, function pointers, tables of jumps, tail
 * calls, longjmp(), interrupts and tasks.
 */
#include "FreeRTOSConfig.h"
#include "jump.h"
#include "own.h"
#include "scheduler.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

#define ROUNDS            200u
#define WORK_MICROSECONDS 397u
#define SWITCHES          6000u
#define OFTEN             47u /* microseconds between interrupts during these switches */

BAREPROF_DEFINE(64, BAREPROF_GRANULES(64, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

static volatile uint32_t sink;
static volatile bool jumps = true;
static volatile bool walker_is_done, jumper_is_done;

static uint32_t spend(uint32_t value)
{
	for (volatile uint32_t i = value % 32; i > 0; i--)
		;
	own_point();
	return value * 1664525u + 1013904223u;
}

static uint32_t recurse(uint32_t depth, uint32_t value)
{
	if (depth == 0)
		return spend(value);
	return recurse(depth - 1, value + depth) ^ recurse(depth / 2, value);
}

static uint32_t add(uint32_t value)
{
	return spend(value + 1);
}

static uint32_t turn(uint32_t value)
{
	return spend(value >> 3 | value << 29);
}

/* The caller's frame is gone when the target of a tail call runs. */
UNINSTRUMENTED __attribute__((noinline)) static uint32_t tail(uint32_t value)
{
	static uint32_t (*const volatile targets[])(uint32_t) = {add, turn};

	return (value & 4u) != 0 ? add(value ^ 5u) : targets[value % 2](value);
}

static uint32_t choose(uint32_t value)
{
	switch (value % 6) {
	case 0:
		return add(value) ^ 1u;
	case 1:
		return turn(value) + 77u;
	case 2:
		return recurse(2, value) * 3u;
	case 3:
		return spend(value) - 9u;
	case 4:
		return tail(value) << 2;
	default:
		return value + 12345u;
	}
}

static void leave(jmp_buf buffer, uint32_t depth)
{
	sink = spend(depth);
	if (depth != 0)
		leave(buffer, depth - 1);
	else if (jumps)
		longjmp(buffer, 1);
}

/* The inner one of two buffers of the same call is used while both are valid. */
static void jump(uint32_t levels)
{
	jmp_buf buffer;
	const volatile uint32_t depth = own_depth();

	if (setjmp(buffer) == 0) {
		if (levels != 0)
			jump(levels - 1);
		leave(buffer, levels);
	}
	own_cut(depth);
	sink = spend(levels);
}

static void serve(void)
{
	sink = choose(sink);
	sink = tail(sink);
}

UNINSTRUMENTED void work_interrupt(void)
{
	own_interrupt_begin();
	board_work_acknowledge();
	serve();
	own_interrupt_end();
	scheduler_tick();
}

UNINSTRUMENTED void scheduler_switched(uint32_t task)
{
	own_switch(task);
}

static void walk(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		sink = choose(sink + round);
		if (round % 4 == 0)
			scheduler_sleep(1);
		scheduler_yield();
	}
	walker_is_done = true;
	for (;;)
		scheduler_sleep(1000);
}

static void hop(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		jump(round % 3);
		sink = tail(round);
		scheduler_yield();
	}
	jumper_is_done = true;
	for (;;)
		scheduler_sleep(1000);
}

static void idle(void)
{
	while (!walker_is_done || !jumper_is_done) {
		sink = choose(sink);
		scheduler_yield();
	}
	/* Some interrupts come when the handler that switches tasks was entered, before its first instruction. */
	board_work_start(OFTEN);
	for (uint32_t i = 0; i < SWITCHES; i++)
		scheduler_sleep(0);
	own_write();
	board_console_write("demo: done\n");
	board_idle();
}

int main(void)
{
	board_init();
	bareprof_init();
	scheduler_add("walk", walk);
	scheduler_add("hop", hop);
	scheduler_add("idle", idle);
	sink = choose(2);
	board_sampling_start(BOARD_SAMPLING_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	scheduler_start();
}
