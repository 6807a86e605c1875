/* SPDX-License-Identifier: MIT */
/* The call paths of a measured profile, see measure.h: its stacks as functions, without addresses of calls. */
#include "base/array.h"
#include "base/search.h"
#include "profile/stacks/measure.h"
#include "profile/stacks/stacks.h"

#include <stdlib.h>

/* A stack, whose frames have the innermost first, as a path, which has the outermost first. */
struct seen_path {
	const struct profile_stack *stack;
	size_t depth; /* at most STACKS_DEPTH_MAX, including the mark for omitted callers */
	bool is_cut;  /* callers are omitted */
};

/* A borrowed stack may have known functions above an unknown caller. They divide time correctly on average, but a path
 * with them would show a call that was never seen. So the path begins with the unknown caller. */
static struct seen_path path_of(const struct profile *profile, const struct profile_stack *stack)
{
	size_t depth = 1;

	while (depth < stack->depth && profile->nodes[stack->frames[depth - 1].node].kind != PROFILE_UNKNOWN_CALLER)
		depth++;
	bool is_cut = depth > STACKS_DEPTH_MAX;
	return (struct seen_path){stack, is_cut ? STACKS_DEPTH_MAX : depth, is_cut};
}

/* The node at a position, 0 being the outermost. PROFILE_NONE stands for omitted callers, and comes last. */
static size_t node_at(const struct seen_path *path, size_t position)
{
	return path->is_cut && position == 0 ? PROFILE_NONE : path->stack->frames[path->depth - 1 - position].node;
}

static int compare_paths(const void *left, const void *right)
{
	const struct seen_path *a = left, *b = right;

	for (size_t i = 0; i < a->depth && i < b->depth; i++)
		if (node_at(a, i) != node_at(b, i))
			return compare_numbers(node_at(a, i), node_at(b, i));
	return compare_numbers(a->depth, b->depth);
}

struct measured_walk {
	const struct profile *profile;
	struct seen_path *paths;
	size_t count;
	struct stacks_division samples; /* samples of nodes */
	struct scratch scratch;         /* storage of the above */
	analysis_path_found *found;
	void *context;
};

static bool prepare_measured_walk(struct measured_walk *walk)
{
	const struct profile *profile = walk->profile;
	const struct profile_measurement *measurement = profile->measurement;

	walk->paths = scratch_array(&walk->scratch, measurement->count, sizeof *walk->paths);
	if (walk->paths == NULL || !stacks_begin_division(&walk->samples, profile->node_count, &walk->scratch))
		return false;
	for (size_t i = 0; i < measurement->count; i++)
		walk->paths[walk->count++] = path_of(profile, &measurement->stacks[i]);
	if (walk->count > 0)
		qsort(walk->paths, walk->count, sizeof *walk->paths, compare_paths);
	for (size_t i = 0; i < profile->node_count; i++)
		walk->samples.wholes[i] = profile->nodes[i].self_samples;
	stacks_round(walk->samples.wholes, 1, profile->node_count, walk->samples.samples);
	return true;
}

/* Stacks with the same functions, called at different addresses, are one path. */
static enum status report_path(struct measured_walk *walk, size_t first, size_t end, struct error *error)
{
	const struct seen_path *seen = &walk->paths[first];
	size_t nodes[STACKS_DEPTH_MAX + 1];
	double samples = 0;
	struct profile_path path = {.nodes = nodes, .depth = seen->depth};

	for (size_t i = 0; i < seen->depth; i++)
		nodes[i] = node_at(seen, i);
	for (size_t i = first; i < end; i++) {
		samples += walk->paths[i].stack->samples;
		path.time += walk->paths[i].stack->time;
	}
	size_t leaf = seen->stack->frames[0].node;
	path.samples = stacks_divide(&walk->samples, leaf, samples);
	return walk->found(walk->context, &path, error);
}

enum status measured_each_path(const struct profile *profile, analysis_path_found *found, void *context,
                               struct error *error)
{
	struct measured_walk walk = {.profile = profile, .found = found, .context = context};
	enum status status =
	        prepare_measured_walk(&walk)
	                ? STATUS_OK
	                : status_fail(error, "out of memory for the stacks of %zu functions", profile->node_count);

	for (size_t first = 0, end; status == STATUS_OK && first < walk.count; first = end) {
		for (end = first + 1; end < walk.count && compare_paths(&walk.paths[first], &walk.paths[end]) == 0;)
			end++;
		status = report_path(&walk, first, end, error);
	}
	scratch_free(&walk.scratch);
	return status;
}
