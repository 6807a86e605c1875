/* SPDX-License-Identifier: MIT */
/* The two columns of difffolded.pl, which flamegraph.pl reads: stacks with their samples in the old build and in the
 * new one. They are an estimate: see stacks.h. */
#include "base/array.h"
#include "base/text/escape.h"
#include "diff/formats/output.h"
#include "profile/analysis/stacks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frames still to be printed, the next one last. */
struct pending {
	const char *name;
	size_t frame;
};

struct folder {
	struct stacks stacks;
	const struct notes *notes;
	size_t row_count;
	struct pending *pending;
	size_t pending_count;
	FILE *stream;
};

/* A semicolon would end the frame. */
static void print_frame(FILE *stream, const char *name)
{
	static const struct escape escapes[] = {{';', ":"}, {'\0', NULL}};

	escape_print(stream, name, escapes, "\\x");
}

static const char *name_of(const struct folder *folder, size_t node)
{
	return node == folder->row_count ? STACKS_CUT_NAME : notes_name(folder->notes, node);
}

static void print_stack(const struct folder *folder, size_t frame)
{
	size_t path[STACKS_DEPTH_MAX + 1], depth = folder->stacks.frames[frame].depth;

	for (size_t i = depth; i > 0; i--) {
		path[i - 1] = folder->stacks.frames[frame].node;
		frame = folder->stacks.frames[frame].parent;
	}
	for (size_t i = 0; i < depth; i++) {
		fputs(i == 0 ? "" : ";", folder->stream);
		print_frame(folder->stream, name_of(folder, path[i]));
	}
}

static void print_line(const struct folder *folder, size_t frame)
{
	const uint64_t *samples = folder->stacks.frames[frame].samples;

	if (samples[BUILD_OLD] == 0 && samples[BUILD_NEW] == 0)
		return;
	print_stack(folder, frame);
	fprintf(folder->stream, " %" PRIu64 " %" PRIu64 "\n", samples[BUILD_OLD], samples[BUILD_NEW]);
}

/* Falling order, because the last one is printed first. */
static int compare_pending(const void *left, const void *right)
{
	const struct pending *a = left, *b = right;
	int by_name = strcmp(b->name, a->name);

	return by_name != 0 ? by_name : (a->frame < b->frame) - (a->frame > b->frame);
}

static void push_children(struct folder *folder, size_t frame)
{
	const struct stacks *stacks = &folder->stacks;
	size_t first = folder->pending_count;

	for (size_t i = stacks->frames[frame].first_child; i != STACKS_ROOT; i = stacks->frames[i].next_sibling)
		folder->pending[folder->pending_count++] = (struct pending){name_of(folder, stacks->frames[i].node), i};
	qsort(folder->pending + first, folder->pending_count - first, sizeof *folder->pending, compare_pending);
}

static void print_stacks(struct folder *folder)
{
	push_children(folder, STACKS_ROOT);
	while (folder->pending_count > 0) {
		size_t frame = folder->pending[--folder->pending_count].frame;

		print_line(folder, frame);
		push_children(folder, frame);
	}
}

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

/* Fills in the samples of both graphs. Both columns have the samples of the old build per time: the new one shows those
 * that the same work would have had. Rounding errors do not add up: the sum so far is right. */
static void count_samples(const struct comparison *comparison, const struct stacks_graph *graphs,
                          uint64_t *const *samples)
{
	enum build build = sum_of_times(&graphs[BUILD_OLD]) > 0 ? BUILD_OLD : BUILD_NEW;
	double whole = sum_of_times(&graphs[build]);
	double scale = whole > 0 ? comparison->builds[build].samples / whole : 0;

	for (build = 0; build < BUILD_COUNT; build++)
		stacks_round(graphs[build].self_times, scale, graphs[build].node_count, samples[build]);
}

static bool expand(const struct comparison *comparison, struct stacks *stacks)
{
	struct scratch arrays = {.count = 0};
	struct stacks_graph graphs[BUILD_COUNT];
	uint64_t *samples[BUILD_COUNT];
	bool is_done = make_graph(comparison, BUILD_OLD, &arrays, &graphs[BUILD_OLD], &samples[BUILD_OLD]) &&
	               make_graph(comparison, BUILD_NEW, &arrays, &graphs[BUILD_NEW], &samples[BUILD_NEW]);

	if (is_done) {
		count_samples(comparison, graphs, samples);
		is_done = stacks_expand(graphs, BUILD_COUNT, stacks);
	}
	scratch_free(&arrays);
	return is_done;
}

static enum status write_folded(const struct output *output, struct error *error)
{
	const struct comparison *comparison = output->comparison;
	struct folder folder = {.notes = output->notes, .row_count = comparison->row_count, .stream = output->stream};
	enum status status = STATUS_OK;

	if (expand(comparison, &folder.stacks))
		folder.pending = calloc(folder.stacks.count, sizeof *folder.pending);
	if (folder.pending == NULL)
		status = status_fail(error, "out of memory for the stacks of %zu functions", comparison->row_count);
	else
		print_stacks(&folder);
	free(folder.pending);
	stacks_free(&folder.stacks);
	return status;
}

const struct diff_format diff_folded = {
        .name = "folded",
        .summary = "stacks with old and new samples, for flamegraph.pl",
        .write = write_folded,
};
