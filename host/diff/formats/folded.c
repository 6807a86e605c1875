/* SPDX-License-Identifier: MIT */
/* The two columns of difffolded.pl, which flamegraph.pl reads: stacks with their samples in the old build and in the
 * new one. See stacks.h. */
#include "base/text/escape.h"
#include "diff/formats/output.h"
#include "diff/formats/stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Frames still to be printed, the next one last. */
struct pending {
	const char *name;
	size_t frame;
};

struct folded_output {
	struct stacks stacks;
	const struct notes *notes;
	size_t row_count;
	struct pending *pending;
	size_t pending_count;
	FILE *stream;
};

static const char *name_of(const struct folded_output *folder, size_t node)
{
	return node == folder->row_count ? STACKS_CUT_NAME : notes_name(folder->notes, node);
}

static void print_folded_stack(const struct folded_output *folder, size_t frame)
{
	/* A semicolon would end the frame. */
	static const struct escape escapes[] = {{';', ":"}, {'\0', NULL}};
	const struct stacks_frame *frames = folder->stacks.frames;
	const uint64_t *samples = frames[frame].samples;
	size_t path[STACKS_DEPTH_MAX + 1], depth = frames[frame].depth;

	if (samples[BUILD_OLD] == 0 && samples[BUILD_NEW] == 0)
		return;
	for (size_t i = depth; i > 0; i--) {
		path[i - 1] = frames[frame].node;
		frame = frames[frame].parent;
	}
	for (size_t i = 0; i < depth; i++) {
		fputs(i == 0 ? "" : ";", folder->stream);
		escape_print(folder->stream, name_of(folder, path[i]), escapes, "\\x");
	}
	fprintf(folder->stream, " %" PRIu64 " %" PRIu64 "\n", samples[BUILD_OLD], samples[BUILD_NEW]);
}

/* In falling order, because frames are printed from the last on. */
static int compare_pending(const void *left, const void *right)
{
	const struct pending *a = left, *b = right;
	int by_name = strcmp(b->name, a->name);

	return by_name != 0 ? by_name : (a->frame < b->frame) - (a->frame > b->frame);
}

static void push_children(struct folded_output *folder, size_t frame)
{
	const struct stacks *stacks = &folder->stacks;
	size_t first = folder->pending_count;

	for (size_t i = stacks->frames[frame].first_child; i != STACKS_ROOT; i = stacks->frames[i].next_sibling)
		folder->pending[folder->pending_count++] = (struct pending){name_of(folder, stacks->frames[i].node), i};
	qsort(folder->pending + first, folder->pending_count - first, sizeof *folder->pending, compare_pending);
}

static enum status write_folded_diff(const struct diff_output *output, struct error *error)
{
	const struct comparison *comparison = output->comparison;
	struct folded_output folder = {
	        .notes = &output->notes, .row_count = comparison->row_count, .stream = output->stream};
	enum status status = STATUS_OK;
	double weights[BUILD_COUNT];

	if (stacks_of_builds(comparison, &folder.stacks, weights))
		folder.pending = calloc(folder.stacks.count, sizeof *folder.pending);
	if (folder.pending == NULL) {
		status = status_fail(error, "out of memory for the stacks of %zu functions", comparison->row_count);
	} else {
		push_children(&folder, STACKS_ROOT);
		while (folder.pending_count > 0) {
			size_t frame = folder.pending[--folder.pending_count].frame;

			print_folded_stack(&folder, frame);
			push_children(&folder, frame);
		}
	}
	free(folder.pending);
	stacks_free(&folder.stacks);
	return status;
}

const struct diff_format diff_folded = {
        .name = "folded",
        .summary = "stacks with old and new samples, for flamegraph.pl",
        .write = write_folded_diff,
};
