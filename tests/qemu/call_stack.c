/* SPDX-License-Identifier: MIT */
/* See call_stack.h. */
#include "call_stack.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX   100000u
#define CASE_HELPER "__gnu_thumb1_case"

static void *grow(void *items, size_t *capacity, size_t item_size)
{
	*capacity = *capacity == 0 ? 16 : 2 * *capacity;
	items = realloc(items, *capacity * item_size);
	if (items == NULL)
		abort();
	return items;
}

void call_stack_forget(struct call_stack *stack)
{
	stack->depth = stack->buffer_count = 0;
	stack->last = NULL;
	stack->counter = NULL;
}

void call_stack_reset(struct call_stack *stack, const char *end)
{
	call_stack_forget(stack);
	stack->tick_count = 0;
	stack->end = end;
}

bool call_stack_begins_again(const struct call_stack *stack, const struct instruction *at)
{
	const struct instruction *last = stack->last;

	/* QEMU reports an instruction twice if it executes it again. */
	if (last == NULL || last == at)
		return false;
	if (last->branch.kind == BRANCH_RETURN)
		return at->function != NULL && at->address == at->function->start;
	if (last->branch.kind != BRANCH_NONE && !last->branch.has_target)
		return false;
	return at->address != last->end && !(last->branch.has_target && at->address == last->branch.target);
}

/* is_part: the call was not to the start of a function, but within one. */
static void push(struct call_stack *stack, uint64_t return_address, bool is_part)
{
	static uint64_t serial;

	if (stack->depth == DEPTH_MAX)
		abort();
	if (stack->depth == stack->capacity)
		stack->frames = grow(stack->frames, &stack->capacity, sizeof(*stack->frames));
	struct call_node *parent = stack->depth != 0 ? stack->frames[stack->depth - 1].node : NULL;
	stack->frames[stack->depth++] =
	        (struct frame){return_address, ++serial, call_tree_child(parent, return_address), is_part};
	stack->counter = NULL;
}

static void cut(struct call_stack *stack, size_t depth)
{
	stack->depth = depth;
	stack->counter = NULL;
}

/* The serial number of the frame at a depth; 0 below the outermost one. */
static uint64_t serial_below(const struct call_stack *stack, size_t depth)
{
	return depth != 0 ? stack->frames[depth - 1].serial : 0;
}

static void remember_jump(struct call_stack *stack)
{
	const size_t depth = stack->depth - 1; /* of the caller */

	while (stack->buffer_count != 0 && stack->buffers[stack->buffer_count - 1].depth > depth)
		stack->buffer_count--;
	if (stack->buffer_count == stack->buffer_capacity)
		stack->buffers = grow(stack->buffers, &stack->buffer_capacity, sizeof(*stack->buffers));
	stack->buffers[stack->buffer_count++] =
	        (struct jump_buffer){stack->frames[depth].return_address, serial_below(stack, depth), depth};
}

/* Continues where setjmp() was called by a function that has not returned. */
static bool follow_longjmp(struct call_stack *stack, uint64_t address)
{
	for (size_t i = stack->buffer_count; i-- > 0;) {
		const struct jump_buffer *buffer = &stack->buffers[i];

		if (buffer->return_address != address || buffer->depth > stack->depth ||
		    serial_below(stack, buffer->depth) != buffer->serial)
			continue;
		cut(stack, buffer->depth);
		return true;
	}
	return false;
}

/* A helper of v6-M's compiler library returns to the case that it selects, in the function that called it. */
static bool is_case(const struct instruction *last, uint64_t return_address, const struct instruction *at)
{
	return last->function != NULL && strncmp(last->function->name, CASE_HELPER, sizeof(CASE_HELPER) - 1) == 0 &&
	       call_tree_function_at(return_address - 1) == at->function;
}

/*
 * Functions of the compiler's library (__aeabi_dmul) call a part of themselves that returns to their own caller
 * instead. Returns the depth with the frame of that caller, or 0.
 */
static size_t depth_below_parts(const struct call_stack *stack, uint64_t address)
{
	size_t depth = stack->depth;

	while (depth != 0 && stack->frames[depth - 1].return_address != address) {
		if (!stack->frames[depth - 1].is_part)
			return 0;
		depth--;
	}
	return depth;
}

static bool follow_return(struct call_stack *stack, const struct instruction *at, bool is_task,
                          struct call_statistics *statistics)
{
	const struct instruction *last = stack->last;

	if (stack->depth != 0) {
		const uint64_t return_address = stack->frames[stack->depth - 1].return_address;

		if (return_address == at->address || is_case(last, return_address, at)) {
			cut(stack, stack->depth - 1);
			return true;
		}
	}
	if (follow_longjmp(stack, at->address)) {
		statistics->longjmps++;
		return true;
	}
	const size_t depth = last->branch.kind == BRANCH_RETURN ? depth_below_parts(stack, at->address) : 0;
	if (depth != 0) {
		cut(stack, depth - 1);
		return true;
	}
	return last->branch.kind == BRANCH_JUMP || (is_task && stack->depth == 0);
}

bool call_stack_falls_through(const struct instruction *last, const struct instruction *at)
{
	return last->is_conditional && at->address == last->end;
}

static bool follow_branch(struct call_stack *stack, const struct instruction *at, uint64_t setjmp, bool is_task,
                          struct call_statistics *statistics)
{
	const struct instruction *last = stack->last;
	const bool is_target = last->branch.has_target && at->address == last->branch.target;

	if (last->branch.kind == BRANCH_NONE)
		return at->address == last->end || is_target;
	if (!is_target && call_stack_falls_through(last, at))
		return true;
	if (last->branch.kind != BRANCH_CALL)
		return follow_return(stack, at, is_task, statistics);
	push(stack, last->end,
	     at->function != NULL && at->function == last->function && at->address != at->function->start);
	statistics->calls++;
	if (at->address == setjmp)
		remember_jump(stack);
	return true;
}

bool call_stack_follow(struct call_stack *stack, const struct instruction *at, uint64_t setjmp, bool is_task,
                       struct call_statistics *statistics)
{
	const bool is_possible = stack->last == NULL || follow_branch(stack, at, setjmp, is_task, statistics);

	stack->last = at;
	return is_possible;
}

void call_stack_note_tick(struct call_stack *stack, uint64_t number)
{
	if (stack->tick_count == stack->tick_capacity)
		stack->ticks = grow(stack->ticks, &stack->tick_capacity, sizeof(*stack->ticks));
	stack->ticks[stack->tick_count++] = number;
}

void call_stack_count(struct call_stack *stack, const struct instruction *at)
{
	if (stack->counter == NULL || stack->counted != at->function) {
		stack->counter = call_tree_counter(stack->depth != 0 ? stack->frames[stack->depth - 1].node : NULL,
		                                   at->function);
		stack->counted = at->function;
	}
	++*stack->counter;
}
