/* SPDX-License-Identifier: MIT */
/* Pass: time by region of memory. */
#include "profile/regions.h"

#include "base/search.h"
#include "profile/samples/weighted.h"

#include <stdlib.h>

static enum status create_regions(struct profile *profile, const struct image_region *regions, size_t count,
                                  struct error *error)
{
	struct profile_region *made = calloc(count + 1, sizeof *made);

	if (made == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < count; i++)
		made[i] = (struct profile_region){
		        .name = regions[i].name, .start = regions[i].start, .end = regions[i].end};
	free(profile->regions);
	profile->regions = made;
	profile->region_count = count + 1;
	return STATUS_OK;
}

static void add_region_times(struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];
		struct profile_region *region = &profile->regions[profile_region_of(profile, node)];

		region->time += node->self_time;
		if (node->kind == PROFILE_BAREPROF)
			region->recorder_time += node->self_time;
	}
}

/* The recorder's functions count like all others. */
static void count_functions(struct profile *profile)
{
	for (size_t i = 0; i < profile->image->function_count; i++) {
		const struct image_function *function = &profile->image->functions[i];
		const struct profile_node place = {.address = function->start, .end = function->end};
		struct profile_region *region = &profile->regions[profile_region_of(profile, &place)];

		region->function_count += function->first == i;
		region->function_bytes += function->end - function->start;
	}
}

static enum status find_variances(struct profile *profile, struct error *error)
{
	double *weights = calloc(profile->node_count + 1, sizeof *weights);
	enum status status = STATUS_OK;

	if (weights == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; status == STATUS_OK && i < profile->region_count; i++) {
		if (profile->regions[i].time <= 0)
			continue;
		for (size_t j = 0; j < profile->node_count; j++)
			weights[j] = profile_region_of(profile, &profile->nodes[j]) == i ? 1 : 0;
		status = weighted_variance(profile, weights, &profile->regions[i].variance, error);
	}
	free(weights);
	return status;
}

static bool are_several_regions(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->region_count; i++)
		count += profile->regions[i].time > 0;
	return count > 1;
}

enum status analysis_find_regions(struct profile *profile, const struct image_region *regions, size_t count,
                                  struct error *error)
{
	const struct image *image = profile->image;
	enum status status = count > 0 ? create_regions(profile, regions, count, error)
	                               : create_regions(profile, image->regions, image->region_count, error);

	if (status != STATUS_OK)
		return status;
	add_region_times(profile);
	count_functions(profile);
	return are_several_regions(profile) ? find_variances(profile, error) : STATUS_OK;
}

/* The code of a node, empty if it has none. Unknown code has only a start, and the row for the rest not even that. */
static struct capture_range code_of(const struct profile *profile, const struct profile_node *node)
{
	if (node->kind == PROFILE_BAREPROF && profile->has_recorder)
		return (struct capture_range){profile->image->recorder->start, profile->image->recorder->end};
	if (node->kind == PROFILE_UNKNOWN && node->address < UINT64_MAX)
		return (struct capture_range){node->address, node->address + 1};
	return (struct capture_range){node->address, node->end};
}

size_t profile_region_of(const struct profile *profile, const struct profile_node *node)
{
	struct capture_range code = code_of(profile, node);
	size_t none = profile->region_count - 1;
	size_t next = first_above(profile->regions, none, sizeof *profile->regions,
	                          offsetof(struct profile_region, start), code.start);

	if (code.start >= code.end || next == 0 || code.start >= profile->regions[next - 1].end)
		return none;
	/* The samples of a coarse bin may be anywhere in it. */
	bool is_inside = node->kind != PROFILE_TABLE_FULL || code.end <= profile->regions[next - 1].end;
	return is_inside ? next - 1 : none;
}
