/* SPDX-License-Identifier: MIT */
/*
 * A prediction: the same passes over the same captures, with some self times multiplied by factors.
 *
 * The change of the busy time T is R = sum of a_i * T_i / T with a_i = factor - 1. Its error is that of counting
 * statistics, by the delta method: a sample of node i changes R by w_i / T with w_i = a_i - R, so the variance is the
 * sum of w_i^2 times the variance of T_i, over T^2. If all samples are of the same length, this is that of a
 * multinomial distribution; for one function with a share p of n samples it is a^2 * p * (1 - p) / n.
 */
#include "profile/analysis/analysis.h"
#include "profile/analysis/weighted.h"

#include <stdlib.h>

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

static enum status find_variance(struct profile *profile, struct error *error)
{
	struct profile_what_if *what_if = profile->what_if;
	double *weights = calloc(profile->node_count + 1, sizeof *weights);

	if (weights == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < profile->node_count; i++)
		if (is_busy(&profile->nodes[i]))
			weights[i] = what_if->factors[i] - 1 - what_if->change;
	enum status status = weighted_variance(profile, weights, &what_if->change_variance, error);
	what_if->change_variance /= what_if->time * what_if->time;
	free(weights);
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
	if (profile_has_cores(profile))
		return status_fail_with(error, HINT_SELECT_CORE,
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
