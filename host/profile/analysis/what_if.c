/* SPDX-License-Identifier: MIT */
/*
 * A prediction: the same passes over the same captures, with some self times multiplied by factors.
 *
 * The change of the busy time T is R = sum of a_i * T_i / T with a_i = factor - 1. Its error is that of counting
 * statistics, by the delta method: a sample of node i changes R by w_i / T with w_i = a_i - R, so the variance is the
 * sum of w_i^2 times the variance of T_i, over T^2. If all samples are of the same length, this is that of a
 * multinomial distribution; for one function with a share p of n samples it is a^2 * p * (1 - p) / n.
 */
#include "base/array.h"
#include "profile/analysis/analysis.h"
#include "profile/analysis/shares.h"

#include <math.h>
#include <stdlib.h>

/* Samples of a cell that several nodes share: which of them ran is in doubt (resample.c). */
struct cell {
	double count, square;  /* its samples, and the square of the time of one */
	double first, second;  /* sums of samples * weight and samples * weight^2 */
	double doubt, certain; /* variances beyond counting, and the same without any evidence */
};

struct spread {
	const struct profile *profile;
	double *weights;   /* by node */
	double *variances; /* by node: that of self times */
	struct cell cell;  /* the current one */
	double variance;
};

/* The recorder is not in the firmware that ships, and a core that sleeps is not busy. */
static bool is_busy(const struct profile_node *node)
{
	return node->kind != PROFILE_BAREPROF && node->kind != PROFILE_UNAVAILABLE;
}

static double busy_time(const struct profile *profile)
{
	double time = 0;

	for (size_t i = 0; i < profile->node_count; i++)
		time += is_busy(&profile->nodes[i]) ? profile->nodes[i].self_time : 0;
	return time;
}

/* The part of the cell's samples that belong to one node as a whole is drawn in proportion to the nodes' samples. */
static void end_cell(struct spread *spread)
{
	const struct cell *cell = &spread->cell;
	double between = cell->count * cell->second - cell->first * cell->first;

	if (cell->certain > 0 && between > 0)
		spread->variance += fmin(cell->doubt / cell->certain, 1) * between * cell->square;
	spread->cell = (struct cell){0};
}

static enum status add_share(void *context, const struct share *share, struct error *error)
{
	(void)error;
	struct spread *spread = context;
	struct cell *cell = &spread->cell;
	double weight = spread->weights[share->node], square = share->sample_time * share->sample_time;
	if (share->is_first)
		end_cell(spread);
	spread->variance += weight * weight * share->samples * square;
	spread->variances[share->node] += (share->samples + share->variance) * square;
	if (share->shared_samples == 0)
		return STATUS_OK;
	cell->count = (double)share->shared_samples;
	cell->square = square;
	cell->first += share->samples * weight;
	cell->second += share->samples * weight * weight;
	cell->doubt += share->variance;
	cell->certain += share->samples * (cell->count - share->samples);
	return STATUS_OK;
}

/* Functions that may not have run have larger errors than their samples (analysis_mark_only_shared()). */
static void add_only_shared(struct spread *spread)
{
	for (size_t i = 0; i < spread->profile->node_count; i++) {
		double more = spread->profile->nodes[i].self_variance - spread->variances[i];

		if (spread->profile->nodes[i].is_only_shared && more > 0)
			spread->variance += spread->weights[i] * spread->weights[i] * more;
	}
}

static enum status find_variance(struct profile *profile, struct error *error)
{
	struct profile_what_if *what_if = profile->what_if;
	struct scratch scratch = {0};
	struct spread spread = {
	        .profile = profile,
	        .weights = scratch_array(&scratch, profile->node_count, sizeof *spread.weights),
	        .variances = scratch_array(&scratch, profile->node_count, sizeof *spread.variances),
	};
	enum status status = STATUS_OK;

	if (scratch.is_short_of_memory)
		status = status_no_memory(error, profile->image->path);
	for (size_t i = 0; status == STATUS_OK && i < profile->node_count; i++)
		if (is_busy(&profile->nodes[i]))
			spread.weights[i] = what_if->factors[i] - 1 - what_if->change;
	if (status == STATUS_OK)
		status = shares_each(profile, add_share, &spread, error);
	if (status == STATUS_OK) {
		end_cell(&spread);
		add_only_shared(&spread);
		what_if->change_variance = spread.variance / (what_if->time * what_if->time);
	}
	scratch_free(&scratch);
	return status;
}

static enum status create(struct profile *profile, const double *factors, struct error *error)
{
	struct profile_what_if *made = calloc(1, sizeof *made);

	profile->what_if = made;
	if (made == NULL)
		return status_no_memory(error, profile->image->path);
	made->factors = calloc(profile->node_count + 1, sizeof *made->factors);
	made->node_totals = calloc(profile->node_count + 1, sizeof *made->node_totals);
	made->cycle_totals = calloc(profile->cycle_count + 1, sizeof *made->cycle_totals);
	if (made->factors == NULL || made->node_totals == NULL || made->cycle_totals == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < profile->node_count; i++)
		made->factors[i] = i < profile->image->function_count ? factors[i] : 1;
	return STATUS_OK;
}

/* Both profiles have the same samples and calls, and so the same nodes and cycles. */
static void take_times(struct profile *profile, const struct profile *then)
{
	struct profile_what_if *what_if = profile->what_if;

	what_if->time = busy_time(profile);
	what_if->time_then = busy_time(then);
	what_if->change = what_if->time > 0 ? what_if->time_then / what_if->time - 1 : 0;
	for (size_t i = 0; i < profile->node_count; i++)
		what_if->node_totals[i] = profile_node_total(&then->nodes[i]);
	for (size_t i = 0; i < profile->cycle_count; i++)
		what_if->cycle_totals[i] = then->cycles[i].self_time + then->cycles[i].child_time;
}

static enum status check_cores(const struct profile *profile, struct error *error)
{
	for (size_t i = 1; i < profile->block_count; i++)
		if (profile->blocks[i]->header.core != profile->blocks[0]->header.core)
			return status_fail_with(
			        error, HINT_SELECT_CORE,
			        "%s: captures of several cores: times can be predicted for one core only",
			        profile->image->path);
	return STATUS_OK;
}

enum status analysis_what_if(struct profile *profile, const double *factors, const struct analysis_options *options,
                             struct error *error)
{
	struct analysis_options scaled = *options;
	struct profile *then = NULL;
	enum status status = check_cores(profile, error);

	scaled.factors = factors;
	scaled.total_errors = false;
	if (status == STATUS_OK)
		status = create(profile, factors, error);
	if (status == STATUS_OK)
		status = analysis_run(profile->image, profile->captures, profile->capture_count, &scaled, &then, error);
	if (status != STATUS_OK)
		return status;
	take_times(profile, then);
	profile_free(then);
	return profile->what_if->time > 0 ? find_variance(profile, error) : STATUS_OK;
}
