/* SPDX-License-Identifier: MIT */
/* See stacks.h. */
#include "diff/formats/stacks.h"

#include "base/array.h"

#include <math.h>

static double time_in(enum build build, const struct compare_change *change)
{
	double time = build == BUILD_OLD ? change->values.old : change->values.new;

	return isfinite(time) && time > 0 ? time : 0;
}

static bool make_graph(const struct comparison *comparison, enum build build, struct scratch *arrays,
                       struct stacks_graph *graph, uint64_t **samples)
{
	size_t rows = comparison->row_count, count = 0;
	double *self_times = scratch_array(arrays, rows, sizeof *self_times);
	size_t *cycles = scratch_array(arrays, rows, sizeof *cycles);
	struct stacks_arc *arcs = scratch_array(arrays, comparison->arc_count, sizeof *arcs);

	*samples = scratch_array(arrays, rows, sizeof **samples);
	if (arrays->is_short_of_memory)
		return false;
	for (size_t row = 0; row < rows; row++) {
		self_times[row] = time_in(build, &comparison->rows[row].changes[COMPARE_SELF]);
		cycles[row] = comparison->rows[row].cycles[build];
	}
	for (size_t i = 0; i < comparison->arc_count; i++) {
		const struct compare_arc *arc = &comparison->arcs[i];
		double time = time_in(build, &arc->changes[COMPARE_TOTAL]);

		if (time > 0 && compare_arc_is_timed(comparison, build, arc))
			arcs[count++] = (struct stacks_arc){arc->caller, arc->callee, time};
	}
	*graph = (struct stacks_graph){rows, self_times, *samples, cycles, arcs, count};
	return true;
}

static double sum_of_times(const struct stacks_graph *graph)
{
	double sum = 0;

	for (size_t row = 0; row < graph->node_count; row++)
		sum += graph->self_times[row];
	return sum;
}

/* Fills in the samples of both graphs, and their weights. Both columns have the samples of the old build per time: the
 * new one shows those that the same work would have had. Rounding errors do not add up: the sum so far is right. */
static void count_samples(const struct comparison *comparison, const struct stacks_graph *graphs,
                          uint64_t *const *samples, double weights[BUILD_COUNT])
{
	enum build build = sum_of_times(&graphs[BUILD_OLD]) > 0 ? BUILD_OLD : BUILD_NEW;
	double whole = sum_of_times(&graphs[build]);
	double scale = whole > 0 ? comparison->builds[build].samples / whole : 0;

	for (build = 0; build < BUILD_COUNT; build++) {
		const double taken = comparison->builds[build].samples;

		weights[build] = taken > 0 ? scale * sum_of_times(&graphs[build]) / taken : 0;
		stacks_round(graphs[build].self_times, scale, graphs[build].node_count, samples[build]);
	}
}

bool stacks_of_builds(const struct comparison *comparison, struct stacks *stacks, double weights[BUILD_COUNT])
{
	struct scratch arrays = {.count = 0};
	struct stacks_graph graphs[BUILD_COUNT];
	uint64_t *samples[BUILD_COUNT];
	bool is_done = make_graph(comparison, BUILD_OLD, &arrays, &graphs[BUILD_OLD], &samples[BUILD_OLD]) &&
	               make_graph(comparison, BUILD_NEW, &arrays, &graphs[BUILD_NEW], &samples[BUILD_NEW]);

	if (is_done) {
		count_samples(comparison, graphs, samples, weights);
		is_done = stacks_expand(graphs, BUILD_COUNT, stacks);
	}
	scratch_free(&arrays);
	return is_done;
}
