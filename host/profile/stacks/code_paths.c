/* SPDX-License-Identifier: MIT */
/* Call paths whose last function is divided into its sampled code. */
#include "base/array.h"
#include "profile/lines.h"
#include "profile/paths.h"
#include "profile/stacks/stacks.h"

/* The code of a node that its next samples are on. */
struct cursor {
	size_t next, end; /* indices into code */
	uint64_t left;    /* samples of code `next` that no path has received yet */
};

struct division {
	const struct profile_code *code;
	uint64_t *samples;      /* by code */
	struct cursor *cursors; /* by node */
	struct scratch scratch;
	analysis_path_found *found;
	void *context;
};

/* Finds the code of each node, and rounds its samples so that the sum up to any piece of the node's code is right. */
static void find_code_of_nodes(const struct profile *profile, struct division *division)
{
	double sum = 0;
	uint64_t rounded = 0;

	for (size_t i = 0; i < profile->sampled_code_count; i++) {
		struct cursor *cursor = &division->cursors[division->code[i].node];

		if (cursor->end == 0) {
			cursor->next = i;
			sum = 0;
			rounded = 0;
		}
		cursor->end = i + 1;
		sum += division->code[i].samples;
		division->samples[i] = profile_count_of(sum) - rounded;
		rounded += division->samples[i];
		cursor->left = division->samples[cursor->next];
	}
}

static enum status pass_on(const struct division *division, const struct profile_path *path, uint64_t address,
                           uint64_t samples, struct error *error)
{
	struct profile_path part = *path;

	part.address = address;
	part.samples = samples;
	part.time = path->samples == 0 ? path->time : path->time * ((double)samples / (double)path->samples);
	return division->found(division->context, &part, error);
}

static enum status divide_path(void *context, const struct profile_path *path, struct error *error)
{
	const struct division *division = context;
	struct cursor *cursor = &division->cursors[path->nodes[path->depth - 1]];
	uint64_t left = path->samples;
	enum status status = STATUS_OK;

	while (left > 0 && cursor->next < cursor->end && status == STATUS_OK) {
		uint64_t taken = left < cursor->left ? left : cursor->left;

		if (taken > 0)
			status = pass_on(division, path, division->code[cursor->next].low, taken, error);
		left -= taken;
		cursor->left -= taken;
		if (cursor->left == 0 && ++cursor->next < cursor->end)
			cursor->left = division->samples[cursor->next];
	}
	if (status == STATUS_OK && (left > 0 || path->samples == 0))
		status = pass_on(division, path, 0, left, error);
	return status;
}

enum status analysis_each_code_path(const struct profile *profile, analysis_path_found *found, void *context,
                                    struct error *error)
{
	struct division division = {.code = profile->sampled_code, .found = found, .context = context};
	enum status status = STATUS_OK;

	division.cursors = scratch_array(&division.scratch, profile->node_count, sizeof *division.cursors);
	division.samples = scratch_array(&division.scratch, profile->sampled_code_count, sizeof *division.samples);
	if (division.scratch.is_short_of_memory) {
		status = status_fail(error, "out of memory for the code of %zu functions", profile->node_count);
	} else {
		find_code_of_nodes(profile, &division);
		status = analysis_each_path(profile, divide_path, &division, error);
	}
	scratch_free(&division.scratch);
	return status;
}
