/* SPDX-License-Identifier: MIT */
/*
 * Finds times that are lower bounds, because they may lack time of stacks that end early; see measure.h. A hidden
 * caller of a stack can be any function from which calls lead to the outermost function that the stack shows: recorded
 * calls, calls on other stacks, and calls that the instructions show. If a pointer to a function on the way exists, the
 * hidden caller can be any function that makes calls, unless stacks show the function as a root: hardware and
 * schedulers call roots, code does not.
 */
#include "base/array.h"
#include "base/search.h"
#include "profile/measurement.h"
#include "profile/stacks/measure.h"

#include <math.h>
#include <stdlib.h>

/* A time may lack this part of its standard error without being called a lower bound: the error covers it. */
#define NEGLIGIBLE 0.25

/* Searches stop after about this many steps. From then on, any function that makes calls may be a hidden caller. */
#define STEPS_MAX ((size_t)1 << 26)

/* A stack that ends early, so that its outermost callers are unknown. */
struct early {
	size_t outermost; /* node of the outermost function that it shows */
	const struct measured_stack *stack;
};

struct bounds_search {
	struct measure *measure;
	struct profile *profile;
	struct early *stacks; /* by outermost function */
	size_t stack_count, steps;
	double *shown;             /* by node, then by arc: the time of the current stacks that show it */
	const struct early **last; /* the last stack that showed it */
	bool *is_reached;          /* by node: calls lead from it to the current outermost function */
	size_t *reached, reached_count;
	bool is_any;     /* any function that makes calls may be a hidden caller */
	double *unknown; /* by node: the time of stacks on which its caller is unknown, although outer ones are known */
	struct scratch scratch;
};

static enum profile_node_kind kind_of_frame(const struct bounds_search *search, size_t frame)
{
	return search->profile->nodes[search->measure->frames[frame].node].kind;
}

static bool is_unknown(enum profile_node_kind kind)
{
	return kind == PROFILE_UNKNOWN_CALLER || profile_is_hidden(kind);
}

/* --- Stacks that end early. */

bool measure_ends_early(const struct measure *measure, const struct measured_stack *stack)
{
	return is_unknown(measure->profile->nodes[measure->frames[stack->first + stack->depth - 1].node].kind);
}

static bool add_early(struct bounds_search *search, const struct measured_stack *stack, size_t frame)
{
	const struct early early = {search->measure->frames[frame].node, stack};

	return array_append(&search->stacks, &search->stack_count, &early, sizeof early);
}

/* No code calls a root of complete stacks through a pointer, so it can have hidden callers only by direct calls. */
static void close_root(struct bounds_search *search, const struct measured_stack *stack, size_t outermost)
{
	if (stack->end == UNWIND_ROOT)
		search->measure->has_pointer[search->measure->frames[outermost].node] = false;
	else if (stack->depth > 1)
		search->measure->has_pointer[search->measure->frames[outermost - 1].node] = false;
}

/* The stack of a function that could not borrow callers contains only that function. */
static bool consider_stack(struct bounds_search *search, const struct measured_stack *stack)
{
	size_t outermost = stack->first + stack->depth - 1;

	for (size_t i = stack->first + 1; i < outermost; i++)
		if (kind_of_frame(search, i) == PROFILE_UNKNOWN_CALLER)
			search->unknown[search->measure->frames[i - 1].node] += stack->time;
	if (measure_ends_early(search->measure, stack))
		return stack->depth < 2 || add_early(search, stack, outermost - 1);
	if (stack->is_borrowed)
		return stack->depth > 1 || kind_of_frame(search, outermost) != PROFILE_FUNCTION ||
		       add_early(search, stack, outermost);
	close_root(search, stack, outermost);
	return true;
}

static int compare_early(const void *left, const void *right)
{
	const struct early *a = left, *b = right;

	return compare_numbers(a->outermost, b->outermost);
}

static bool find_stacks(struct bounds_search *search)
{
	for (size_t i = 0; i < search->measure->stack_count; i++) {
		const struct measured_stack *stack = &search->measure->stacks[i];

		if (stack->time > 0 && kind_of_frame(search, stack->first) != PROFILE_BAREPROF &&
		    !consider_stack(search, stack))
			return false;
	}
	if (search->stack_count > 0)
		qsort(search->stacks, search->stack_count, sizeof *search->stacks, compare_early);
	return true;
}

/* --- Hidden callers. */

static void reach_node(struct bounds_search *search, size_t node)
{
	if (search->is_reached[node] || is_unknown(search->profile->nodes[node].kind))
		return;
	search->is_reached[node] = true;
	search->reached[search->reached_count++] = node;
}

static void reach_callers(struct bounds_search *search, size_t node)
{
	const struct profile *profile = search->profile;
	const struct measure *measure = search->measure;
	size_t call = measure->call_count == 0
	                      ? 0
	                      : first_index_from(measure->calls, measure->call_count, sizeof *measure->calls,
	                                         offsetof(struct possible_call, callee), node);

	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++, search->steps++)
		reach_node(search, profile->arcs[profile->parent_arcs[i]].caller);
	for (; call < measure->call_count && measure->calls[call].callee == node; call++, search->steps++)
		reach_node(search, measure->calls[call].caller);
}

static bool is_exhausted(const struct bounds_search *search)
{
	return search->steps >= STEPS_MAX;
}

static bool is_called_anywhere(const struct bounds_search *search, size_t node)
{
	return search->profile->nodes[node].kind == PROFILE_UNKNOWN || search->measure->has_pointer[node];
}

/* Finds the functions from which calls lead to outermost, which is among them only if it is recursive. */
static void find_callers(struct bounds_search *search, size_t outermost)
{
	search->is_any =
	        is_exhausted(search) || search->profile->through_interrupts || is_called_anywhere(search, outermost);
	search->reached_count = 0;
	reach_callers(search, outermost);
	for (size_t i = 0; i < search->reached_count && !search->is_any; i++) {
		reach_callers(search, search->reached[i]);
		search->is_any = is_called_anywhere(search, search->reached[i]);
	}
}

static bool may_be_hidden(const struct bounds_search *search, size_t node)
{
	if (!search->is_any)
		return search->is_reached[node];
	/* Interrupted code calls handlers without a call instruction. */
	return search->measure->may_call[node] ||
	       (search->profile->through_interrupts && search->profile->nodes[node].kind == PROFILE_FUNCTION);
}

/* --- Times. */

static void show_item(struct bounds_search *search, const struct early *early, size_t item)
{
	if (search->last[item] != early)
		search->shown[item] += early->stack->time;
	search->last[item] = early;
}

static void show_stack(struct bounds_search *search, const struct early *early)
{
	const struct measured_stack *stack = early->stack;
	const struct profile_frame *frames = &search->measure->frames[stack->first];

	for (size_t i = 0; i < stack->depth; i++) {
		size_t arc = i + 1 < stack->depth
		                     ? profile_find_arc(search->profile, frames[i + 1].node, frames[i].node)
		                     : PROFILE_NONE;

		show_item(search, early, frames[i].node);
		if (arc != PROFILE_NONE)
			show_item(search, early, search->profile->node_count + arc);
	}
}

/* Adds the time of the stacks with this outermost function to all nodes and arcs that these stacks may hide. */
static void add_hidden_time(struct bounds_search *search, size_t outermost, double time)
{
	struct profile *profile = search->profile;

	bool is_last = is_exhausted(search); /* the search ends: the stacks have several outermost functions */

	find_callers(search, outermost);
	for (size_t i = 0; i < profile->node_count; i++)
		if (may_be_hidden(search, i))
			profile->nodes[i].hidden_time += time - search->shown[i];
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		bool may_be_callee = is_last || arc->callee == outermost || may_be_hidden(search, arc->callee);

		if (may_be_callee && may_be_hidden(search, arc->caller))
			search->measure->made->arcs[i].hidden_time += time - search->shown[profile->node_count + i];
	}
	search->steps += profile->node_count + profile->arc_count;
	for (size_t i = 0; i < search->reached_count; i++)
		search->is_reached[search->reached[i]] = false;
	memset(search->shown, 0, (profile->node_count + profile->arc_count) * sizeof *search->shown);
}

static void add_all_hidden(struct bounds_search *search)
{
	double time = 0;

	for (size_t i = 0; i < search->stack_count; i++) {
		const struct early *early = &search->stacks[i];

		show_stack(search, early);
		time += early->stack->time;
		if (i + 1 < search->stack_count && (early[1].outermost == early->outermost || is_exhausted(search)))
			continue;
		add_hidden_time(search, early->outermost, time);
		time = 0;
	}
	for (size_t i = 0; i < search->profile->arc_count; i++) {
		const struct profile_arc *arc = &search->profile->arcs[i];

		if (!is_unknown(search->profile->nodes[arc->caller].kind))
			search->measure->made->arcs[i].hidden_time += search->unknown[arc->callee];
	}
}

bool measure_is_lower_bound(const struct profile *profile, double hidden, double variance)
{
	/* Equal times that were summed in another order differ in their last bits. */
	return hidden > fmax(NEGLIGIBLE * sqrt(variance), 1e-12 * profile->total_time);
}

static void mark_lower_bounds(struct profile *profile, struct profile_measured_arc *arcs)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];

		node->is_lower_bound = measure_is_lower_bound(profile, node->hidden_time, node->total_variance);
	}
	for (size_t i = 0; i < profile->arc_count; i++) {
		bool is_timed = profile_arc_is_timed(profile, &profile->arcs[i]);

		arcs[i].is_lower_bound =
		        is_timed && measure_is_lower_bound(profile, arcs[i].hidden_time, arcs[i].variance);
	}
}

enum status measure_find_lower_bounds(struct measure *measure, struct error *error)
{
	struct bounds_search search = {.measure = measure, .profile = measure->profile};
	struct scratch *scratch = &search.scratch;
	size_t nodes = search.profile->node_count, items = nodes + search.profile->arc_count;

	search.shown = scratch_array(scratch, items, sizeof *search.shown);
	search.last = scratch_array(scratch, items, sizeof *search.last);
	search.is_reached = scratch_array(scratch, nodes, sizeof *search.is_reached);
	search.reached = scratch_array(scratch, nodes, sizeof *search.reached);
	search.unknown = scratch_array(scratch, nodes, sizeof *search.unknown);
	bool ok = !scratch->is_short_of_memory && find_stacks(&search);
	if (ok) {
		add_all_hidden(&search);
		mark_lower_bounds(search.profile, measure->made->arcs);
	}
	free(search.stacks);
	scratch_free(scratch);
	return ok ? STATUS_OK : status_no_memory(error, search.profile->image->path);
}
