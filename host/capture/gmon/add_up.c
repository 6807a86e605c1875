/* SPDX-License-Identifier: MIT */
/*
 * Addition of gmon.out files and captures. Histograms are sorted by address, so that overlaps are found in O(n log n)
 * time.
 */
#include "capture/gmon/private.h"

#include "base/array.h"
#include "capture/count.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCALE_TOLERANCE 1e-6
#define UNIT            2u /* the bytes of code in which GNU gprof measures bins */

struct gmon_scale gmon_scale_of(const struct gmon_histogram *histogram)
{
	uint64_t bytes = histogram->high - histogram->low;
	unsigned unit = bytes / UNIT < histogram->bin_count ? 1 : UNIT;
	uint64_t units = bytes / unit;

	return (struct gmon_scale){unit, (double)units / (double)histogram->bin_count};
}

static double bytes_per_bin(const struct gmon_histogram *histogram)
{
	struct gmon_scale scale = gmon_scale_of(histogram);

	return scale.units_per_bin * scale.unit;
}

/* A histogram of the sum or of the addition, to be sorted by address. */
struct entry {
	struct gmon_histogram histogram; /* a copy that shares the bins */
	size_t sequence;
	struct incoming *incoming; /* NULL: the histogram is in the sum */
};

static int compare_range_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->histogram.low != b->histogram.low)
		return a->histogram.low < b->histogram.low ? -1 : 1;
	return a->sequence < b->sequence ? -1 : 1;
}

static bool is_same_range(const struct gmon_histogram *left, const struct gmon_histogram *right)
{
	return left->low == right->low && left->high == right->high;
}

/* The offset of an added histogram, formatted for messages; empty if it does not come from a file. */
struct message_offset {
	char offset[40];
};

static struct message_offset offset_for_message(const struct addition *addition, const struct incoming *incoming)
{
	struct message_offset place = {""};

	if (addition->has_offsets)
		snprintf(place.offset, sizeof place.offset, " offset 0x%zx:", incoming->offset);
	return place;
}

static enum status fail_pair(const struct addition *addition, const struct entry *earlier, const struct entry *later,
                             struct error *error)
{
	const struct entry *of_addition = later->incoming != NULL ? later : earlier;
	const struct entry *other = later->incoming != NULL ? earlier : later;

	return status_fail(error,
	                   "%s:%s histogram of 0x%" PRIx64 "..0x%" PRIx64 " in %zu bins overlaps 0x%" PRIx64
	                   "..0x%" PRIx64 " in %zu bins",
	                   addition->path, offset_for_message(addition, of_addition->incoming).offset,
	                   of_addition->histogram.low, of_addition->histogram.high, of_addition->histogram.bin_count,
	                   other->histogram.low, other->histogram.high, other->histogram.bin_count);
}

/* Any two of the sorted entries must be equal or disjoint. */
static enum status check_overlaps(const struct addition *addition, const struct entry *entries, size_t count,
                                  struct error *error)
{
	for (size_t i = 1; i < count; i++) {
		const struct gmon_histogram *before = &entries[i - 1].histogram, *histogram = &entries[i].histogram;
		bool is_equal = is_same_range(before, histogram) && before->bin_count == histogram->bin_count;

		if (!is_equal && histogram->low < before->high)
			return fail_pair(addition, &entries[i - 1], &entries[i], error);
	}
	return STATUS_OK;
}

static enum status check_scales(const struct addition *addition, const struct gmon *gmon, struct error *error)
{
	if (addition->histogram_count == 0)
		return STATUS_OK;
	const struct gmon_histogram *first =
	        gmon->histogram_count > 0 ? &gmon->histograms[0] : &addition->histograms[0].histogram;
	double scale = bytes_per_bin(first);
	for (size_t i = 0; i < addition->histogram_count; i++) {
		const struct incoming *incoming = &addition->histograms[i];
		double other = bytes_per_bin(&incoming->histogram);

		if (fabs(other - scale) > UNIT * SCALE_TOLERANCE)
			return status_fail(error,
			                   "%s:%s bins of %g bytes, but of %g in the first histogram: different "
			                   "scales",
			                   addition->path, offset_for_message(addition, incoming).offset, other, scale);
	}
	return STATUS_OK;
}

static enum status check_units(const struct addition *addition, const struct gmon *gmon, struct error *error)
{
	if (!addition->has_histogram || !gmon->has_histogram)
		return STATUS_OK;
	return unit_check(addition->path, &addition->unit, &gmon->unit, error);
}

/* Sorted entries of the same range are adjacent. */
static bool is_first_of_range(const struct entry *entries, size_t index)
{
	return index == 0 || !is_same_range(&entries[index - 1].histogram, &entries[index].histogram);
}

static bool needs_bins(const struct entry *entries, size_t index)
{
	return is_first_of_range(entries, index) && entries[index].histogram.bins == NULL;
}

static enum status check_widths(const struct addition *addition, const struct entry *entries, size_t count,
                                struct error *error)
{
	uint64_t bins = 0;
	bool is_any_new = false;

	for (size_t i = 0; i < count; i++) {
		bins += is_first_of_range(entries, i) ? entries[i].histogram.bin_count : 0;
		is_any_new = is_any_new || needs_bins(entries, i);
	}
	if (is_any_new && bins > GMON_BINS_MAX)
		return status_fail(
		        error, "%s: all ranges together are too wide for gmon.out: %" PRIu64 " bins, at most %" PRIu64,
		        addition->path, bins, GMON_BINS_MAX);
	return STATUS_OK;
}

/* Allocates bins for the first histogram of each range that has none. */
static enum status alloc_bins(const struct addition *addition, struct entry *entries, size_t count, struct error *error)
{
	enum status status = check_widths(addition, entries, count, error);

	for (size_t i = 0; status == STATUS_OK && i < count; i++) {
		if (!needs_bins(entries, i))
			continue;
		struct gmon_histogram *histogram = &entries[i].histogram;
		histogram->bins = calloc(histogram->bin_count, sizeof *histogram->bins);
		if (histogram->bins == NULL)
			status = status_no_memory(error, addition->path);
		entries[i].incoming->histogram.bins = histogram->bins;
	}
	return status;
}

static void add_bins(const struct gmon_histogram *sum, const struct gmon_histogram *more)
{
	for (size_t i = 0; i < sum->bin_count; i++)
		count_add(&sum->bins[i], more->bins[i]);
}

static void add_bin_counts(const struct gmon_histogram *sum, const struct incoming *incoming)
{
	for (size_t i = 0; i < incoming->count_count; i++) {
		uint64_t *bin = &sum->bins[incoming->counts[i].bin];

		count_add(bin, incoming->counts[i].count);
	}
}

/* Adds all histograms of a range to the first one and frees the bins of the others. */
static void merge_range_histograms(const struct entry *entries, size_t count)
{
	for (size_t i = 0, first = 0; i < count; i++) {
		struct incoming *incoming = entries[i].incoming;

		if (is_first_of_range(entries, i))
			first = i;
		if (incoming == NULL)
			continue;
		add_bin_counts(&entries[first].histogram, incoming);
		if (i == first || incoming->histogram.bins == NULL)
			continue;
		add_bins(&entries[first].histogram, &incoming->histogram);
		free(incoming->histogram.bins);
		incoming->histogram.bins = NULL;
	}
}

/* Moves the addition's histograms that have bins to the sum, which has room for them. */
static void move_histograms(const struct addition *addition, struct gmon *gmon)
{
	for (size_t i = 0; i < addition->histogram_count; i++) {
		struct gmon_histogram *histogram = &addition->histograms[i].histogram;

		if (histogram->bins != NULL)
			gmon->histograms[gmon->histogram_count++] = *histogram;
		histogram->bins = NULL;
	}
}

static void sort_entries(struct addition *addition, const struct gmon *gmon, struct entry *entries)
{
	size_t count = 0;

	for (size_t i = 0; i < gmon->histogram_count; i++, count++)
		entries[count] = (struct entry){gmon->histograms[i], count, NULL};
	for (size_t i = 0; i < addition->histogram_count; i++, count++)
		entries[count] = (struct entry){addition->histograms[i].histogram, count, &addition->histograms[i]};
	qsort(entries, count, sizeof *entries, compare_range_entries);
}

/* False when out of memory. */
static bool reserve_items(void *items, size_t item_size, size_t count, size_t more)
{
	void *array;

	memcpy(&array, items, sizeof array);
	array = array_reserve_more(array, item_size, count, more);
	if (array == NULL && more > 0)
		return false;
	memcpy(items, &array, sizeof array);
	return true;
}

static bool reserve_all(const struct addition *addition, struct gmon *gmon)
{
	size_t arcs = gmon->arc_count > 0 ? addition->arc_count : 0;

	return reserve_items(&gmon->histograms, sizeof *gmon->histograms, gmon->histogram_count,
	                     addition->histogram_count) &&
	       reserve_items(&gmon->arcs, sizeof *gmon->arcs, gmon->arc_count, arcs) &&
	       reserve_items(&gmon->basic_blocks, sizeof *gmon->basic_blocks, gmon->basic_block_count,
	                     addition->basic_block_count);
}

/* The first file's arcs are moved, not copied. */
static void append_gmon_arcs(struct addition *addition, struct gmon *gmon)
{
	if (gmon->arc_count == 0) {
		free(gmon->arcs);
		gmon->arcs = addition->arcs;
		addition->arcs = NULL;
	} else if (addition->arc_count > 0) {
		memcpy(gmon->arcs + gmon->arc_count, addition->arcs, addition->arc_count * sizeof *gmon->arcs);
	}
	gmon->arc_count += addition->arc_count;
}

static void append_basic_blocks(const struct addition *addition, struct gmon *gmon)
{
	if (addition->basic_block_count > 0)
		memcpy(gmon->basic_blocks + gmon->basic_block_count, addition->basic_blocks,
		       addition->basic_block_count * sizeof *gmon->basic_blocks);
	gmon->basic_block_count += addition->basic_block_count;
}

static void merge_properties(const struct addition *addition, struct gmon *gmon)
{
	if (addition->has_histogram)
		unit_refine(&gmon->unit, &addition->unit);
	gmon->has_histogram = gmon->has_histogram || addition->has_histogram;
	gmon->has_arcs = gmon->has_arcs || addition->has_arcs;
	gmon->file_count++;
	gmon->records = addition->records;
}

enum status addition_join(struct addition *addition, struct gmon *gmon, struct error *error)
{
	size_t count = gmon->histogram_count + addition->histogram_count;
	struct entry *entries = calloc(count + 1, sizeof *entries);

	if (entries == NULL)
		return status_no_memory(error, addition->path);
	sort_entries(addition, gmon, entries);
	enum status status = check_units(addition, gmon, error);
	if (status == STATUS_OK)
		status = check_scales(addition, gmon, error);
	if (status == STATUS_OK)
		status = check_overlaps(addition, entries, count, error);
	if (status == STATUS_OK)
		status = alloc_bins(addition, entries, count, error);
	if (status == STATUS_OK && !reserve_all(addition, gmon))
		status = status_no_memory(error, addition->path);
	if (status == STATUS_OK) {
		merge_range_histograms(entries, count);
		move_histograms(addition, gmon);
		append_gmon_arcs(addition, gmon);
		append_basic_blocks(addition, gmon);
		merge_properties(addition, gmon);
	}
	free(entries);
	return status;
}

void addition_free(struct addition *addition)
{
	for (size_t i = 0; i < addition->histogram_count; i++) {
		free(addition->histograms[i].histogram.bins);
		free(addition->histograms[i].counts);
	}
	free(addition->histograms);
	free(addition->arcs);
	free(addition->basic_blocks);
}

void gmon_free(struct gmon *gmon)
{
	for (size_t i = 0; i < gmon->histogram_count; i++)
		free(gmon->histograms[i].bins);
	free(gmon->histograms);
	free(gmon->arcs);
	free(gmon->basic_blocks);
	*gmon = (struct gmon){0};
}
