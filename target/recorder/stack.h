/* SPDX-License-Identifier: MIT */
/*
 * The stack of interrupted code.
 *
 * No load may fault, even if the stack pointer is garbage, so memory is read only in the ranges that the configuration
 * lists as stacks. The list is in flash, where the firmware cannot overwrite it by accident.
 */
#ifndef RECORDER_STACK_H
#define RECORDER_STACK_H

#include "interrupted.h"
#include "recorder.h"

/* The main stack; both are NULL unless the linker script defines them. */
extern const char bareprof_stack_start[] __attribute__((weak));
extern const char bareprof_stack_end[] __attribute__((weak));

struct stack {
	uintptr_t sp;
	uintptr_t lr;
	uintptr_t bytes; /* readable bytes from SP up */
	uint32_t flags;
};

/* The end counts as part of the range, because SP of an empty stack points to it. */
BAREPROF_INLINE bool is_in(const char *start, const char *end, uintptr_t address)
{
	return (uintptr_t)end - address <= (uintptr_t)(end - start);
}

BAREPROF_CODE(bareprof_stack_end_of_others)
static __attribute__((noinline)) intptr_t bareprof_stack_end_of_others(uintptr_t address)
{
	const struct bareprof_range *range = bareprof_layout.config.stacks;

	for (unsigned i = 1; i < BAREPROF_RANGE_CAPACITY && range[i].end != NULL; i++)
		if (is_in(range[i].start, range[i].end, address))
			return (intptr_t)((uintptr_t)range[i].end - address);
	return -1;
}

/* The number of bytes from the address to the end of the range that contains it; -1 if no range does. Most firmware has
 * one range. */
BAREPROF_CODE(bareprof_stack_bytes_to_end) static intptr_t bareprof_stack_bytes_to_end(uintptr_t address)
{
	const struct bareprof_range *range = bareprof_layout.config.stacks;
	const char *start = range->start, *end = range->end;

	if (end == NULL) {
		start = bareprof_stack_start;
		end = bareprof_stack_end;
		if (end == NULL)
			return -1;
	}
	if (!is_in(start, end, address))
		return bareprof_stack_end_of_others(address);
	return (intptr_t)((uintptr_t)end - address);
}

/* Limits the bytes from SP on to the task's stack, if the firmware knows its end. */
BAREPROF_CODE(bareprof_stack_bytes_of_task) static uintptr_t bareprof_stack_bytes_of_task(uintptr_t sp, uintptr_t bytes)
{
	uintptr_t (*const stack_end)(uintptr_t) = bareprof_layout.config.stack_end;
	uintptr_t of_task;

	if (stack_end == NULL)
		return bytes;
	of_task = stack_end(sp) - sp;
	return of_task < bytes ? of_task & ~(sizeof(uintptr_t) - 1) : bytes;
}

/*
 * Finds SP, LR and the number of bytes from SP to the end of the range. The words that the core pushed for the
 * interrupt, below SP, are checked like the rest of the stack, because SP is computed from them. If the stack cannot be
 * read, the flags are BAREPROF_SLICE_IS_BAD.
 */
BAREPROF_INLINE struct stack stack_find(const struct bareprof_interrupted *interrupted)
{
	const uintptr_t bottom = interrupted_stack(interrupted);
	const uintptr_t pushed = interrupted_pushed_size(interrupted);
	const struct stack bad = {bottom, 0, 0, BAREPROF_SLICE_IS_BAD};
	intptr_t left;
	uintptr_t padding;

	if (bottom % sizeof(uintptr_t) != 0)
		return bad;
	left = bareprof_stack_bytes_to_end(bottom) - (intptr_t)pushed;
	if (left < 0 || !interrupted_may_read(interrupted, bottom))
		return bad;
	padding = interrupted_padding(interrupted);
	left -= (intptr_t)padding;
	if (left < 0)
		return bad;
	return (struct stack){bottom + pushed + padding, interrupted_lr(interrupted), (uintptr_t)left,
	                      BAREPROF_SLICE_IS_WHOLE};
}

/* Limits the bytes to the task's stack and to `room`. */
BAREPROF_INLINE void stack_cut(struct stack *stack, const struct bareprof_interrupted *interrupted, uintptr_t room)
{
	stack->bytes = bareprof_stack_bytes_of_task(stack->sp, stack->bytes);
	if (stack->bytes > room) {
		stack->bytes = room;
		stack->flags = 0;
	}
	if (!interrupted_may_read(interrupted, stack->sp + stack->bytes - 1)) {
		stack->bytes = 0;
		stack->flags = BAREPROF_SLICE_IS_BAD;
	}
}

#endif
