/* SPDX-License-Identifier: MIT */
/* See flow.h. */
#include "diff/formats/flow.h"

#include <math.h>
#include <stdlib.h>

static double time_of(const struct flow *flow, const struct compare_change *change)
{
	double time = flow->build == BUILD_OLD ? change->values.old : change->values.new;
	return isfinite(time) && time > 0 ? time : 0;
}

static size_t cycle_of(const struct flow *flow, size_t row)
{
	return flow->comparison->rows[row].cycles[flow->build];
}

bool flow_is_timed(const struct comparison *comparison, enum build build, const struct compare_arc *arc)
{
	size_t cycle = comparison->rows[arc->caller].cycles[build];
	return arc->caller != arc->callee && (cycle == 0 || cycle != comparison->rows[arc->callee].cycles[build]);
}

double flow_weight(const struct compare_arc *arc)
{
	const struct stats_change *total = &arc->changes[COMPARE_TOTAL].values;
	return fmax(isfinite(total->old) ? total->old : 0, isfinite(total->new) ? total->new : 0);
}

static int compare_parts(const void *left, const void *right)
{
	const struct flow_part *a = left, *b = right;
	if (a->time < b->time || a->time > b->time)
		return a->time > b->time ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static void sort_parts(struct flow_part *parts, const size_t *first, size_t index)
{
	qsort(parts + first[index], first[index + 1] - first[index], sizeof *parts, compare_parts);
}

static void hand_on(struct flow *flow, size_t row)
{
	const struct comparison *comparison = flow->comparison;
	size_t count = flow->first_callee[row];
	double self = time_of(flow, &comparison->rows[row].changes[COMPARE_SELF]);
	flow->time += self;
	flow->totals[row] = self;
	for (size_t i = comparison->first_arc[row]; i < comparison->first_arc[row + 1]; i++) {
		const struct compare_arc *arc = &comparison->arcs[i];
		double time = time_of(flow, &arc->changes[COMPARE_TOTAL]);
		if (time <= 0 || !flow_is_timed(comparison, flow->build, arc))
			continue;
		flow->callees[count++] = (struct flow_part){arc->callee, time};
		flow->totals[row] += time;
		flow->callers[arc->callee] += time;
	}
	flow->first_callee[row + 1] = count;
	sort_parts(flow->callees, flow->first_callee, row);
}

/* Counting sort by number of the cycle. */
static void list_members(struct flow *flow)
{
	size_t *next = flow->first_member + 1; /* becomes the first of the next cycle as the members are put in */
	for (size_t row = 0; row < flow->comparison->row_count; row++)
		flow->first_member[cycle_of(flow, row) + 2]++;
	for (size_t i = 2; i < flow->cycle_count + 3; i++)
		flow->first_member[i] += flow->first_member[i - 1];
	for (size_t row = 0; row < flow->comparison->row_count; row++)
		flow->members[next[cycle_of(flow, row)]++] = (struct flow_part){row, flow->totals[row]};
	for (size_t cycle = 1; cycle <= flow->cycle_count; cycle++)
		sort_parts(flow->members, flow->first_member, cycle);
}

static bool allocate(struct flow *flow)
{
	const struct comparison *comparison = flow->comparison;
	for (size_t row = 0; row < comparison->row_count; row++)
		if (cycle_of(flow, row) > flow->cycle_count)
			flow->cycle_count = cycle_of(flow, row);
	flow->totals = calloc(comparison->row_count + 1, sizeof *flow->totals);
	flow->callers = calloc(comparison->row_count + 1, sizeof *flow->callers);
	flow->callees = calloc(comparison->arc_count + 1, sizeof *flow->callees);
	flow->first_callee = calloc(comparison->row_count + 1, sizeof *flow->first_callee);
	flow->members = calloc(comparison->row_count + 1, sizeof *flow->members);
	flow->first_member = calloc(flow->cycle_count + 3, sizeof *flow->first_member);
	return flow->totals != NULL && flow->callers != NULL && flow->callees != NULL && flow->first_callee != NULL &&
	       flow->members != NULL && flow->first_member != NULL;
}

bool flow_create(const struct comparison *comparison, enum build build, struct flow *flow)
{
	*flow = (struct flow){.comparison = comparison, .build = build};
	if (!allocate(flow))
		return false;
	for (size_t row = 0; row < comparison->row_count; row++)
		hand_on(flow, row);
	list_members(flow);
	return true;
}

void flow_free(struct flow *flow)
{
	free(flow->totals);
	free(flow->callers);
	free(flow->callees);
	free(flow->first_callee);
	free(flow->members);
	free(flow->first_member);
}
