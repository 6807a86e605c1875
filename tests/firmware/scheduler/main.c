/* SPDX-License-Identifier: MIT */
/*
 * Two tasks, IDLE and an interrupt, each a context of its own. Tasks begin with port_task_exit() as return address,
 * which follows a function that they never call, so only the code shows that they have no caller. Tasks become contexts
 * by <bareprof/freertos.h> alone. Each function counts its calls under the context that it is passed. Prints a line
 * `calls CONTEXT FUNCTION N` for each, and `switches CONTEXT N`.
 */
#include "FreeRTOSConfig.h"
#include "board.h"
#include "scheduler.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

#ifndef ROUNDS
#define ROUNDS 6000u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define TICK_MICROSECONDS 997u

#if BAREPROF_STACKS != 0
extern const char bareprof_stack_start[], bareprof_stack_end[];
#define STACKS                                                                                               \
	.stacks = {{(const char *)scheduler_stacks, (const char *)(scheduler_stacks + SCHEDULER_TASKS + 1)}, \
	           {bareprof_stack_start, bareprof_stack_end}},                                              \
	.stack_end = bareprof_task_stack_end, BOARD_STACKS
#else
#define STACKS
#endif

BAREPROF_DEFINE(64, BAREPROF_GRANULES(512, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, STACKS);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(4096);
#endif

enum context { CONTEXT_MAIN, CONTEXT_CONTROL, CONTEXT_LOGGER, CONTEXT_IDLE, CONTEXT_INTERRUPT, CONTEXTS };
static const char *const context_names[CONTEXTS] = {"main", "control", "logger", "idle", "interrupt"};

#define COUNTED_FUNCTIONS(X) \
	X(control_task)      \
	X(logger_task) X(idle_task) X(control_round) X(logger_round) X(filter) X(compress) X(check) X(serve)
#include "counts.h"

static uint32_t interrupts; /* the context of interrupts */
static volatile bool control_is_done, logger_is_done;
static volatile uint32_t words[CONTEXTS];

#ifdef __ARM_FP
typedef float value;
#else
typedef int32_t value;
#endif
static volatile value state[CONTEXTS];

/* With an FPU, a switch must preserve its registers. */
static void filter(enum context context)
{
	COUNT(context, filter);
	value a = state[context], b = a + 1, c = b + 1;
	for (uint32_t i = 0; i < 24; i++) {
		value next = a + b - c;

		a = b;
		b = c;
		c = next / 2;
	}
	state[context] = a + b + c;
}

static void compress(enum context context)
{
	COUNT(context, compress);
	for (uint32_t i = 0; i < 40; i++)
		words[context] = words[context] * 5u + i;
}

static void check(enum context context, uint32_t depth)
{
	COUNT(context, check);
	if (depth > 0)
		check(context, depth - 1);
	words[context] ^= words[context] >> 3;
}

static void control_round(void)
{
	COUNT(CONTEXT_CONTROL, control_round);
	linger(CONTEXT_CONTROL);
	for (uint32_t i = 0; i < 6; i++)
		filter(CONTEXT_CONTROL);
	check(CONTEXT_CONTROL, 2);
}

static void logger_round(void)
{
	COUNT(CONTEXT_LOGGER, logger_round);
	linger(CONTEXT_LOGGER);
	for (uint32_t i = 0; i < 4; i++)
		compress(CONTEXT_LOGGER);
	filter(CONTEXT_LOGGER);
	check(CONTEXT_LOGGER, 5);
}

static void serve(void)
{
	COUNT(CONTEXT_INTERRUPT, serve);
	linger(CONTEXT_INTERRUPT);
	for (uint32_t i = 0; i < 3; i++)
		compress(CONTEXT_INTERRUPT);
}

/* Uninstrumented: its own arc would be filed under the task that it interrupts. */
UNINSTRUMENTED void work_interrupt(void)
{
	BAREPROF_IN_CONTEXT(interrupts);

	COUNT_SWITCH(CONTEXT_INTERRUPT);
	board_work_acknowledge();
	serve();
	scheduler_tick();
}

/* Tasks are numbered as their contexts. */
UNINSTRUMENTED void scheduler_switched(uint32_t task)
{
	COUNT_SWITCH(task);
}

static void control_task(void)
{
	COUNT(CONTEXT_CONTROL, control_task);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		control_round();
		if (round % 16 == 0)
			scheduler_sleep(2);
		scheduler_yield();
	}
	control_is_done = true;
	for (;;)
		scheduler_sleep(1000);
}

static void logger_task(void)
{
	COUNT(CONTEXT_LOGGER, logger_task);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		logger_round();
		if (round % 32 == 0)
			scheduler_sleep(1);
		scheduler_yield();
	}
	logger_is_done = true;
	for (;;)
		scheduler_sleep(1000);
}

static void idle_task(void)
{
	COUNT(CONTEXT_IDLE, idle_task);
	while (!control_is_done || !logger_is_done) {
		linger(CONTEXT_IDLE);
		check(CONTEXT_IDLE, 1);
		scheduler_yield();
	}
	counts_finish();
}

int main(void)
{
	board_init();
	scheduler_add(context_names[CONTEXT_CONTROL], control_task);
	bareprof_init();
	bareprof_context_name(0, context_names[CONTEXT_MAIN]);
	interrupts = bareprof_context_named(context_names[CONTEXT_INTERRUPT]);
	scheduler_add(context_names[CONTEXT_LOGGER], logger_task);
	scheduler_add(context_names[CONTEXT_IDLE], idle_task);
	counts_start();
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(TICK_MICROSECONDS);
	scheduler_start();
}
