/* SPDX-License-Identifier: MIT */
/* See callers.h. A unit is what propagation treats as one: a function outside cycles, or a cycle. */
#include "profile/stacks/callers.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

/* Time below this part of a unit's time is a rounding error, not the time of an unknown caller. */
#define ROUNDING_PART 1e-9

static size_t unit_of_node(const struct callers *callers, size_t node)
{
	return callers->cycles[node] == 0 ? node : callers->node_count + callers->cycles[node] - 1;
}

static size_t count_units(const struct stacks_graph *graph)
{
	size_t cycles = 0;

	for (size_t node = 0; node < graph->node_count; node++)
		if (graph->cycles[node] > cycles)
			cycles = graph->cycles[node];
	return graph->node_count + cycles;
}

/* Times by unit. */
struct unit_times {
	double *totals, *of_callers;
};

static void sum_times(const struct callers *callers, const struct stacks_graph *graph, const struct unit_times *times)
{
	for (size_t node = 0; node < graph->node_count; node++)
		times->totals[unit_of_node(callers, node)] += graph->self_times[node];
	for (size_t i = 0; i < graph->arc_count; i++) {
		times->totals[unit_of_node(callers, graph->arcs[i].caller)] += graph->arcs[i].time;
		times->of_callers[unit_of_node(callers, graph->arcs[i].callee)] += graph->arcs[i].time;
	}
}

/* The time of stacks that begin with this unit although it has callers; 0: none. */
static double unknown_time(const struct unit_times *times, size_t unit)
{
	double rest = times->totals[unit] - times->of_callers[unit];

	return times->of_callers[unit] > 0 && rest > ROUNDING_PART * times->totals[unit] ? rest : 0;
}

static void append_caller(struct callers *callers, size_t *next, struct caller caller)
{
	callers->items[(*next)++] = caller;
}

/* Counting sort of the arcs by the unit that they call. */
static void sort_arcs(struct callers *callers, const struct stacks_graph *graph, const struct unit_times *times,
                      size_t unit_count)
{
	size_t *next = callers->first + 1; /* each item grows up to the first arc of the next unit */

	for (size_t i = 0; i < graph->arc_count; i++)
		callers->first[unit_of_node(callers, graph->arcs[i].callee) + 2]++;
	for (size_t unit = 0; unit < unit_count; unit++)
		callers->first[unit + 2] += callers->first[unit + 1] + (unknown_time(times, unit) > 0);
	for (size_t i = 0; i < graph->arc_count; i++) {
		const struct stacks_arc *arc = &graph->arcs[i];
		size_t unit = unit_of_node(callers, arc->callee);
		double whole = times->of_callers[unit] + unknown_time(times, unit);

		append_caller(callers, &next[unit],
		              (struct caller){.node = arc->caller, .entry = arc->callee, .part = arc->time / whole});
	}
	for (size_t unit = 0; unit < unit_count; unit++) {
		double rest = unknown_time(times, unit);

		if (rest > 0)
			append_caller(
			        callers, &next[unit],
			        (struct caller){.node = CALLERS_NONE, .part = rest / (times->of_callers[unit] + rest)});
	}
}

bool callers_find(struct callers *callers, const struct stacks_graph *graph)
{
	size_t unit_count = count_units(graph), longest = 0;
	struct scratch scratch = {.count = 0};
	struct unit_times times = {
	        .totals = scratch_array(&scratch, unit_count, sizeof(double)),
	        .of_callers = scratch_array(&scratch, unit_count, sizeof(double)),
	};

	*callers = (struct callers){.node_count = graph->node_count, .cycles = graph->cycles};
	callers->items = calloc(graph->arc_count + unit_count + 1, sizeof *callers->items);
	callers->first = calloc(unit_count + 3, sizeof *callers->first);
	bool ok = callers->items != NULL && callers->first != NULL && !scratch.is_short_of_memory;
	if (ok) {
		sum_times(callers, graph, &times);
		sort_arcs(callers, graph, &times, unit_count);
	}
	for (size_t unit = 0; ok && unit < unit_count; unit++)
		if (callers->first[unit + 1] - callers->first[unit] > longest)
			longest = callers->first[unit + 1] - callers->first[unit];
	callers->shares = calloc(longest + 1, sizeof *callers->shares);
	scratch_free(&scratch);
	return ok && callers->shares != NULL;
}

void callers_free(struct callers *callers)
{
	free(callers->items);
	free(callers->first);
	free(callers->shares);
}

size_t callers_of(const struct callers *callers, size_t node)
{
	size_t unit = unit_of_node(callers, node);

	return callers->first[unit + 1] - callers->first[unit];
}

/* Largest remainder first. */
static int compare_remainders(const void *left, const void *right)
{
	const struct caller_share *a = left, *b = right;
	double of_a = a->exact - (double)a->samples, of_b = b->exact - (double)b->samples;

	if (of_a < of_b || of_a > of_b)
		return of_a > of_b ? -1 : 1;
	return (a->caller > b->caller) - (a->caller < b->caller);
}

/* Gives each caller its whole grains; returns the grains that are left, below 0 if they were too few. */
static int64_t give_whole_grains(struct caller_share *shares, struct caller *first, size_t count, uint64_t samples,
                                 uint64_t grain)
{
	double grains = (double)samples / (double)grain;
	int64_t left = (int64_t)(samples / grain);

	for (size_t i = 0; i < count; i++) {
		double exact = first[i].part * grains + first[i].owed;

		shares[i] = (struct caller_share){&first[i], exact > 0 ? (uint64_t)exact : 0, exact};
		left -= (int64_t)shares[i].samples;
	}
	return left;
}

/* The largest remainders get one grain more; if too many were given, the smallest ones lose one. */
static void settle_remainders(struct caller_share *shares, size_t count, int64_t left)
{
	for (size_t i = 0; left > 0; i = (i + 1) % count, left--)
		shares[i].samples++;
	for (size_t i = count; left < 0; i = i == 1 ? count : i - 1) {
		if (shares[i - 1].samples == 0)
			continue;
		shares[i - 1].samples--;
		left++;
	}
}

/* From grains to samples, with the rest for the first. Drops empty shares. */
static size_t finish_shares(struct caller_share *shares, size_t count, uint64_t samples, uint64_t grain)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t given = shares[i].samples * grain + (i == 0 ? samples % grain : 0);

		shares[i].caller->owed = shares[i].exact - (double)given / (double)grain;
		shares[i].samples = given;
		if (given > 0)
			shares[kept++] = shares[i];
	}
	return kept;
}

static struct caller *largest_caller(struct caller *first, size_t count)
{
	struct caller *largest = first;

	for (size_t i = 1; i < count; i++)
		if (first[i].part > largest->part)
			largest = &first[i];
	return largest;
}

size_t callers_divide(struct callers *callers, size_t node, uint64_t samples, uint64_t grain)
{
	struct caller *first = callers->items + callers->first[unit_of_node(callers, node)];
	size_t count = callers_of(callers, node);

	if (count == 1 || samples == 0) {
		callers->shares[0] = (struct caller_share){largest_caller(first, count), samples, 0};
		return 1;
	}
	int64_t left = give_whole_grains(callers->shares, first, count, samples, grain);
	qsort(callers->shares, count, sizeof *callers->shares, compare_remainders);
	settle_remainders(callers->shares, count, left);
	return finish_shares(callers->shares, count, samples, grain);
}
