/* SPDX-License-Identifier: MIT */
/* See weighted.h. */
#include "profile/samples/weighted.h"

#include "base/array.h"
#include "profile/samples/groups.h"

#include <math.h>
#include <stdlib.h>

/* Samples of a cell that several nodes share: which of them ran is in doubt (resample.c). */
struct shared_cell {
	double count, square;  /* its samples, and the square of the time of one */
	double first, second;  /* sums of samples * weight and samples * weight^2 */
	double doubt, certain; /* variance beyond counting, and its value without any evidence */
};

/* The part of one node in the current cell. */
struct cell_member {
	size_t node;
	double samples;
};

struct spread {
	const struct profile *profile;
	const double *weights;   /* by node */
	double *variances;       /* by node: variance of its self time */
	double *contrasts;       /* by node: sum of samples * (its weight - mean weight of the others in the cell) */
	struct shared_cell cell; /* the current one */
	struct cell_member *members;
	size_t member_count;
	double variance;
};

/* The part of the cell's samples that belong to one node as a whole is drawn in proportion to the nodes' samples. */
static void end_shared_cell(struct spread *spread)
{
	const struct shared_cell *cell = &spread->cell;
	double between = cell->count * cell->second - cell->first * cell->first;

	if (cell->certain > 0 && between > 0)
		spread->variance += fmin(cell->doubt / cell->certain, 1) * between * cell->square;
	for (size_t i = 0; i < spread->member_count; i++) {
		const struct cell_member *member = &spread->members[i];
		double weight = spread->weights[member->node], others = cell->count - member->samples;
		double mean = others > 0 ? (cell->first - member->samples * weight) / others : weight;

		spread->contrasts[member->node] += member->samples * (weight - mean);
	}
	spread->member_count = 0;
	spread->cell = (struct shared_cell){0};
}

static bool add_weighted_share(struct spread *spread, const struct share *share)
{
	const struct cell_member member = {share->node, share->samples};
	struct shared_cell *cell = &spread->cell;
	double weight = spread->weights[share->node], square = share->sample_time * share->sample_time;

	if (share->is_first)
		end_shared_cell(spread);
	spread->variance += weight * weight * share->samples * square;
	spread->variances[share->node] += (share->samples + share->variance) * square;
	if (share->shared_samples == 0)
		return true;
	if (!array_append(&spread->members, &spread->member_count, &member, sizeof member))
		return false;
	cell->count = (double)share->shared_samples;
	cell->square = square;
	cell->first += share->samples * weight;
	cell->second += share->samples * weight * weight;
	cell->doubt += share->variance;
	cell->certain += share->samples * (cell->count - share->samples);
	return true;
}

/* Functions that may not have run have larger errors than their samples (analysis_mark_only_shared()). If they did not
 * run, others in the same cells did, so this matters only if the others have other weights. */
static void add_only_shared(struct spread *spread)
{
	for (size_t i = 0; i < spread->profile->node_count; i++) {
		const struct profile_node *node = &spread->profile->nodes[i];
		double more = node->self_variance - spread->variances[i];

		if (!node->is_only_shared || more <= 0)
			continue;
		double contrast = spread->contrasts[i] / node->self_samples;
		spread->variance += contrast * contrast * more;
	}
}

enum status weighted_variance(const struct profile *profile, const double *weights, double *variance,
                              struct error *error)
{
	struct spread spread = {
	        .profile = profile,
	        .weights = weights,
	        .variances = calloc(profile->node_count + 1, sizeof *spread.variances),
	        .contrasts = calloc(profile->node_count + 1, sizeof *spread.contrasts),
	};
	bool ok = spread.variances != NULL && spread.contrasts != NULL;

	for (size_t i = 0; ok && i < profile->share_count; i++)
		ok = add_weighted_share(&spread, &profile->shares[i]);
	if (ok) {
		end_shared_cell(&spread);
		add_only_shared(&spread);
		*variance = spread.variance;
	}
	free(spread.members);
	free(spread.variances);
	free(spread.contrasts);
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}
