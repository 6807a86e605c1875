/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns the bins of gmon.out to symbols as GNU gprof does: in units of two bytes, bounds of bins rounded down
 * to whole units, each symbol credited by the share of the bin that it overlaps (docs/GPROF.md). Bins that are finer
 * than that are counted in bytes. Arithmetic is in GNU gprof's order, so that sums are the same to the last bit.
 */
#include "analysis/analysis.h"

#define UNIT 2u

/* How one histogram's bins lie, in units from address 0. */
struct scale {
	uint64_t unit; /* bytes */
	uint64_t low;
	double units_per_bin;
};

static struct scale scale_of(const struct gmon_histogram *histogram)
{
	uint64_t bytes = histogram->high - histogram->low;
	uint64_t unit = bytes / UNIT < histogram->bin_count ? 1 : UNIT;
	uint64_t units = bytes / unit;
	return (struct scale){
	        .unit = unit,
	        .low = histogram->low / unit,
	        .units_per_bin = (double)units / (double)histogram->bin_count,
	};
}

static uint64_t start_of_bin(const struct scale *scale, size_t bin)
{
	return scale->low + (uint64_t)(scale->units_per_bin * (double)bin);
}

static void credit(struct profile *profile, struct profile_node *node, double samples)
{
	if (!filter_wants(node->marks, profile->all_marks, FILTER_FLAT)) {
		profile->total_time -= samples;
		return;
	}
	node->self_time += samples;
	node->self_samples += samples;
	node->self_variance += samples;
}

/* Shares one bin among the symbols from first on. */
static void assign_bin(struct profile *profile, const struct scale *scale, size_t bin, double samples, size_t first)
{
	uint64_t low = start_of_bin(scale, bin), high = start_of_bin(scale, bin + 1);
	for (size_t i = first; i < profile->image->function_count; i++) {
		struct profile_node *node = &profile->nodes[i];
		uint64_t start = node->address / scale->unit, end = node->end / scale->unit;
		if (high <= start)
			return;
		start = start > low ? start : low;
		end = end < high ? end : high;
		if (end > start)
			credit(profile, node, (double)(end - start) * samples / scale->units_per_bin);
	}
}

static void assign_histogram(struct profile *profile, const struct gmon_histogram *histogram)
{
	const struct scale scale = scale_of(histogram);
	size_t first = 0;
	for (size_t bin = 0; bin < histogram->bin_count; bin++) {
		double samples = (double)histogram->bins[bin];
		if (histogram->bins[bin] == 0)
			continue;
		profile->total_time += samples;
		profile->total_samples += samples;
		uint64_t low = start_of_bin(&scale, bin);
		while (first < profile->image->function_count && profile->nodes[first].end / scale.unit <= low)
			first++;
		assign_bin(profile, &scale, bin, samples, first);
	}
}

enum status analysis_assign_histograms(struct profile *profile, const struct gmon *gmon, struct error *error)
{
	(void)error; /* As every pass; this one needs no memory. */
	for (size_t i = 0; i < gmon->histogram_count; i++)
		assign_histogram(profile, &gmon->histograms[i]);
	return STATUS_OK;
}
