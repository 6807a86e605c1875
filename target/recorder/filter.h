/* SPDX-License-Identifier: MIT */
/*
 * The words of a stack that unwinding may need: return addresses, the values that make a handler return, and pointers
 * into the stack, among which are saved frame pointers. All others are left out of filtered slices, which are groups of
 * bits and words then (BAREPROF_SLICES_FILTERED).
 */
#ifndef RECORDER_FILTER_H
#define RECORDER_FILTER_H

#include "interrupted.h"
#include "recorder.h"
#include "stack.h"

struct filter {
	uintptr_t sp;
	uintptr_t left;       /* bytes from SP to the end of the stack */
	uintptr_t code;       /* where the first return address can lead */
	uintptr_t code_bytes; /* from there to the end of all code; not all of them are code */
};

/*
 * Code is .text, and the sampled ranges, which may be in RAM. The call before a return address is in code, not the
 * address itself, because a call may be the last instruction. It has 2 bytes or more, and the lowest bit of the address
 * means nothing.
 */
#define CALL_BYTES 2u

static inline struct filter filter_of(const struct stack *stack)
{
	const struct bareprof_range *range = bareprof_layout.config.ranges;
	const uintptr_t left = bytes_of_task(stack->sp, (uintptr_t)bytes_to_end(stack->sp));
	uintptr_t start = (uintptr_t)bareprof_text_start, end = (uintptr_t)bareprof_text_end;

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

static inline bool filter_is_in(const char *start, const char *end, uintptr_t address)
{
	return address - (uintptr_t)start < (uintptr_t)(end - start);
}

static __attribute__((noinline)) bool filter_is_code(uintptr_t address)
{
	const struct bareprof_range *range = bareprof_layout.config.ranges;

	if (filter_is_in(bareprof_text_start, bareprof_text_end, address))
		return true;
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++, range++)
		if (filter_is_in(range->start, range->end, address))
			return true;
	return false;
}

/* A pointer to the end of the stack is one into the stack. */
static inline bool filter_keeps(const struct filter *filter, uintptr_t word)
{
	if (interrupted_may_return_to(word) && word - filter->code < filter->code_bytes &&
	    filter_is_code(word - CALL_BYTES))
		return true;
	return interrupted_is_special_return(word) || (word % 2u == 0 && word - filter->sp <= filter->left);
}

/*
 * Writes the groups of a stack, and returns the bytes of it that they stand for. They are fewer than the stack has if a
 * word finds no room. Not inlined, since the loops need all registers.
 */
static __attribute__((noinline)) uintptr_t filter_copy(volatile uintptr_t *to, const struct stack *stack,
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

/* A slice that does not stand for all bytes of the stack is cut. */
static inline void filter_slice(struct slice *slice, const struct stack *stack, uintptr_t room)
{
	uintptr_t bytes;

	if (stack->bytes == 0)
		return;
	bytes = filter_copy(slice->words, stack, room);
	if (bytes == stack->bytes)
		return;
	slice->bytes_and_flags = SLICE_BYTES_AND_FLAGS(bytes, 0);
}

#endif
