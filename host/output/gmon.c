/* SPDX-License-Identifier: MIT */
/*
 * gmon.out, version 1, for GNU gprof and its friends (GNU gprof manual, "Profiling Data File Format"; gmon_out.h): one
 * histogram record per range, then an arc record per arc. Integers are the target's. Bins are 16 bits wide, so larger
 * counts become further records of the same range, which readers add up. A table of granules becomes bins of that size.
 * The recorder's own samples and those of no known function (coarse bins, the secure world) are left out.
 */
#include "output/output.h"

#include <math.h>
#include <stdlib.h>

#define TAG_HISTOGRAM       0
#define TAG_ARC             1
#define BIN_MAX             0xFFFFu
#define HISTOGRAM_BYTES_MAX ((uint64_t)64 << 20) /* of one range, all records */
#define ARC_RECORDS_MAX     16u                  /* of one arc */

/* Where the integers go, and in which order. */
struct gmon {
	const struct profile *profile;
	FILE *stream;
	bool big_endian;
	unsigned address_size;
	uint32_t hertz;
};

static void put_integer(const struct gmon *gmon, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned byte = gmon->big_endian ? size - 1 - i : i;
		fputc((int)(value >> (8 * byte) & 0xFF), gmon->stream);
	}
}

static void put_header(const struct gmon *gmon)
{
	fwrite("gmon", 1, 4, gmon->stream);
	put_integer(gmon, 1, 4);
	for (int i = 0; i < 12; i++)
		fputc(0, gmon->stream);
}

/* The cell's samples without those of the recorder itself, by the bytes that each covers. */
static uint64_t exported_count(const struct gmon *gmon, const struct capture_cell *cell)
{
	const struct capture_range *recorder = &gmon->profile->recorder;
	uint64_t low = recorder->start > cell->low ? recorder->start : cell->low;
	uint64_t high = recorder->end < cell->high ? recorder->end : cell->high;
	if (high <= low)
		return cell->count;
	double kept = (double)(cell->high - cell->low - (high - low)) / (double)(cell->high - cell->low);
	return (uint64_t)llround((double)cell->count * kept);
}

static void put_histogram_header(const struct gmon *gmon, uint64_t low, uint64_t high, uint64_t bins)
{
	static const char dimension[15] = "seconds";
	put_integer(gmon, TAG_HISTOGRAM, 1);
	put_integer(gmon, low, gmon->address_size);
	put_integer(gmon, high, gmon->address_size);
	put_integer(gmon, bins, 4);
	put_integer(gmon, gmon->hertz, 4);
	fwrite(dimension, 1, sizeof dimension, gmon->stream);
	fputc('s', gmon->stream);
}

/* Writes up to BIN_MAX of each count and takes it away. */
static void put_bins(const struct gmon *gmon, uint64_t *counts, uint64_t bins)
{
	for (uint64_t i = 0; i < bins; i++) {
		uint64_t part = counts[i] < BIN_MAX ? counts[i] : BIN_MAX;
		put_integer(gmon, part, 2);
		counts[i] -= part;
	}
}

/* What one range becomes: bins of its own, all of one size, so that the last may reach behind the range's end. */
struct histogram {
	uint64_t low, high, bins;
	uint32_t bin_size;
};

/* The counts of one range's bins, for the caller to free; NULL when memory runs out. */
static uint64_t *count_range(const struct gmon *gmon, const struct capture_block *block,
                             const struct histogram *histogram)
{
	uint64_t *counts = calloc(histogram->bins + 1, sizeof *counts);
	for (size_t i = 0; counts != NULL && i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];
		if (!cell->coarse && cell->low >= histogram->low && cell->low < histogram->high)
			counts[(cell->low - histogram->low) / histogram->bin_size] += exported_count(gmon, cell);
	}
	return counts;
}

/* Bins begin where the range does, granules at a multiple of their size. */
static uint64_t start_of_bins(const struct capture_block *block, const struct capture_range *range)
{
	return block->bin_size > 0 ? range->start : range->start & ~(uint64_t)(block->granule_size - 1);
}

static enum status plan_histogram(const struct gmon *gmon, const struct capture *capture,
                                  const struct capture_block *block, const struct capture_range *range,
                                  struct histogram *histogram, struct error *error)
{
	uint64_t last_address = gmon->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	histogram->bin_size = block->bin_size > 0 ? block->bin_size : block->granule_size;
	histogram->low = start_of_bins(block, range);
	uint64_t length = range->end == range->start ? 0 : range->end - histogram->low;
	histogram->bins = length / histogram->bin_size + (length % histogram->bin_size != 0);
	if (histogram->bins > (last_address - histogram->low) / histogram->bin_size)
		return status_fail(
		        error,
		        "%s: the last bin of 0x%llx..0x%llx reaches the end of memory, which gmon.out cannot hold",
		        capture->path, (unsigned long long)range->start, (unsigned long long)range->end);
	if (histogram->bins > HISTOGRAM_BYTES_MAX / 2)
		return status_fail(error,
		                   "%s: the range 0x%llx..0x%llx is too wide for gmon.out: %llu bins of %u bytes",
		                   capture->path, (unsigned long long)range->start, (unsigned long long)range->end,
		                   (unsigned long long)histogram->bins, histogram->bin_size);
	histogram->high = histogram->low + histogram->bins * histogram->bin_size;
	for (size_t i = 0; i < block->range_count; i++)
		if (block->ranges[i].start > range->start && start_of_bins(block, &block->ranges[i]) < histogram->high)
			return status_fail(error,
			                   "%s: ranges at 0x%llx and 0x%llx share a bin, which gmon.out cannot hold",
			                   capture->path, (unsigned long long)range->start,
			                   (unsigned long long)block->ranges[i].start);
	return STATUS_OK;
}

/* So many records hold the largest of the counts. */
static uint64_t records_for(const uint64_t *counts, uint64_t bins)
{
	uint64_t largest = 0;
	for (uint64_t i = 0; i < bins; i++)
		if (counts[i] > largest)
			largest = counts[i];
	return largest / BIN_MAX + (largest % BIN_MAX != 0 || largest == 0);
}

static enum status put_range(const struct gmon *gmon, const struct capture *capture, const struct capture_block *block,
                             const struct capture_range *range, struct error *error)
{
	struct histogram histogram = {0};
	enum status status = plan_histogram(gmon, capture, block, range, &histogram, error);
	if (status != STATUS_OK || histogram.bins == 0)
		return status;
	uint64_t *counts = count_range(gmon, block, &histogram);
	if (counts == NULL)
		return status_fail(error, "%s: out of memory", capture->path);
	uint64_t records = records_for(counts, histogram.bins);
	if (records > HISTOGRAM_BYTES_MAX / (2 * histogram.bins)) {
		free(counts);
		return status_fail(error, "%s: a bin holds too many samples for gmon.out: %llu records of %llu bins",
		                   capture->path, (unsigned long long)records, (unsigned long long)histogram.bins);
	}
	for (uint64_t i = 0; i < records; i++) {
		put_histogram_header(gmon, histogram.low, histogram.high, histogram.bins);
		put_bins(gmon, counts, histogram.bins);
	}
	free(counts);
	return STATUS_OK;
}

static void put_arc_record(const struct gmon *gmon, const struct capture_arc *arc, uint64_t count)
{
	put_integer(gmon, TAG_ARC, 1);
	put_integer(gmon, profile_call_site(gmon->profile->image, arc->caller), gmon->address_size);
	put_integer(gmon, arc->callee, gmon->address_size);
	put_integer(gmon, count, 4);
}

static enum status put_arc(const struct gmon *gmon, const struct capture *capture, const struct capture_arc *arc,
                           struct error *error)
{
	uint64_t left = arc->count;
	if (left / UINT32_MAX >= ARC_RECORDS_MAX)
		return status_fail(error, "%s: an arc with %llu calls, too many for gmon.out", capture->path,
		                   (unsigned long long)arc->count);
	for (; left > UINT32_MAX; left -= UINT32_MAX)
		put_arc_record(gmon, arc, UINT32_MAX);
	put_arc_record(gmon, arc, left);
	return STATUS_OK;
}

static enum status put_block(const struct gmon *gmon, const struct capture *capture, const struct capture_block *block,
                             struct error *error)
{
	bool has_samples = block->bin_size > 0 || block->granule_size > 0;
	for (size_t i = 0; has_samples && i < block->range_count; i++) {
		enum status status = put_range(gmon, capture, block, &block->ranges[i], error);
		if (status != STATUS_OK)
			return status;
	}
	for (size_t i = 0; i < block->arc_count; i++) {
		enum status status = put_arc(gmon, capture, &block->arcs[i], error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static uint32_t block_hertz(const struct profile *profile, const struct capture_block *block)
{
	if (profile->time_unit == PROFILE_SAMPLES)
		return 1;
	double hertz = round((double)block->header.clock_hz / block->header.period);
	return hertz < 1 ? 1 : (uint32_t)hertz;
}

/* gmon.out has one rate for all its records. */
static enum status check_rates(struct gmon *gmon, struct error *error)
{
	const struct profile *profile = gmon->profile;
	for (size_t i = 0; i < profile->capture_count; i++) {
		for (size_t j = 0; j < profile->captures[i]->block_count; j++) {
			uint32_t hertz = block_hertz(profile, &profile->captures[i]->blocks[j]);
			if (gmon->hertz != 0 && gmon->hertz != hertz)
				return status_fail(
				        error, "%s: sampled at %u Hz, earlier captures at %u Hz: gmon.out has one rate",
				        profile->captures[i]->path, hertz, gmon->hertz);
			gmon->hertz = hertz;
		}
	}
	return STATUS_OK;
}

static enum status write_gmon(const struct profile *profile, FILE *stream, struct error *error)
{
	struct gmon gmon = {
	        .profile = profile,
	        .stream = stream,
	        .big_endian = profile->image->big_endian,
	        .address_size = profile->image->address_size,
	};
	enum status status = check_rates(&gmon, error);
	if (status != STATUS_OK)
		return status;
	put_header(&gmon);
	for (size_t i = 0; i < profile->capture_count; i++) {
		const struct capture *capture = profile->captures[i];
		for (size_t j = 0; j < capture->block_count; j++) {
			status = put_block(&gmon, capture, &capture->blocks[j], error);
			if (status != STATUS_OK)
				return status;
		}
	}
	return STATUS_OK;
}

const struct output_format output_gmon = {
        .name = "gmon",
        .summary = "gmon.out for GNU gprof and what reads it",
        .binary = true,
        .write = write_gmon,
};
