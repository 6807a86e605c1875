/* SPDX-License-Identifier: MIT */
/*
 * The stack of interrupted code.
 *
 * No load may fault, even if the stack pointer is garbage: memory is read only in the ranges that the configuration
 * lists as stacks. The list is in flash, so the firmware cannot overwrite it by accident.
 */
#ifndef RECORDER_STACK_H
#define RECORDER_STACK_H

#include "interrupted.h"
#include "recorder.h"

/* The main stack; both are NULL unless the linker script defines them. */
extern const char bareprof_stack_start[] __attribute__((weak));
extern const char bareprof_stack_end[] __attribute__((weak));
static const struct bareprof_range main_stack[BAREPROF_RANGE_CAPACITY] = {{bareprof_stack_start, bareprof_stack_end}};

struct stack {
	uintptr_t sp;
	uintptr_t lr;
	uintptr_t bytes; /* from SP up, that may be read */
	uint16_t flags;
};

/*
 * The number of bytes from the address to the end of the range that contains it; -1 if none does. The end itself is in
 * the range, because it is the pointer of an empty stack.
 */
static inline intptr_t bytes_to_end(uintptr_t address)
{
	const struct bareprof_range *range = bareprof_layout.config.stacks;

	if (range->end == NULL)
		range = main_stack;
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY && range->end != NULL; i++, range++) {
		const uintptr_t left = (uintptr_t)range->end - address;

		if (left <= (uintptr_t)(range->end - range->start))
			return (intptr_t)left;
	}
	return -1;
}

/* Cuts the bytes from SP on at the end of the task's stack, if the firmware knows it. */
static inline uintptr_t bytes_of_task(uintptr_t sp, uintptr_t bytes)
{
	uintptr_t (*const stack_end)(uintptr_t) = bareprof_layout.config.stack_end;
	uintptr_t of_task;

	if (stack_end == NULL)
		return bytes;
	of_task = stack_end(sp) - sp;
	return of_task < bytes ? of_task & ~(sizeof(uintptr_t) - 1) : bytes;
}

/*
 * Finds SP, LR and the bytes that may be read, at most `room`. The words that the core pushed for the interrupt are
 * below SP, and are checked like the rest of the stack, because SP depends on them. If the stack cannot be read, the
 * flags are BAREPROF_SLICE_IS_BAD.
 */
static inline struct stack stack_find(const struct bareprof_interrupted *interrupted, uintptr_t room)
{
	const uintptr_t bottom = interrupted_stack(interrupted);
	const uintptr_t pushed = interrupted_pushed_size(interrupted);
	struct stack stack = {bottom, 0, 0, BAREPROF_SLICE_IS_BAD};
	intptr_t left;
	uintptr_t sp;

	if (bottom % sizeof(uintptr_t) != 0)
		return stack;
	left = bytes_to_end(bottom) - (intptr_t)pushed;
	if (left < 0 || !interrupted_may_read(interrupted, bottom))
		return stack;
	sp = bottom + pushed + interrupted_padding(interrupted);
	left -= (intptr_t)(sp - bottom - pushed);
	if (left < 0)
		return stack;
	left = (intptr_t)bytes_of_task(sp, (uintptr_t)left);
	stack.flags = BAREPROF_SLICE_IS_WHOLE;
	if (left > (intptr_t)room) {
		left = (intptr_t)room;
		stack.flags = 0;
	}
	if (!interrupted_may_read(interrupted, sp + (uintptr_t)left - 1)) {
		stack.flags = BAREPROF_SLICE_IS_BAD;
		return stack;
	}
	stack.bytes = (uintptr_t)left;
	stack.sp = sp;
	stack.lr = interrupted_lr(interrupted);
	return stack;
}

#endif
