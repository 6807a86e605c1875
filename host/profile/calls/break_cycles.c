/* SPDX-License-Identifier: MIT */
/*
 * Pass: removes arcs from the propagation so that no cycle has more than cycle_max members. The cost is the number of
 * calls of the removed arcs: their callees' time no longer reaches their callers. The minimum is NP-hard to find (Karp,
 * "Reducibility among combinatorial problems", 1972, for a limit of 1). Here the arcs of large cycles are put back, the
 * most-called first, unless a cycle would become too large. This costs no more than repeatedly removing the
 * least-called arc of a cycle that is too large.
 */
#include "capture/count.h"
#include "profile/analysis.h"

#include <stdlib.h>

/* Arcs and nodes that the searches for cycles may visit: some seconds. */
#define STEPS_MAX UINT64_C(300000000)

struct breaker {
	struct profile *profile;
	struct profile_arc **arcs; /* arcs of cycles that are too large, the most-called first */
	size_t count;
	uint64_t steps_left;
};

static bool is_too_large(const struct profile *profile, const struct profile_cycle *cycle)
{
	return cycle->member_count > profile->cycle_max;
}

static int compare_arc_counts(const void *left, const void *right)
{
	const struct profile_arc *a = *(struct profile_arc *const *)left, *b = *(struct profile_arc *const *)right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a > b) - (a < b);
}

static void collect_arcs(struct breaker *breaker)
{
	const struct profile *profile = breaker->profile;

	for (size_t i = 0; i < profile->arc_count; i++) {
		struct profile_arc *arc = &profile->arcs[i];
		size_t cycle = profile->nodes[arc->caller].cycle;

		if (arc->caller != arc->callee && cycle != PROFILE_NONE && cycle == profile->nodes[arc->callee].cycle &&
		    is_too_large(profile, &profile->cycles[cycle])) {
			breaker->arcs[breaker->count++] = arc;
			arc->is_removed = true;
		}
	}
	qsort(breaker->arcs, breaker->count, sizeof(struct profile_arc *), compare_arc_counts);
}

static void set_removed(struct breaker *breaker, size_t first, size_t end, bool is_removed)
{
	for (size_t i = first; i < end; i++)
		breaker->arcs[i]->is_removed = is_removed;
}

static enum status find_cycles(struct breaker *breaker, bool *fit, struct error *error)
{
	const struct profile *profile = breaker->profile;
	uint64_t steps = profile->node_count + profile->arc_count;
	enum status status = analysis_find_cycles(breaker->profile, error);

	breaker->steps_left -= breaker->steps_left > steps ? steps : breaker->steps_left;
	*fit = true;
	for (size_t i = 0; i < profile->cycle_count; i++)
		*fit = *fit && !is_too_large(profile, &profile->cycles[i]);
	return status;
}

/* Puts arcs back in batches. A batch is doubled while cycles fit, else halved, down to the arc that must go. */
static enum status put_back(struct breaker *breaker, struct error *error)
{
	enum status status = STATUS_OK;
	size_t next = 0, batch = breaker->count;

	while (status == STATUS_OK && next < breaker->count && breaker->steps_left > 0) {
		size_t end = batch < breaker->count - next ? next + batch : breaker->count;
		bool fit;

		set_removed(breaker, next, end, false);
		status = find_cycles(breaker, &fit, error);
		if (!fit)
			set_removed(breaker, next, end, true);
		batch = fit ? 2 * batch : (end - next) / 2;
		if (fit || batch == 0)
			next = end;
		batch += batch == 0;
	}
	return status;
}

/* Puts back arcs that no longer lead back to a caller: they close no cycle, even together. put_back() may leave some
 * when its steps run out. */
static enum status put_back_forward_arcs(struct breaker *breaker, struct error *error)
{
	const struct profile_node *nodes = breaker->profile->nodes;
	bool fit;
	enum status status = find_cycles(breaker, &fit, error);

	for (size_t i = 0; status == STATUS_OK && i < breaker->count; i++) {
		struct profile_arc *arc = breaker->arcs[i];

		arc->is_removed = arc->is_removed && nodes[arc->caller].order < nodes[arc->callee].order;
	}
	return status;
}

static void count_removed(struct breaker *breaker)
{
	struct profile *profile = breaker->profile;

	for (size_t i = 0; i < breaker->count; i++) {
		const struct profile_arc *arc = breaker->arcs[i];

		if (!arc->is_removed)
			continue;
		count_add(&profile->nodes[arc->callee].removed_calls, arc->count);
		profile->removed_count++;
	}
}

enum status analysis_break_cycles(struct profile *profile, size_t cycle_max, struct error *error)
{
	enum status status = analysis_find_cycles(profile, error);
	struct breaker breaker = {.profile = profile, .steps_left = STEPS_MAX};

	if (status != STATUS_OK)
		return status;
	profile->cycle_max = cycle_max;
	breaker.arcs = calloc(profile->arc_count + 1, sizeof *breaker.arcs);
	if (breaker.arcs == NULL)
		return status_no_memory(error, profile->image->path);
	collect_arcs(&breaker);
	status = put_back(&breaker, error);
	if (status == STATUS_OK)
		status = put_back_forward_arcs(&breaker, error);
	count_removed(&breaker);
	free(breaker.arcs);
	return status;
}
