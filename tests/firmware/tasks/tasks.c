/* SPDX-License-Identifier: MIT */
/*
 * Two tasks and an interrupt that call the same functions, each under a context of its own. Each passes its context to
 * every function that it calls, and the functions count their calls by it, independently of the switching. Prints a
 * line `calls CONTEXT FUNCTION N` for each, and `switches CONTEXT N`.
 */
#include "board.h"
#include "switch.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 20000u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define WORK_MICROSECONDS  997u
#define STACK_WORDS        192u
#define INTERRUPT_MIXTURES 40u

/* The stacks of tasks are variables. */
#if BAREPROF_STACKS != 0
extern const char bss_start[], stack_top[];
#define TASKS_STACKS .stacks = {{bss_start, stack_top}}, BOARD_STACKS
#else
#define TASKS_STACKS
#endif

BAREPROF_DEFINE(64, BAREPROF_GRANULES(512, 16, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, TASKS_STACKS);

enum context { CONTEXT_MAIN, CONTEXT_FIRST, CONTEXT_SECOND, CONTEXT_INTERRUPT, CONTEXTS };
static const char *const context_names[CONTEXTS] = {"main", "first", "second", "interrupt"};

#define COUNTED_FUNCTIONS(X) \
	X(mix) X(twist) X(descend) X(first_task) X(second_task) X(first_round) X(second_round) X(serve)
#include "counts.h"

static __attribute__((aligned(16))) uintptr_t first_stack[STACK_WORDS];
static __attribute__((aligned(16))) uintptr_t second_stack[STACK_WORDS];
static uintptr_t *other_stack_pointer;
static enum context running_task = CONTEXT_FIRST;
static volatile bool second_is_done;
static volatile uint32_t mixture[CONTEXTS];

/* The same instructions in every call. */
static void mix(enum context context)
{
	COUNT(context, mix);
	for (uint32_t i = 0; i < 16; i++)
		mixture[context] = mixture[context] * 5u + i;
}

static void twist(enum context context)
{
	COUNT(context, twist);
	mixture[context] ^= mixture[context] >> 3;
}

static void descend(enum context context, uint32_t depth)
{
	COUNT(context, descend);
	if (depth > 0)
		descend(context, depth - 1);
	twist(context);
}

static void (*const volatile actions[])(enum context) = {mix, twist};

static void first_round(void)
{
	COUNT(CONTEXT_FIRST, first_round);
	linger(CONTEXT_FIRST);
	for (uint32_t i = 0; i < 3; i++)
		actions[i % 2](CONTEXT_FIRST);
	descend(CONTEXT_FIRST, 2);
}

static void second_round(void)
{
	COUNT(CONTEXT_SECOND, second_round);
	linger(CONTEXT_SECOND);
	for (uint32_t i = 0; i < 8; i++)
		actions[i % 2](CONTEXT_SECOND);
	descend(CONTEXT_SECOND, 5);
}

static void serve(void)
{
	COUNT(CONTEXT_INTERRUPT, serve);
	linger(CONTEXT_INTERRUPT);
	for (uint32_t i = 0; i < INTERRUPT_MIXTURES; i++)
		mix(CONTEXT_INTERRUPT);
	descend(CONTEXT_INTERRUPT, 3);
}

/* Not instrumented: its own arc would belong to the interrupted task. Every second time it returns to that task. */
UNINSTRUMENTED void work_interrupt(void)
{
	static uint32_t turns;
	const uint32_t before = bareprof_context_switch(CONTEXT_INTERRUPT);

	COUNT_SWITCH(CONTEXT_INTERRUPT);
	board_work_acknowledge();
	serve();
	if (++turns % 2 == 0)
		switch_from_interrupt();
	bareprof_context_restore(before);
}

UNINSTRUMENTED void tasks_prepare_second(uintptr_t *stack_pointer)
{
	other_stack_pointer = stack_pointer;
}

UNINSTRUMENTED uintptr_t *tasks_take_turns(uintptr_t *stack_pointer)
{
	uintptr_t *next = other_stack_pointer;

	other_stack_pointer = stack_pointer;
	running_task = running_task == CONTEXT_FIRST ? CONTEXT_SECOND : CONTEXT_FIRST;
	bareprof_context_switch(running_task);
	COUNT_SWITCH(running_task);
	return next;
}

static void first_task(void)
{
	COUNT(CONTEXT_FIRST, first_task);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		first_round();
		switch_from_task();
	}
	while (!second_is_done)
		switch_from_task();
	counts_finish();
}

static void second_task(void)
{
	COUNT(CONTEXT_SECOND, second_task);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		second_round();
		switch_from_task();
	}
	second_is_done = true;
	for (;;)
		switch_from_task();
}

int main(void)
{
	board_init();
	bareprof_init();
	for (unsigned context = 0; context < CONTEXTS; context++)
		bareprof_context_name(context, context_names[context]);
	counts_start();
	bareprof_context_switch(CONTEXT_FIRST);
	COUNT_SWITCH(CONTEXT_FIRST);
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	switch_start(first_task, first_stack + STACK_WORDS, second_task, second_stack + STACK_WORDS);
}
