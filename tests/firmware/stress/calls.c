/* SPDX-License-Identifier: MIT */
/* The functions that the stress test calls; they count their calls themselves. */
#include "calls.h"

#include <bareprof/bareprof.h>

#define RECURSION_MAX 4u

/*
 * Code that is not there calls code that is not there: the arcs of bareprof_arc(). A task may begin with no return
 * address, and 0 is also what a slot has for a caller before it is written. The numbers are round, so that in a table
 * of few slots 0 and the caller lead to the same one.
 */
#define FOREIGN_CALLER 0x10000u
#define FOREIGN_CALLEE 0x20000u

struct arc_key arc_keys[ARCS];

/* Keeps the optimiser from cloning a function, merging it with a twin or dropping arguments. */
#define CALLEE __attribute__((noipa, aligned(CALLEE_ALIGNMENT)))

UNINSTRUMENTED uint32_t profile_state(void)
{
	const volatile uint32_t *block = (const volatile uint32_t *)bareprof_block;

	return block[BAREPROF_OFFSET_GATE / sizeof *block] - BAREPROF_GATE((uintptr_t)bareprof_block, 0);
}

/* The state changes in thread mode only, between calls: as it is now, it was when the call was recorded. */
UNINSTRUMENTED static void count_arc(struct level *level, uint32_t arc, uintptr_t caller, uintptr_t callee)
{
	arc_keys[arc].caller = caller;
	arc_keys[arc].callee = callee;
	if (profile_state() == BAREPROF_STATE_RUNNING)
		level->made[arc]++;
}

#define COUNT(level, arc, callee) count_arc(level, arc, (uintptr_t)__builtin_return_address(0), (uintptr_t)(callee))

CALLEE static void leaf_a(struct level *level, uint32_t arc)
{
	COUNT(level, arc, leaf_a);
}

CALLEE static void leaf_b(struct level *level, uint32_t arc)
{
	COUNT(level, arc, leaf_b);
}

CALLEE static void leaf_c(struct level *level, uint32_t arc)
{
	COUNT(level, arc, leaf_c);
}

CALLEE static void leaf_d(struct level *level, uint32_t arc)
{
	COUNT(level, arc, leaf_d);
}

/* Not a loop: the barrier keeps the call from being the last thing done. */
CALLEE static void recurse(struct level *level, uint32_t arc, uint32_t depth)
{
	COUNT(level, arc, recurse);
	if (depth == 0)
		return;
	recurse(level, ARC_OF_RECURSION, depth - 1u);
	__asm volatile("");
}

/* leaf_d() returns to where this was called from, and its arc says so. */
CALLEE static void forward(struct level *level, uint32_t arc)
{
	COUNT(level, arc, forward);
	leaf_d(level, ARC_OF_TAIL_CALL);
}

UNINSTRUMENTED static void record(struct level *level, uint32_t arc, uintptr_t caller)
{
	bareprof_arc(caller, FOREIGN_CALLEE);
	count_arc(level, arc, caller, FOREIGN_CALLEE);
}

UNINSTRUMENTED uint32_t random_next(uint32_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 17;
	*random ^= *random << 5;
	return *random;
}

/* A call site each, which its number keeps from being merged with others. */
#define DIRECT_CALL(number, callee)                    \
	case MOVE_DIRECT + (number):                   \
		callee(level, MOVE_DIRECT + (number)); \
		__asm volatile("" : : "i"(number));    \
		return;
#define DIRECT_CALLS(number) \
	DIRECT_CALL(number, leaf_a) DIRECT_CALL((number) + 1u, leaf_b) DIRECT_CALL((number) + 2u, leaf_c)
#define MORE_DIRECT_CALLS(number)   \
	DIRECT_CALLS(number)        \
	DIRECT_CALLS((number) + 3u) \
	DIRECT_CALLS((number) + 6u) \
	DIRECT_CALLS((number) + 9u) DIRECT_CALLS((number) + 12u) DIRECT_CALLS((number) + 15u)

UNINSTRUMENTED static void make_move(struct level *level, uint32_t move)
{
	static void (*const leaves[LEAVES])(struct level *, uint32_t) = {leaf_a, leaf_b, leaf_c, leaf_d};

	switch (move) {
	default:
		leaves[move](level, move);
		__asm volatile("");
		return;
	case MOVE_ORPHAN:
		record(level, move, 0);
		return;
	case MOVE_FOREIGN:
		record(level, move, FOREIGN_CALLER);
		return;
	case MOVE_RECURSION:
		recurse(level, move, random_next(&level->random) % RECURSION_MAX);
		__asm volatile("");
		return;
	case MOVE_TAIL_CALL:
		forward(level, move);
		__asm volatile("");
		return;
		MORE_DIRECT_CALLS(0)
		MORE_DIRECT_CALLS(18u)
	}
}

UNINSTRUMENTED void calls_make(struct level *level, uint32_t move)
{
	level->move = move;
	make_move(level, move);
	level->moves++;
}
