/* SPDX-License-Identifier: MIT */
/* The store of slices: registers of interrupted code and a piece of its stack. Only the sampling interrupt writes to
 * it. */
#include "recorder.h"

#if BAREPROF_STACKS != 0 && BAREPROF_PATHS == 0

#include "counter.h"
#include "slices.h"
#include "stack.h"

/* The room for the stack in a slice of this size, and the bytes of stack to examine. */
#define ROOM(size) ((size)-BAREPROF_SLICE_SIZE(sizeof(uintptr_t), 0u))
#if BAREPROF_STACK_FILTER != 0
#include "filter.h"
#define STACK_BYTES(size) bareprof_layout.stack_bytes
#else
#define STACK_BYTES(size) ROOM(size)
#endif

#define COMPILER_BARRIER() __asm__ volatile("" : : : "memory")

/* A reader compares the numbers at both ends, so they are written before and after everything else. */
BAREPROF_CODE(bareprof_slice_write)
void bareprof_slice_write(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted,
                          uint32_t place)
{
	const struct bareprof_section *section = &bareprof_layout.sections[BAREPROF_DIRECTORY_SLICES];
	const uint32_t number = header->stack_totals[BAREPROF_STACK_TOTAL_OFFERED];
	const uint32_t size = section->item_size;
	const bool is_withheld = interrupted_is_withheld(interrupted);
	struct slice *slice = (struct slice *)((uintptr_t)header + section->offset + place * size);
	struct stack stack = {0, 0, 0, BAREPROF_SLICE_IS_WITHHELD};

	KEEP_ADDRESS(slice);
	*(volatile uint32_t *)&slice->number = 0;
	COMPILER_BARRIER();
	slice->context = SLICE_CONTEXT(header);
	slice->entry = interrupted_entry(interrupted);
	slice->pc = pc;
	slice->fp = is_withheld ? 0 : interrupted_fp(interrupted);
	if (!is_withheld)
		stack = stack_find(interrupted);
	slice->lr = stack.lr;
	slice->sp = stack.sp;
	if (stack.flags == BAREPROF_SLICE_IS_WHOLE)
		stack_cut(&stack, interrupted, STACK_BYTES(size));
	if (stack.flags == BAREPROF_SLICE_IS_BAD)
		counter_increment_alone(&header->stack_totals[BAREPROF_STACK_TOTAL_BAD]);
	slice->bytes_and_flags = SLICE_BYTES_AND_FLAGS(stack.bytes, stack.flags);

	volatile uint32_t *number_again = offset_by(slice, BAREPROF_SLICE_NUMBER_AGAIN(size));

	KEEP_ADDRESS(number_again);
#if BAREPROF_STACK_FILTER != 0
	filter_slice(slice, &stack, ROOM(size));
#else
	interrupted_copy(slice->words, stack.sp, stack.bytes);
#endif
	COMPILER_BARRIER();
	*number_again = number;
	*(volatile uint32_t *)&slice->number = number;
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_slices_are_off;

#endif
