/* SPDX-License-Identifier: MIT */
/*
 * The store of slices: registers of interrupted code and a copy of its stack. Only the sampling interrupt writes it.
 *
 * No load may fault, even if the stack pointer is garbage: memory is read only in the ranges of stacks of the
 * configuration, which are in flash.
 */
#include "recorder.h"

#if BAREPROF_STACKS != 0

#include "counter.h"
#include "interrupted.h"
#include "slices.h"

/* The main stack, where a linker script names it. */
extern const char bareprof_stack_start[] __attribute__((weak));
extern const char bareprof_stack_end[] __attribute__((weak));
static const struct bareprof_range main_stack[BAREPROF_RANGE_CAPACITY] = {{bareprof_stack_start, bareprof_stack_end}};

struct stack {
	uintptr_t sp;
	uintptr_t lr;
	uintptr_t bytes; /* from SP up, that may be copied */
	uint16_t flags;
};

/*
 * Bytes from the address to the end of the range that it is in, -1 if it is in none. The pointer of an empty stack is
 * at the end itself.
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
 * Finds SP, LR and the bytes to copy, at most `room`. The words that the core pushed for the interrupt lie below SP and
 * are checked like the stack, because SP depends on them. A stack that may not be read has the flags 'bad'.
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

/* A reader compares the numbers at both ends, so they are written before and after everything else. */
void bareprof_slice_write(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted,
                          uint32_t place)
{
	const uint32_t number = stack_totals(header)[BAREPROF_STACK_TOTAL_OFFERED];
	const struct bareprof_section *section = &bareprof_layout.sections[BAREPROF_DIRECTORY_SLICES];
	const uint32_t size = section->item_size;
	volatile struct slice *slice =
	        (volatile struct slice *)((volatile uint8_t *)header + section->offset + place * size);
	struct stack stack = {0, 0, 0, BAREPROF_SLICE_IS_WITHHELD};

	slice->number = 0;
	if (!interrupted_is_withheld(interrupted))
		stack = stack_find(interrupted, size - BAREPROF_SLICE_SIZE(sizeof(uintptr_t), 0u));
	if (stack.flags == BAREPROF_SLICE_IS_BAD)
		counter_increment_alone(&stack_totals(header)[BAREPROF_STACK_TOTAL_BAD]);
	slice->context = SLICE_CONTEXT(header);
	slice->bytes = (uint16_t)stack.bytes;
	slice->flags = stack.flags;
	slice->entry = interrupted_entry(interrupted);
	slice->pc = pc;
	slice->lr = stack.lr;
	slice->sp = stack.sp;
	slice->fp = stack.flags == BAREPROF_SLICE_IS_WITHHELD ? 0 : interrupted_fp(interrupted);
	interrupted_copy(slice->words, stack.sp, stack.bytes);
	*(volatile uint32_t *)((volatile uint8_t *)slice + BAREPROF_SLICE_NUMBER_AGAIN(size)) = number;
	slice->number = number;
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_slices_are_off;

#endif
