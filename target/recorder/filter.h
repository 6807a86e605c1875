/* SPDX-License-Identifier: MIT */
/*
 * The words of a stack that unwinding may need: return addresses, values that make a handler return, and pointers into
 * the stack, such as saved frame pointers. Filtered slices omit all other words: they consist of groups of bits and
 * words (BAREPROF_SLICES_FILTERED).
 */
#ifndef RECORDER_FILTER_H
#define RECORDER_FILTER_H

#include "interrupted.h"
#include "recorder.h"
#include "stack.h"

struct filter {
	uintptr_t sp;
	uintptr_t left;       /* bytes from SP to the end of the stack */
	uintptr_t code;       /* the lowest possible return address */
	uintptr_t code_bytes; /* from there to the highest one; there may be gaps */
};

/* .text, or what is known of it: the default range. */
BAREPROF_INLINE struct range text_range(void)
{
#ifdef BAREPROF_DROP_IN
	return (struct range){block_header()->ranges[0].start, block_header()->ranges[0].end};
#else
	return (struct range){(uintptr_t)bareprof_text_start, (uintptr_t)bareprof_text_end};
#endif
}

/*
 * Code is .text, and the sampled ranges, which may be in RAM. The call before a return address is checked, not the
 * address itself, because a call may be the last instruction of the code. A call has 2 bytes or more. The lowest bit of
 * the address is ignored.
 */
#define CALL_BYTES 2u

BAREPROF_INLINE struct filter filter_of(const struct stack *stack)
{
	const struct bareprof_range *range = bareprof_layout.config.ranges;
	const uintptr_t left =
	        bareprof_stack_bytes_of_task(stack->sp, (uintptr_t)bareprof_stack_bytes_to_end(stack->sp));
	const struct range text = text_range();
	uintptr_t start = text.start, end = text.end;

	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++, range++) {
		if (range->end == range->start)
			continue;
		if ((uintptr_t)range->start < start)
			start = (uintptr_t)range->start;
		if ((uintptr_t)range->end > end)
			end = (uintptr_t)range->end;
	}
	return (struct filter){stack->sp, left, start + CALL_BYTES, end - start};
}

BAREPROF_INLINE bool filter_is_in(uintptr_t start, uintptr_t end, uintptr_t address)
{
	return address - start < end - start;
}

BAREPROF_CODE(bareprof_filter_is_code) static __attribute__((noinline)) bool bareprof_filter_is_code(uintptr_t address)
{
	const struct bareprof_range *range = bareprof_layout.config.ranges;
	const struct range text = text_range();

	if (filter_is_in(text.start, text.end, address))
		return true;
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++, range++)
		if (filter_is_in((uintptr_t)range->start, (uintptr_t)range->end, address))
			return true;
	return false;
}

/* A pointer to the end of the stack counts as a pointer into the stack. */
BAREPROF_INLINE bool filter_keeps(const struct filter *filter, uintptr_t word)
{
	if (interrupted_may_return_to(word) && word - filter->code < filter->code_bytes &&
	    bareprof_filter_is_code(word - CALL_BYTES))
		return true;
	return interrupted_is_special_return(word) || (word % 2u == 0 && word - filter->sp <= filter->left);
}

/*
 * Writes the groups of a stack, and returns the number of bytes of stack that they represent. It stops when a word does
 * not fit. Not inlined, because the loops need all registers.
 */
BAREPROF_CODE(bareprof_filter_copy)
static __attribute__((noinline)) uintptr_t bareprof_filter_copy(volatile uintptr_t *to, const struct stack *stack,
                                                                uintptr_t room)
{
	const struct filter filter = filter_of(stack);
	const uintptr_t word_size = sizeof(uintptr_t), group_words = BAREPROF_SLICE_GROUP_WORDS(word_size);
	const volatile uintptr_t *const room_end = to + room / word_size;
	const uintptr_t end = filter.sp + stack->bytes;
	uintptr_t from = filter.sp;

	while (from != end && to != room_end) {
		const uintptr_t group_bytes = group_words * word_size;
		const uintptr_t group_end = end - from > group_bytes ? from + group_bytes : end;
		volatile uintptr_t *const bits = to++;

		*bits = 0;
		do {
			const uintptr_t word = *(const volatile uintptr_t *)from;

			if (!filter_keeps(&filter, word))
				continue;
			if (to == room_end)
				return from - filter.sp;
			*to++ = word;
			*bits |= (uintptr_t)1 << (from - filter.sp) / word_size % group_words;
		} while ((from += word_size) != group_end);
	}
	return from - filter.sp;
}

/* A slice that does not represent all bytes of the stack is cut. */
BAREPROF_INLINE void filter_slice(struct slice *slice, const struct stack *stack, uintptr_t room)
{
	uintptr_t bytes;

	if (stack->bytes == 0)
		return;
	bytes = bareprof_filter_copy(slice->words, stack, room);
	if (bytes == stack->bytes)
		return;
	slice->bytes_and_flags = SLICE_BYTES_AND_FLAGS(bytes, 0);
}

#endif
