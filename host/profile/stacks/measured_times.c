/* SPDX-License-Identifier: MIT */
/*
 * Total times and their variances from the times of stacks, see measure.h.
 *
 * T(g) = S(g) + sum over the strata of other functions of S * P(g), where P(g) is the part of the stratum's stacks that
 * g is on. The variance of each term is S^2 P (1 - P) / n + P^2 var(S); see stack_errors.h for the first.
 */
#include "base/array.h"
#include "profile/stacks/measure.h"
#include "profile/stacks/stack_errors.h"

#include <math.h>
#include <stdlib.h>

#define NO_ARC SIZE_MAX

/* A row of the profile: a node, or an arc. */
struct timed_item {
	double time, self_time; /* self_time: of an arc, the part in which its callee was sampled */
	double observed;        /* the number of stacks that contain it, except as the sampled function */
	double part;            /* its part of the current stratum */
	double variance, share_variance;
	double base;         /* the sum of unseen_of_stratum() over the strata that contain it */
	size_t last_stack;   /* the last stack that contained it, counted from 1 */
	size_t last_stratum; /* the last stratum that contained it, counted from 1 */
};

struct timing {
	const struct measure *measure;
	struct profile *profile;
	struct timed_item *items; /* nodes, then arcs */
	size_t *arcs;             /* by frame: the arc from the next frame to it */
	size_t *depths;           /* by stack: the innermost frames whose time is wanted */
	size_t *touched;          /* items of the current stratum */
	size_t touched_count;
	double observed;       /* all stacks */
	double base;           /* the sum of unseen_of_stratum() over all strata */
	double time, variance; /* sums over all strata but the recorder's */
	struct scratch scratch;
};

static const struct profile_node *node_of(const struct timing *timing, size_t frame)
{
	return &timing->profile->nodes[timing->measure->frames[frame].node];
}

static bool is_stack_of_recorder(const struct timing *timing, const struct measured_stack *stack)
{
	return node_of(timing, stack->first)->kind == PROFILE_BAREPROF;
}

/* --- Filters. */

static bool is_time_wanted(bool is_wanted, const struct profile *profile, const struct profile_node *node,
                           enum filter_list filter)
{
	bool is_included = (node->marks.included & 1u << filter) != 0;

	if (!is_wanted)
		return filter_wants(node->marks, profile->all_marks, filter);
	return is_included || (node->marks.excluded & 1u << filter) == 0;
}

/* Filters may exclude an arc; then the callers beyond it do not count. */
static bool has_link(const struct timing *timing, size_t frame)
{
	return timing->arcs[frame] != NO_ARC || node_of(timing, frame)->kind == PROFILE_UNKNOWN_CALLER;
}

/* Marks the nodes as shown here, because some are on stacks only. */
static void show_all(const struct timing *timing, const struct measured_stack *stack)
{
	for (size_t i = stack->first; i < stack->first + stack->depth; i++)
		timing->profile->nodes[timing->measure->frames[i].node].wanted.is_shown = true;
}

/* A function is wanted if a filter names it or one of its callers. The time of a stack counts from the innermost
 * function up to the first one that is not wanted. Also marks the functions that are shown. */
static size_t wanted_depth(const struct timing *timing, const struct measured_stack *stack)
{
	struct profile *profile = timing->profile;
	bool is_wanted = false, is_shown = false;
	size_t depth = 0;

	if (profile->filters == NULL) {
		show_all(timing, stack);
		return stack->depth;
	}
	for (size_t i = stack->depth; i-- > 0;) {
		struct profile_node *node = &profile->nodes[timing->measure->frames[stack->first + i].node];
		bool is_linked = i + 1 < stack->depth && has_link(timing, stack->first + i);

		is_shown = is_time_wanted(is_shown && is_linked, profile, node, FILTER_GRAPH);
		node->wanted.is_shown |= is_shown;
		bool is_continued = is_wanted && is_linked;
		is_wanted = is_time_wanted(is_continued, profile, node, FILTER_TIME);
		if (!is_wanted)
			depth = 0;
		else if (!is_continued)
			depth = i + 1;
	}
	return depth;
}

/* --- Times. */

static void find_arcs(struct timing *timing)
{
	const struct measure *measure = timing->measure;

	for (size_t i = 0; i < measure->stack_count; i++) {
		const struct measured_stack *stack = &measure->stacks[i];

		for (size_t j = stack->first; j < stack->first + stack->depth; j++)
			timing->arcs[j] = j + 1 == stack->first + stack->depth
			                          ? NO_ARC
			                          : profile_find_arc(timing->profile, measure->frames[j + 1].node,
			                                             measure->frames[j].node);
	}
}

typedef void on_item(struct timing *timing, size_t stack, size_t item, bool is_innermost);

/* Calls on() once for each node and arc of a stack whose time is wanted. */
static void each_item_on_stack(struct timing *timing, size_t index, on_item on)
{
	const struct measured_stack *stack = &timing->measure->stacks[index];

	for (size_t i = 0; i < timing->depths[index]; i++) {
		size_t frame = stack->first + i, arc = i + 1 < timing->depths[index] ? timing->arcs[frame] : NO_ARC;
		size_t items[] = {timing->measure->frames[frame].node, timing->profile->node_count + arc};

		for (size_t j = 0; j < (arc == NO_ARC ? 1 : 2); j++) {
			struct timed_item *item = &timing->items[items[j]];

			if (item->last_stack != index + 1)
				on(timing, index, items[j], i == 0);
			item->last_stack = index + 1;
		}
	}
}

double measure_observations(const struct measured_stack *stack)
{
	return stack->squares > 0 ? stack->weight * stack->weight / stack->squares : 0;
}

static void add_stack_time(struct timing *timing, size_t index, size_t item, bool is_innermost)
{
	const struct measured_stack *stack = &timing->measure->stacks[index];
	bool is_arc = item >= timing->profile->node_count;

	timing->items[item].time += stack->time;
	if (is_innermost)
		timing->items[item].self_time += stack->time;
	if (is_arc || !is_innermost)
		timing->items[item].observed += measure_observations(stack);
	if (is_arc && !stack->is_borrowed)
		timing->measure->made->arcs[item - timing->profile->node_count].is_on_stacks = true;
}

/* A filter may name a caller that the stack does not show, and so want the time of all its functions. */
static void add_time_of_hidden(struct timing *timing, const struct measured_stack *stack)
{
	struct profile *profile = timing->profile;

	for (size_t i = stack->first; i < stack->first + stack->depth; i++) {
		profile->nodes[timing->measure->frames[i].node].hidden_time += stack->time;
		if (timing->arcs[i] != NO_ARC)
			timing->measure->made->arcs[timing->arcs[i]].hidden_time += stack->time;
	}
}

static void add_times_of_items(struct timing *timing)
{
	const struct measure *measure = timing->measure;

	for (size_t i = 0; i < measure->stack_count; i++) {
		timing->depths[i] = wanted_depth(timing, &measure->stacks[i]);
		each_item_on_stack(timing, i, add_stack_time);
		if (timing->depths[i] == 0 && measure_ends_early(measure, &measure->stacks[i]))
			add_time_of_hidden(timing, &measure->stacks[i]);
		timing->observed += measure_observations(&measure->stacks[i]);
	}
	for (size_t i = 0; i < timing->profile->node_count + timing->profile->arc_count; i++)
		timing->items[i].last_stack = 0;
}

/* --- Variances. */

static double unseen_of_stratum(const struct stratum *stratum)
{
	return stack_errors_unseen(stratum->time, stratum->observations);
}

static double prior_of_item(const struct timing *timing, const struct timed_item *item)
{
	return stack_errors_prior(item->observed, timing->observed);
}

static double part_of_all(const struct timing *timing, const struct timed_item *item)
{
	return timing->time > 0 ? item->time / timing->time : 0;
}

static void add_part_of_stratum(struct timing *timing, size_t index, size_t item, bool is_innermost)
{
	const struct measured_stack *stack = &timing->measure->stacks[index];
	struct timed_item *sums = &timing->items[item];

	if (sums->last_stratum != stack->stratum + 1) {
		sums->last_stratum = stack->stratum + 1;
		sums->part = 0;
		timing->touched[timing->touched_count++] = item;
	}
	/* A function is always on the stacks of its own samples. */
	if (item >= timing->profile->node_count || !is_innermost)
		sums->part += stack->time / timing->measure->strata[stack->stratum].time;
}

static void add_variance(struct timing *timing, const struct stratum *stratum, struct timed_item *item)
{
	double share = part_of_all(timing, item), part = fmin(item->part, 1);
	double among = stack_errors_seen(stratum->time, stratum->observations, part, prior_of_item(timing, item));

	item->variance += among + part * part * stratum->variance;
	item->share_variance += among + ((part - share) * (part - share) - share * share) * stratum->variance;
	item->base += unseen_of_stratum(stratum);
}

static void add_stratum_errors(struct timing *timing, const struct stratum *stratum)
{
	const struct measure *measure = timing->measure;

	if (stratum->time <= 0 || stratum->count == 0 || is_stack_of_recorder(timing, &measure->stacks[stratum->first]))
		return;
	timing->base += unseen_of_stratum(stratum);
	timing->touched_count = 0;
	for (size_t i = stratum->first; i < stratum->first + stratum->count; i++)
		each_item_on_stack(timing, i, add_part_of_stratum);
	for (size_t i = 0; i < timing->touched_count; i++) {
		size_t item = timing->touched[i];

		if (item == stratum->leaf)
			timing->items[item].base += unseen_of_stratum(stratum);
		else
			add_variance(timing, stratum, &timing->items[item]);
	}
}

/* A function that no stack shows as a caller may be on the next stack, so its error is the time of one stack. */
static void add_unseen(const struct timing *timing, size_t index)
{
	struct timed_item *item = &timing->items[index];
	bool may_call = index < timing->profile->node_count && timing->measure->may_call[index];
	double one = timing->observed > 0 ? timing->time / timing->observed : 0;
	double left = item->observed > 0 ? prior_of_item(timing, item) * fmax(timing->base - item->base, 0)
	                                 : one * one * may_call;

	item->variance += left;
	item->share_variance += left;
}

static void add_variances(struct timing *timing)
{
	const struct measure *measure = timing->measure;

	for (size_t i = 0; i < measure->stratum_count; i++) {
		const struct stratum *stratum = &measure->strata[i];

		if (stratum->count > 0 && is_stack_of_recorder(timing, &measure->stacks[stratum->first]))
			continue;
		timing->time += stratum->time;
		timing->variance += stratum->variance;
	}
	for (size_t i = 0; i < measure->stratum_count; i++)
		add_stratum_errors(timing, &measure->strata[i]);
	for (size_t i = 0; i < timing->profile->node_count + timing->profile->arc_count; i++)
		add_unseen(timing, i);
}

/* --- The profile. */

static void take_node(const struct timing *timing, size_t index)
{
	const struct timed_item *item = &timing->items[index];
	struct profile_node *node = &timing->profile->nodes[index];
	double share = part_of_all(timing, item);

	node->child_time = fmax(item->time - item->self_time, 0);
	node->wanted.self_time = item->self_time;
	node->wanted.child_time = node->child_time;
	if (node->self_time > 0)
		node->wanted.fraction = fmin(item->self_time / node->self_time, 1);
	else if (item->time > 0)
		node->wanted.fraction = 1;
	timing->profile->wanted_time += item->self_time;
	if (node->kind == PROFILE_BAREPROF)
		return;
	node->total_variance = node->self_variance + item->variance;
	node->share_variance =
	        fmax(item->share_variance + ((1 - share) * (1 - share) - share * share) * node->self_variance +
	                     share * share * timing->variance,
	             0);
}

static void take_arc_times(const struct timing *timing, size_t index)
{
	const struct timed_item *item = &timing->items[timing->profile->node_count + index];
	struct profile_arc *arc = &timing->profile->arcs[index];
	bool is_timed = profile_arc_is_timed(timing->profile, arc);

	arc->self_time = is_timed ? item->self_time : 0;
	arc->child_time = is_timed ? fmax(item->time - item->self_time, 0) : 0;
	timing->measure->made->arcs[index].variance = is_timed ? item->variance : 0;
}

static bool allocate_items(struct timing *timing)
{
	size_t items = timing->profile->node_count + timing->profile->arc_count;

	timing->items = scratch_array(&timing->scratch, items, sizeof *timing->items);
	timing->touched = scratch_array(&timing->scratch, items, sizeof *timing->touched);
	timing->arcs = scratch_array(&timing->scratch, timing->measure->frame_count, sizeof *timing->arcs);
	timing->depths = scratch_array(&timing->scratch, timing->measure->stack_count, sizeof *timing->depths);
	return !timing->scratch.is_short_of_memory;
}

enum status measure_times(struct measure *measure, struct error *error)
{
	struct timing timing = {.measure = measure, .profile = measure->profile};
	bool ok = allocate_items(&timing);

	if (ok) {
		find_arcs(&timing);
		add_times_of_items(&timing);
		add_variances(&timing);
		measure->profile->wanted_time = 0;
		for (size_t i = 0; i < measure->profile->node_count; i++)
			take_node(&timing, i);
		for (size_t i = 0; i < measure->profile->arc_count; i++)
			take_arc_times(&timing, i);
	}
	scratch_free(&timing.scratch);
	return ok ? STATUS_OK : status_no_memory(error, measure->profile->image->path);
}
