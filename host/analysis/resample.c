/* SPDX-License-Identifier: MIT */
/*
 * See resample.h. The number of samples of each cell is drawn from Poisson's distribution around what was counted. All
 * of a shared cell then go to one of its functions, the likelier the more bytes it covers: which one ran is not known,
 * and this is the doubt that self_variance tells of.
 */
#include "analysis/resample.h"

#include "array/grown.h"

#include <stdlib.h>

/* Any would do; that it is always the same makes reports the same. */
#define SEED UINT64_C(0x6261726570726F66)

static bool add_pool(struct resample *resample, size_t node, double mean, double sample_time)
{
	struct sample_pool *pools = grown(resample->pools, sizeof *pools, resample->pool_count);
	if (pools == NULL)
		return false;
	resample->pools = pools;
	pools[resample->pool_count++] = (struct sample_pool){node, mean, sample_time};
	return true;
}

static bool add_shared(struct resample *resample, const struct sample_group *group)
{
	struct sample_group *shared = grown(resample->shared, sizeof *shared, resample->shared_count);
	if (shared == NULL)
		return false;
	resample->shared = shared;
	shared[resample->shared_count++] = *group;
	return true;
}

/* Makes pools of what is pending. */
static bool flush(struct resample *resample)
{
	for (size_t i = 0; i < resample->profile->node_count; i++) {
		if (resample->pending[i] > 0 && !add_pool(resample, i, resample->pending[i], resample->pending_time))
			return false;
		resample->pending[i] = 0;
	}
	return true;
}

static enum status out_of_memory(const struct resample *resample, struct error *error)
{
	return status_fail(error, "%s: out of memory for the errors of times", resample->profile->image->path);
}

static enum status take(void *context, const struct sample_group *group, struct error *error)
{
	struct resample *resample = context;
	bool enough = true;
	bool other_time = group->sample_time < resample->pending_time || group->sample_time > resample->pending_time;
	if (group->node == PROFILE_NONE) {
		enough = add_shared(resample, group);
	} else {
		enough = !other_time || flush(resample);
		resample->pending_time = group->sample_time;
		resample->pending[group->node] += (double)group->count;
	}
	return enough ? STATUS_OK : out_of_memory(resample, error);
}

/* Histograms of gmon.out are not kept: what each node had of them stands for their bins. */
static bool take_nodes(struct resample *resample)
{
	bool enough = true;
	for (size_t i = 0; enough && i < resample->profile->node_count; i++) {
		const struct profile_node *node = &resample->profile->nodes[i];
		if (node->self_samples > 0)
			enough = add_pool(resample, i, node->self_samples, node->self_time / node->self_samples);
	}
	return enough;
}

static void sum_covered(struct resample *resample)
{
	const struct image *image = resample->profile->image;
	for (size_t i = 0; i < image->function_count; i++)
		resample->covered[i + 1] = resample->covered[i] + (image->functions[i].end - image->functions[i].start);
}

enum status resample_prepare(struct resample *resample, struct profile *profile, struct error *error)
{
	*resample = (struct resample){.profile = profile, .random = {SEED}};
	resample->covered = calloc(profile->image->function_count + 1, sizeof *resample->covered);
	resample->pending = calloc(profile->node_count + 1, sizeof *resample->pending);
	if (resample->covered == NULL || resample->pending == NULL)
		return out_of_memory(resample, error);
	sum_covered(resample);
	enum status status = groups_each(profile, take, resample, error);
	if (status == STATUS_OK && (!flush(resample) || (profile->capture_count == 0 && !take_nodes(resample))))
		status = out_of_memory(resample, error);
	return status;
}

void resample_free(struct resample *resample)
{
	free(resample->pools);
	free(resample->shared);
	free(resample->covered);
	free(resample->pending);
}

/* A function of those that share a cell, by a byte of it. */
static size_t pick_function(struct resample *resample, const struct sample_group *group)
{
	const struct image_function *first = &resample->profile->image->functions[group->first];
	uint64_t before = group->low > first->start ? group->low - first->start : 0;
	uint64_t offset = (uint64_t)(random_unit(&resample->random) * (double)group->bytes);
	uint64_t byte = resample->covered[group->first] + before + offset;
	size_t low = group->first, high = group->end;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (resample->covered[middle] <= byte)
			low = middle;
		else
			high = middle;
	}
	return profile_node_of_function(resample->profile, low);
}

static void draw_pool(struct resample *resample, const struct sample_pool *pool, double *times, size_t lanes)
{
	const struct poisson poisson = poisson_prepare(pool->mean);
	for (size_t lane = 0; lane < lanes; lane++)
		times[pool->node * lanes + lane] += poisson_draw(&poisson, &resample->random) * pool->sample_time;
}

static void draw_shared(struct resample *resample, const struct sample_group *group, double *times, size_t lanes)
{
	const struct poisson poisson = poisson_prepare((double)group->count);
	for (size_t lane = 0; lane < lanes; lane++) {
		double samples = poisson_draw(&poisson, &resample->random);
		times[pick_function(resample, group) * lanes + lane] += samples * group->sample_time;
	}
}

void resample_draw(struct resample *resample, double *times, size_t lanes)
{
	for (size_t i = 0; i < resample->pool_count; i++)
		draw_pool(resample, &resample->pools[i], times, lanes);
	for (size_t i = 0; i < resample->shared_count; i++)
		draw_shared(resample, &resample->shared[i], times, lanes);
}
