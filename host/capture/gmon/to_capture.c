/* SPDX-License-Identifier: MIT */
/*
 * Conversion of gmon.out to a capture, so that all commands accept it. The capture has no board, ticks or losses; its
 * blocks are marked is_gmon.
 */
#include "capture/gmon/private.h"

#include "capture/count.h"

#include <bareprof/block.h>
#include <math.h>
#include <string.h>

#define RANGES_MAX (sizeof((struct capture_block *)0)->ranges / sizeof(struct capture_range))

/* The offset of a bin from the start of its histogram, rounded down or up to whole bytes. Cannot overflow, because the
 * bins fit in memory. */
static uint64_t offset_of_bin(const struct gmon_histogram *histogram, uint64_t bin, bool rounded_up)
{
	uint64_t bytes = histogram->high - histogram->low, bins = histogram->bin_count;
	uint64_t part = bytes % bins * bin;

	return bytes / bins * bin + part / bins + (rounded_up && part % bins != 0);
}

static uint32_t whole_bin_size(const struct gmon_histogram *histogram)
{
	uint64_t bytes = histogram->high - histogram->low, bins = histogram->bin_count;
	uint64_t size = bytes / bins + (bytes % bins != 0);

	return size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

/* Adds the samples of all bins to *samples; returns the number of bins that have any. */
static size_t count_bin_samples(const struct gmon_histogram *histogram, uint64_t *samples)
{
	size_t bins = 0;

	for (size_t i = 0; i < histogram->bin_count; i++) {
		bins += histogram->bins[i] != 0;
		count_add(samples, histogram->bins[i]);
	}
	return bins;
}

static void add_cells_of_bins(struct capture_block *block, const struct gmon_histogram *histogram)
{
	block->ranges[block->range_count++] = (struct capture_range){histogram->low, histogram->high};
	uint32_t bin_size = whole_bin_size(histogram);
	block->bin_size = bin_size > block->bin_size ? bin_size : block->bin_size;
	for (size_t i = 0; i < histogram->bin_count; i++) {
		if (histogram->bins[i] == 0)
			continue;
		block->cells[block->cell_count++] = (struct capture_cell){
		        .low = histogram->low + offset_of_bin(histogram, i, false),
		        .high = histogram->low + offset_of_bin(histogram, i + 1, true),
		        .count = histogram->bins[i],
		        .context = CAPTURE_NO_CONTEXT,
		};
	}
}

/* Fills the cells of a block from histograms[first..end). */
static bool fill_cells_from_bins(struct capture_block *block, const struct gmon *gmon, size_t first, size_t end)
{
	size_t cells = 0;

	for (size_t i = first; i < end; i++)
		cells += count_bin_samples(&gmon->histograms[i], &block->header.ticks);
	block->cells = calloc(cells + 1, sizeof *block->cells);
	if (block->cells == NULL)
		return false;
	for (size_t i = first; i < end; i++)
		add_cells_of_bins(block, &gmon->histograms[i]);
	qsort(block->cells, block->cell_count, sizeof *block->cells, capture_compare_cells);
	return true;
}

/* Leaves out static calls, which have no count. Arcs to address 0, whose callee was lost, count as in flight. */
static bool fill_arcs(struct capture_block *block, const struct gmon *gmon)
{
	block->arcs = calloc(gmon->arc_count + 1, sizeof *block->arcs);
	for (size_t i = 0; block->arcs != NULL && i < gmon->arc_count; i++) {
		const struct gmon_arc *arc = &gmon->arcs[i];

		if (arc->count != 0 && arc->self == 0)
			block->arcs_in_flight++;
		else if (arc->count != 0)
			block->arcs[block->arc_count++] = (struct capture_arc){
			        .caller = arc->from,
			        .callee = arc->self,
			        .count = arc->count,
			        .context = CAPTURE_NO_CONTEXT,
			};
	}
	return block->arcs != NULL;
}

static struct capture_header make_capture_header(const struct gmon *gmon, const struct capture_order *order)
{
	uint32_t hertz = 0;

	if (gmon_counts_seconds(&gmon->unit))
		gmon_whole_hertz(gmon->unit.hertz, &hertz);
	return (struct capture_header){
	        .order = *order,
	        .major = BAREPROF_FORMAT_MAJOR,
	        .clock_hz = hertz,
	        .period = 1,
	        .state = BAREPROF_STATE_STOPPED,
	        .ticks_missed = CAPTURE_UNKNOWN,
	};
}

/* A block has room for a few ranges, so histograms beyond them get blocks of their own. */
static bool fill_blocks(struct capture *capture, const struct gmon *gmon, const struct capture_order *order)
{
	size_t blocks = gmon->histogram_count == 0 ? 1 : (gmon->histogram_count - 1) / RANGES_MAX + 1;

	capture->blocks = calloc(blocks, sizeof *capture->blocks);
	for (size_t i = 0; capture->blocks != NULL && i < blocks; i++) {
		struct capture_block *block = &capture->blocks[capture->block_count++];
		size_t first = i * RANGES_MAX, left = gmon->histogram_count - first;
		size_t end = first + (left < RANGES_MAX ? left : RANGES_MAX);

		block->header = make_capture_header(gmon, order);
		block->is_gmon = true;
		if (!fill_cells_from_bins(block, gmon, first, end))
			return false;
	}
	if (capture->blocks == NULL)
		return false;
	capture->blocks[0].basic_block_count = gmon->basic_block_count;
	return fill_arcs(&capture->blocks[0], gmon);
}

/* Cycles or events cannot be added to seconds. */
static enum status check_dimension(const char *path, const struct gmon *gmon, struct error *error)
{
	const struct gmon_unit *unit = &gmon->unit;

	if (gmon->histogram_count == 0 || gmon_counts_seconds(unit) || gmon_counts_samples(unit))
		return STATUS_OK;
	return status_fail(error, "%s: its samples stand for %s, not seconds: bareprof gprof reads it", path,
	                   unit->dimension[0] != '\0' ? unit->dimension : "nothing that has a name");
}

enum status gmon_to_capture(const char *path, const struct gmon *gmon, const struct capture_order *order,
                            struct capture **capture, struct error *error)
{
	enum status status = check_dimension(path, gmon, error);

	if (status != STATUS_OK)
		return status;
	struct capture *converted = calloc(1, sizeof *converted);
	if (converted != NULL)
		converted->path = strdup(path);
	if (converted == NULL || converted->path == NULL || !fill_blocks(converted, gmon, order)) {
		capture_close(converted);
		return status_no_memory(error, path);
	}
	*capture = converted;
	return STATUS_OK;
}
