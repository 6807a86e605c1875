/* SPDX-License-Identifier: MIT */
/* See stacks.h. */
#include "diff/formats/stacks.h"

#include "base/array.h"
#include "profile/analysis.h"
#include "profile/measurement.h"
#include "profile/paths.h"

#include <math.h>

static double time_in(enum build build, const struct compare_change *change)
{
	double time = build == BUILD_OLD ? change->values.old : change->values.new;

	return isfinite(time) && time > 0 ? time : 0;
}

static const struct profile_measurement *measurement_in(const struct comparison *comparison, enum build build)
{
	return comparison->builds[build].profile->measurement;
}

/* --- Samples of rows. */

static double sum_of(const double *times, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += times[i];
	return sum;
}

/* The number of observations that the build's stacks are based on. */
static double observations_of(const struct comparison *comparison, enum build build)
{
	const struct profile_measurement *measurement = measurement_in(comparison, build);
	double samples = comparison->builds[build].samples;

	return measurement != NULL ? fmin(samples, (double)measurement->stack_count) : samples;
}

/* Finds the samples of each row, and their weights. Both builds are shown at the old build's sampling rate: the new
 * build has the samples that the same work would have had at that rate. Rounding errors do not accumulate: after each
 * row the sum is right. */
static bool count_row_samples(const struct comparison *comparison, struct stacks_division rows[BUILD_COUNT],
                              double weights[BUILD_COUNT], struct scratch *scratch)
{
	size_t count = comparison->row_count;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		if (!stacks_begin_division(&rows[build], count, scratch))
			return false;
		for (size_t row = 0; row < count; row++)
			rows[build].wholes[row] = time_in(build, &comparison->rows[row].changes[COMPARE_SELF]);
	}
	enum build build = sum_of(rows[BUILD_OLD].wholes, count) > 0 ? BUILD_OLD : BUILD_NEW;
	double whole = sum_of(rows[build].wholes, count);
	double scale = whole > 0 ? comparison->builds[build].samples / whole : 0;

	for (build = 0; build < BUILD_COUNT; build++) {
		double taken = observations_of(comparison, build);

		weights[build] = taken > 0 ? scale * sum_of(rows[build].wholes, count) / taken : 0;
		stacks_round(rows[build].wholes, scale, count, rows[build].samples);
	}
	return true;
}

/* --- Estimated stacks. */

static bool make_row_graph(const struct comparison *comparison, enum build build,
                           const struct stacks_division *row_samples, struct scratch *arrays,
                           struct stacks_graph *graph)
{
	size_t rows = comparison->row_count, count = 0;
	size_t *cycles = scratch_array(arrays, rows, sizeof *cycles);
	struct stacks_arc *arcs = scratch_array(arrays, comparison->arc_count, sizeof *arcs);

	if (arrays->is_short_of_memory)
		return false;
	for (size_t row = 0; row < rows; row++)
		cycles[row] = comparison->rows[row].cycles[build];
	for (size_t i = 0; i < comparison->arc_count; i++) {
		const struct compare_arc *arc = &comparison->arcs[i];
		double time = time_in(build, &arc->changes[COMPARE_TOTAL]);

		if (time > 0 && compare_arc_is_timed(comparison, build, arc))
			arcs[count++] = (struct stacks_arc){arc->caller, arc->callee, time};
	}
	*graph = (struct stacks_graph){rows, row_samples->wholes, row_samples->samples, cycles, arcs, count};
	return true;
}

static bool estimate_stacks(const struct comparison *comparison, const struct stacks_division rows[BUILD_COUNT],
                            struct stacks *stacks)
{
	struct scratch arrays = {.count = 0};
	struct stacks_graph graphs[BUILD_COUNT];
	bool ok = make_row_graph(comparison, BUILD_OLD, &rows[BUILD_OLD], &arrays, &graphs[BUILD_OLD]) &&
	          make_row_graph(comparison, BUILD_NEW, &rows[BUILD_NEW], &arrays, &graphs[BUILD_NEW]) &&
	          stacks_expand(graphs, BUILD_COUNT, stacks);

	scratch_free(&arrays);
	return ok;
}

/* --- Measured stacks. */

struct path_collection {
	const struct comparison *comparison;
	enum build build;
	struct stacks_division *rows;
	struct stacks *stacks;
};

/* The row of a node, or the number that stands for "more callers". */
static size_t row_of(const struct path_collection *collection, size_t node)
{
	const struct comparison *comparison = collection->comparison;

	return node == PROFILE_NONE ? comparison->row_count : comparison->builds[collection->build].row_of_node[node];
}

static enum status add_measured_path(void *context, const struct profile_path *path, struct error *error)
{
	const struct path_collection *collection = context;
	const struct compare_build *build = &collection->comparison->builds[collection->build];
	size_t rows[STACKS_DEPTH_MAX + 1], sampled = row_of(collection, path->nodes[path->depth - 1]);

	for (size_t i = 0; i < path->depth; i++)
		rows[i] = row_of(collection, path->nodes[i]);
	uint64_t samples = stacks_divide(collection->rows, sampled, path->time / build->work);
	return stacks_add(collection->stacks, collection->build, rows, path->depth, samples)
	               ? STATUS_OK
	               : status_no_memory(error, build->image->path);
}

/* Collects the paths of both profiles, with rows instead of nodes. */
static bool collect_measured_stacks(const struct comparison *comparison, struct stacks_division rows[BUILD_COUNT],
                                    struct stacks *stacks)
{
	struct error error;
	bool ok = stacks_begin(stacks, comparison->row_count);

	for (enum build build = 0; ok && build < BUILD_COUNT; build++) {
		struct path_collection collection = {comparison, build, &rows[build], stacks};

		ok = analysis_each_path(comparison->builds[build].profile, add_measured_path, &collection, &error) ==
		     STATUS_OK;
	}
	return ok;
}

/* --- Both. */

bool stacks_are_measured(const struct comparison *comparison)
{
	return measurement_in(comparison, BUILD_OLD) != NULL && measurement_in(comparison, BUILD_NEW) != NULL;
}

bool stacks_of_builds(const struct comparison *comparison, struct stacks *stacks, double weights[BUILD_COUNT])
{
	struct scratch scratch = {.count = 0};
	struct stacks_division rows[BUILD_COUNT];
	bool ok = count_row_samples(comparison, rows, weights, &scratch) &&
	          (stacks_are_measured(comparison) ? collect_measured_stacks(comparison, rows, stacks)
	                                           : estimate_stacks(comparison, rows, stacks));

	scratch_free(&scratch);
	return ok;
}

const char *stacks_text(const struct comparison *comparison)
{
	if (stacks_are_measured(comparison))
		return "paths as measured from stacks";
	if (measurement_in(comparison, BUILD_OLD) != NULL || measurement_in(comparison, BUILD_NEW) != NULL)
		return "no callers, because only one build has stacks";
	return "paths as gprof's propagation implies: calls of a function are assumed to cost the same";
}
