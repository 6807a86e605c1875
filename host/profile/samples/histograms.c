/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns the bins of gmon.out to symbols as GNU gprof does: in units of two bytes, bounds of bins rounded down
 * to whole units, each symbol credited by the share of the bin that it overlaps (docs/GPROF.md). Finer bins are counted
 * in bytes. Arithmetic follows GNU gprof's order, so that sums are identical to the last bit.
 */
#include "profile/analysis.h"

/* Where one histogram's bins lie, in units from address 0. */
struct grid {
	struct gmon_scale scale;
	uint64_t low;
};

static uint64_t start_of_bin(const struct grid *grid, size_t bin)
{
	return grid->low + (uint64_t)(grid->scale.units_per_bin * (double)bin);
}

static void credit_samples(struct profile *profile, struct profile_node *node, double samples)
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
static void assign_bin(struct profile *profile, const struct grid *grid, size_t bin, double samples, size_t first)
{
	uint64_t low = start_of_bin(grid, bin), high = start_of_bin(grid, bin + 1);

	for (size_t i = first; i < profile->image->function_count; i++) {
		struct profile_node *node = &profile->nodes[i];
		uint64_t start = node->address / grid->scale.unit, end = node->end / grid->scale.unit;

		if (high <= start)
			return;
		start = start > low ? start : low;
		end = end < high ? end : high;
		if (end > start)
			credit_samples(profile, node, (double)(end - start) * samples / grid->scale.units_per_bin);
	}
}

static void assign_histogram(struct profile *profile, const struct gmon_histogram *histogram)
{
	const struct gmon_scale scale = gmon_scale_of(histogram);
	const struct grid grid = {scale, histogram->low / scale.unit};
	size_t first = 0;

	for (size_t bin = 0; bin < histogram->bin_count; bin++) {
		double samples = (double)histogram->bins[bin];

		if (histogram->bins[bin] == 0)
			continue;
		profile->total_time += samples;
		profile->total_samples += samples;
		uint64_t low = start_of_bin(&grid, bin);
		while (first < profile->image->function_count && profile->nodes[first].end / scale.unit <= low)
			first++;
		assign_bin(profile, &grid, bin, samples, first);
	}
}

void analysis_assign_histograms(struct profile *profile, const struct gmon *gmon)
{
	for (size_t i = 0; i < gmon->histogram_count; i++)
		assign_histogram(profile, &gmon->histograms[i]);
}
