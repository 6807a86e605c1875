/* SPDX-License-Identifier: MIT */
/*
 * See resample.h. The number of samples of each cell is drawn from a Poisson distribution around the count. One part of
 * a shared cell is shared as in the profile. The rest goes to one node, drawn in proportion to the nodes' shares; its
 * size is chosen so that the variance equals the variance of self times.
 */
#include "profile/errors/resample.h"

#include "base/array.h"
#include "profile/samples/groups.h"

#include <math.h>
#include <stdlib.h>

/* Any constant works; a fixed one makes reports reproducible. */
#define SEED UINT64_C(0x6261726570726F66)

static bool add_pool(struct resample *resample, size_t node, double mean, double sample_time)
{
	const struct sample_pool pool = {node, mean, sample_time};

	return array_append(&resample->pools, &resample->pool_count, &pool, sizeof pool);
}

/* All uncertainty comes from the part of the samples that is drawn as a whole: the variance grows with its square. */
static void end_drawn_cell(struct resample *resample)
{
	if (resample->doubt_max > 0)
		resample->cells[resample->cell_count - 1].undivided_part =
		        sqrt(fmin(resample->doubt / resample->doubt_max, 1));
	resample->doubt = resample->doubt_max = 0;
}

static bool begin_cell(struct resample *resample, const struct share *share)
{
	const struct sample_cell cell = {
	        .first = resample->claim_count,
	        .end = resample->claim_count,
	        .count = (double)share->shared_samples,
	        .sample_time = share->sample_time,
	};

	end_drawn_cell(resample);
	return array_append(&resample->cells, &resample->cell_count, &cell, sizeof cell);
}

static bool add_sample_claim(struct resample *resample, const struct share *share)
{
	struct sample_claim *claims = array_reserve(resample->claims, sizeof *claims, resample->claim_count);

	if (claims == NULL)
		return false;
	resample->claims = claims;
	if (share->is_first && !begin_cell(resample, share))
		return false;
	struct sample_cell *cell = &resample->cells[resample->cell_count - 1];
	double before = cell->end > cell->first ? claims[cell->end - 1].up_to : 0;
	claims[resample->claim_count++] = (struct sample_claim){
	        .node = share->node,
	        .samples = share->samples,
	        .up_to = before + share->samples / cell->count,
	};
	cell->end = resample->claim_count;
	resample->doubt += share->variance;
	resample->doubt_max += share->samples * (cell->count - share->samples);
	return true;
}

/* Converts the pending samples to pools. */
static bool flush_pending(struct resample *resample)
{
	for (size_t i = 0; i < resample->profile->node_count; i++) {
		if (resample->pending[i] > 0 && !add_pool(resample, i, resample->pending[i], resample->pending_time))
			return false;
		resample->pending[i] = 0;
	}
	return true;
}

static bool take_share(struct resample *resample, const struct share *share)
{
	bool ok = true;
	bool other_time = share->sample_time < resample->pending_time || share->sample_time > resample->pending_time;

	if (share->shared_samples > 0) {
		ok = add_sample_claim(resample, share);
	} else {
		ok = !other_time || flush_pending(resample);
		resample->pending_time = share->sample_time;
		resample->pending[share->node] += share->samples;
	}
	return ok;
}

/* Histograms of gmon.out are not kept: the samples of each node are drawn instead of their bins. */
static bool take_nodes(struct resample *resample)
{
	bool ok = true;

	for (size_t i = 0; ok && i < resample->profile->node_count; i++) {
		const struct profile_node *node = &resample->profile->nodes[i];

		if (node->self_samples > 0)
			ok = add_pool(resample, i, node->self_samples, node->self_time / node->self_samples);
	}
	return ok;
}

enum status resample_prepare(struct resample *resample, const struct profile *profile, struct error *error)
{
	*resample = (struct resample){.profile = profile, .random = {SEED}};
	resample->pending = calloc(profile->node_count + 1, sizeof *resample->pending);
	bool ok = resample->pending != NULL;
	for (size_t i = 0; ok && i < profile->share_count; i++)
		ok = take_share(resample, &profile->shares[i]);
	end_drawn_cell(resample);
	ok = ok && flush_pending(resample) && (profile->capture_count > 0 || take_nodes(resample));
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}

void resample_free(struct resample *resample)
{
	free(resample->pools);
	free(resample->claims);
	free(resample->cells);
	free(resample->pending);
}

/* Draws one of the nodes that share a cell, in proportion to their expected samples. */
static size_t pick_claim(struct resample *resample, const struct sample_cell *cell)
{
	double place = random_unit(&resample->random);
	size_t low = cell->first, high = cell->end - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (resample->claims[middle].up_to <= place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void draw_pool(struct resample *resample, const struct sample_pool *pool, double *times, size_t lanes)
{
	const struct poisson poisson = poisson_prepare(pool->mean);

	for (size_t lane = 0; lane < lanes; lane++)
		times[pool->node * lanes + lane] += poisson_draw(&poisson, &resample->random) * pool->sample_time;
}

static void draw_cell(struct resample *resample, const struct sample_cell *cell, double *times, size_t lanes)
{
	const struct poisson poisson = poisson_prepare(cell->count);

	for (size_t lane = 0; lane < lanes; lane++) {
		double time = poisson_draw(&poisson, &resample->random) * cell->sample_time;
		size_t picked = pick_claim(resample, cell);

		times[resample->claims[picked].node * lanes + lane] += time * cell->undivided_part;
		for (size_t i = cell->first; i < cell->end; i++) {
			const struct sample_claim *claim = &resample->claims[i];

			times[claim->node * lanes + lane] +=
			        time * (1 - cell->undivided_part) * claim->samples / cell->count;
		}
	}
}

void resample_draw(struct resample *resample, double *times, size_t lanes)
{
	for (size_t i = 0; i < resample->pool_count; i++)
		draw_pool(resample, &resample->pools[i], times, lanes);
	for (size_t i = 0; i < resample->cell_count; i++)
		draw_cell(resample, &resample->cells[i], times, lanes);
}
