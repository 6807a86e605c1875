/* SPDX-License-Identifier: MIT */
/* Stage: lists the arcs between rows in both builds. The profile of all captures has every arc of each capture. */
#include "base/search.h"
#include "diff/private.h"

#include <math.h>
#include <stdlib.h>

static int compare_arc_ends(const void *left, const void *right)
{
	const struct compare_arc *a = left, *b = right;

	return a->caller != b->caller ? compare_numbers(a->caller, b->caller) : compare_numbers(a->callee, b->callee);
}

void compare_sort_arcs(struct comparison *comparison)
{
	if (comparison->arc_count > 0)
		qsort(comparison->arcs, comparison->arc_count, sizeof *comparison->arcs, compare_arc_ends);
}

/* Appends the arcs of one build. */
static void list_arcs(struct compare_state *state, enum build build)
{
	struct comparison *comparison = state->comparison;
	const struct profile *profile = comparison->builds[build].profile;

	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		struct compare_arc *added = &comparison->arcs[comparison->arc_count++];

		added->caller = compare_row_of_node(state, build, profile, arc->caller);
		added->callee = compare_row_of_node(state, build, profile, arc->callee);
		added->is_inlined[build] = arc->is_inlined;
	}
}

/* Merges the arcs with the same ends. */
static void merge_arcs(struct comparison *comparison)
{
	size_t kept = 0;

	for (size_t i = 0; i < comparison->arc_count; i++) {
		if (kept == 0 || compare_arc_ends(&comparison->arcs[kept - 1], &comparison->arcs[i]) != 0)
			comparison->arcs[kept++] = comparison->arcs[i];
		for (enum build build = 0; build < BUILD_COUNT; build++)
			comparison->arcs[kept - 1].is_inlined[build] |= comparison->arcs[i].is_inlined[build];
	}
	comparison->arc_count = kept;
}

static void free_index(const struct comparison *comparison)
{
	free(comparison->first_arc);
	free(comparison->first_parent);
	free(comparison->parent_arcs);
}

bool compare_index_arcs(struct comparison *comparison)
{
	free_index(comparison);
	size_t rows = comparison->row_count, *next = calloc(rows + 1, sizeof *next);
	comparison->first_arc = calloc(rows + 1, sizeof *comparison->first_arc);
	comparison->first_parent = calloc(rows + 1, sizeof *comparison->first_parent);
	comparison->parent_arcs = calloc(comparison->arc_count + 1, sizeof *comparison->parent_arcs);
	if (next == NULL || comparison->first_arc == NULL || comparison->first_parent == NULL ||
	    comparison->parent_arcs == NULL) {
		free(next);
		return false;
	}
	for (size_t i = 0; i < comparison->arc_count; i++) {
		comparison->first_arc[comparison->arcs[i].caller + 1]++;
		comparison->first_parent[comparison->arcs[i].callee + 1]++;
	}
	for (size_t i = 0; i < rows; i++) {
		comparison->first_arc[i + 1] += comparison->first_arc[i];
		next[i] = comparison->first_parent[i];
		comparison->first_parent[i + 1] += comparison->first_parent[i];
	}
	for (size_t i = 0; i < comparison->arc_count; i++)
		comparison->parent_arcs[next[comparison->arcs[i].callee]++] = i;
	free(next);
	return true;
}

enum status compare_list_arcs(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	size_t max =
	        comparison->builds[BUILD_OLD].profile->arc_count + comparison->builds[BUILD_NEW].profile->arc_count;

	comparison->arcs = calloc(max + 1, sizeof *comparison->arcs);
	if (comparison->arcs == NULL)
		return compare_out_of_memory(state, error);
	list_arcs(state, BUILD_OLD);
	list_arcs(state, BUILD_NEW);
	compare_sort_arcs(comparison);
	merge_arcs(comparison);
	struct compare_arc *merged = reallocarray(comparison->arcs, comparison->arc_count + 1, sizeof *merged);
	if (merged != NULL)
		comparison->arcs = merged;
	return compare_index_arcs(comparison) ? STATUS_OK : compare_out_of_memory(state, error);
}

size_t compare_arc_between(const struct comparison *comparison, size_t caller, size_t callee)
{
	size_t first = comparison->first_arc[caller];

	return first + first_index_from(&comparison->arcs[first], comparison->first_arc[caller + 1] - first,
	                                sizeof *comparison->arcs, offsetof(struct compare_arc, callee), callee);
}

bool compare_arc_is_timed(const struct comparison *comparison, enum build build, const struct compare_arc *arc)
{
	size_t cycle = comparison->rows[arc->caller].cycles[build];

	return arc->caller != arc->callee && (cycle == 0 || cycle != comparison->rows[arc->callee].cycles[build]);
}

double compare_arc_weight(const struct compare_arc *arc)
{
	const struct stats_change *total = &arc->changes[COMPARE_TOTAL].values;

	return fmax(isfinite(total->old) ? total->old : 0, isfinite(total->new) ? total->new : 0);
}
