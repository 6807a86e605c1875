/* SPDX-License-Identifier: MIT */
/* The call paths of a profile: its measured stacks or, without stacks, the paths that its propagation implies. */
#include "profile/paths.h"

#include "base/array.h"
#include "profile/stacks/measure.h"
#include "profile/stacks/stacks.h"

struct path_walk {
	const struct profile *profile;
	const struct stacks_graph *graph;
	const struct stacks *stacks;
	analysis_path_found *found;
	void *context;
	size_t *path;
};

/* Rounds the samples of nodes to whole samples. exact: a buffer with an item for each node. */
static uint64_t *make_samples(const struct profile *profile, double *exact, struct scratch *scratch)
{
	uint64_t *samples = scratch_array(scratch, profile->node_count, sizeof *samples);

	if (scratch->is_short_of_memory)
		return NULL;
	for (size_t i = 0; i < profile->node_count; i++)
		exact[i] = profile->nodes[i].self_samples;
	stacks_round(exact, 1, profile->node_count, samples);
	return samples;
}

static bool make_stacks_graph(const struct profile *profile, struct scratch *scratch, struct stacks_graph *graph)
{
	size_t count = 0;
	double *self_times = scratch_array(scratch, profile->node_count, sizeof *self_times);
	size_t *cycles = scratch_array(scratch, profile->node_count, sizeof *cycles);
	struct stacks_arc *arcs = scratch_array(scratch, profile->arc_count, sizeof *arcs);
	uint64_t *samples = make_samples(profile, self_times, scratch);

	if (samples == NULL)
		return false;
	for (size_t i = 0; i < profile->node_count; i++) {
		self_times[i] = profile->nodes[i].self_time;
		cycles[i] = profile->nodes[i].cycle == PROFILE_NONE ? 0 : profile->nodes[i].cycle + 1;
	}
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		double time = arc->self_time + arc->child_time;

		if (time > 0 && profile_arc_is_timed(profile, arc))
			arcs[count++] = (struct stacks_arc){arc->caller, arc->callee, time};
	}
	*graph = (struct stacks_graph){profile->node_count, self_times, samples, cycles, arcs, count};
	return true;
}

/* The time of a node is divided among its stacks by their samples. */
static double time_of_frame(const struct path_walk *walk, const struct stacks_frame *frame)
{
	double time = walk->graph->self_times[frame->node];
	uint64_t samples = walk->graph->samples[frame->node];

	return samples == 0 ? time : time * ((double)frame->samples[0] / (double)samples);
}

static enum status end_path(const struct path_walk *walk, const struct stacks_frame *frame, struct error *error)
{
	const struct profile_path path = {
	        .nodes = walk->path,
	        .depth = frame->depth,
	        .samples = frame->samples[0],
	        .time = time_of_frame(walk, frame),
	};

	return walk->found(walk->context, &path, error);
}

/* Depth first. */
static enum status walk_stacks(const struct path_walk *walk, struct error *error)
{
	const struct stacks_frame *frames = walk->stacks->frames;
	enum status status = STATUS_OK;
	size_t frame = frames[STACKS_ROOT].first_child;

	while (frame != STACKS_ROOT && status == STATUS_OK) {
		bool is_cut = frames[frame].node == walk->graph->node_count;

		walk->path[frames[frame].depth - 1] = is_cut ? PROFILE_NONE : frames[frame].node;
		if (frames[frame].is_end)
			status = end_path(walk, &frames[frame], error);
		if (frames[frame].first_child != STACKS_ROOT) {
			frame = frames[frame].first_child;
			continue;
		}
		while (frame != STACKS_ROOT && frames[frame].next_sibling == STACKS_ROOT)
			frame = frames[frame].parent;
		frame = frames[frame].next_sibling;
	}
	return status;
}

enum status analysis_each_path(const struct profile *profile, analysis_path_found *found, void *context,
                               struct error *error)
{
	struct scratch scratch = {.count = 0};
	struct stacks_graph graph;
	struct stacks stacks = {.count = 0};
	size_t path[STACKS_DEPTH_MAX + 1];
	enum status status = STATUS_OK;

	if (profile->measurement != NULL)
		return measured_each_path(profile, found, context, error);
	if (make_stacks_graph(profile, &scratch, &graph) && stacks_expand(&graph, 1, &stacks)) {
		const struct path_walk walk = {profile, &graph, &stacks, found, context, path};

		status = walk_stacks(&walk, error);
	} else {
		status = status_fail(error, "out of memory for the stacks of %zu functions", profile->node_count);
	}
	stacks_free(&stacks);
	scratch_free(&scratch);
	return status;
}
