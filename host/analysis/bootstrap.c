/* SPDX-License-Identifier: MIT */
/*
 * Pass: errors of total times by a parametric bootstrap (Efron, Tibshirani: "An introduction to the bootstrap", 1993,
 * section 6.5). Paths that part and meet again carry samples of the same function, so the errors of what callees hand
 * on do not add up as those of independent times do: instead, self times are drawn anew many times and sent through the
 * call graph, and the spread of what arrives is the error.
 */
#include "analysis/analysis.h"
#include "analysis/flow.h"
#include "analysis/resample.h"

#include <stdlib.h>
#include <string.h>

#define DRAWS 200
#define LANES 8 /* draws that go through the graph together: each arc is read once for all of them */

/* Time goes from one place to another. Places are the nodes and, behind them, the cycles. */
struct flow {
	uint32_t from, into;
	double share;
};

struct bootstrap {
	struct profile *profile;
	struct resample resample;
	struct flow *flows; /* in the order in which their sources are complete */
	size_t flow_count;
	size_t place_count;
	double *times;   /* of each place, LANES of them */
	double *squares; /* of each place, the squares of deviations added up */
};

static bool allocate(struct bootstrap *bootstrap)
{
	const struct profile *profile = bootstrap->profile;
	bootstrap->place_count = profile->node_count + profile->cycle_count;
	bootstrap->flows = calloc(profile->arc_count + profile->node_count + 1, sizeof *bootstrap->flows);
	bootstrap->times = calloc(bootstrap->place_count + 1, LANES * sizeof *bootstrap->times);
	bootstrap->squares = calloc(bootstrap->place_count + 1, sizeof *bootstrap->squares);
	return bootstrap->flows != NULL && bootstrap->times != NULL && bootstrap->squares != NULL;
}

static void release(struct bootstrap *bootstrap)
{
	resample_free(&bootstrap->resample);
	free(bootstrap->flows);
	free(bootstrap->times);
	free(bootstrap->squares);
}

static void add_flow(struct bootstrap *bootstrap, size_t from, size_t into, double share)
{
	bootstrap->flows[bootstrap->flow_count++] = (struct flow){(uint32_t)from, (uint32_t)into, share};
}

/* What callees hand on to the node, then what the node is of its cycle. */
static void add_flows_of(struct bootstrap *bootstrap, size_t node)
{
	const struct profile *profile = bootstrap->profile;
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		size_t cycle = profile->nodes[arc->callee].cycle;
		size_t from = cycle == PROFILE_NONE ? arc->callee : profile->node_count + cycle;
		double share = flow_share(profile, arc);
		if (share > 0)
			add_flow(bootstrap, from, node, share);
	}
	if (profile->nodes[node].cycle != PROFILE_NONE && profile->nodes[node].wanted.fraction != 0)
		add_flow(bootstrap, node, profile->node_count + profile->nodes[node].cycle, 1);
}

static bool find_flows(struct bootstrap *bootstrap)
{
	size_t *ordered = flow_order(bootstrap->profile);
	if (ordered == NULL)
		return false;
	for (size_t i = 0; i < bootstrap->profile->node_count; i++)
		add_flows_of(bootstrap, ordered[i]);
	free(ordered);
	return true;
}

static void send_times(struct bootstrap *bootstrap)
{
	for (size_t i = 0; i < bootstrap->flow_count; i++) {
		const struct flow *flow = &bootstrap->flows[i];
		const double *from = &bootstrap->times[flow->from * LANES];
		double *into = &bootstrap->times[flow->into * LANES];
		for (size_t lane = 0; lane < LANES; lane++)
			into[lane] += flow->share * from[lane];
	}
}

/* What a place has in the profile itself, which is the mean of what it has in the draws. */
static double mean_of_place(const struct profile *profile, size_t place)
{
	if (place < profile->node_count)
		return profile_node_total(&profile->nodes[place]);
	const struct profile_cycle *cycle = &profile->cycles[place - profile->node_count];
	return cycle->self_time + cycle->child_time;
}

static void add_squares(struct bootstrap *bootstrap)
{
	for (size_t place = 0; place < bootstrap->place_count; place++) {
		double mean = mean_of_place(bootstrap->profile, place);
		for (size_t lane = 0; lane < LANES; lane++) {
			double deviation = bootstrap->times[place * LANES + lane] - mean;
			bootstrap->squares[place] += deviation * deviation;
		}
	}
}

/* The mean is known, not taken from the draws: that is why the sum is divided by all of them. */
static void take_variances(struct bootstrap *bootstrap)
{
	struct profile *profile = bootstrap->profile;
	for (size_t i = 0; i < profile->cycle_count; i++)
		profile->cycles[i].total_variance = bootstrap->squares[profile->node_count + i] / DRAWS;
	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];
		/* Without inherited time there is no need to estimate. */
		node->total_variance = node->child_time > 0 ? bootstrap->squares[i] / DRAWS : node->self_variance;
	}
	profile->has_total_variance = true;
}

static void run_draws(struct bootstrap *bootstrap)
{
	_Static_assert(DRAWS % LANES == 0, "all draws are counted");
	for (size_t i = 0; i < DRAWS / LANES; i++) {
		memset(bootstrap->times, 0, bootstrap->place_count * LANES * sizeof *bootstrap->times);
		resample_draw(&bootstrap->resample, bootstrap->times, LANES);
		send_times(bootstrap);
		add_squares(bootstrap);
	}
	take_variances(bootstrap);
}

enum status analysis_estimate_errors(struct profile *profile, struct error *error)
{
	struct bootstrap bootstrap = {.profile = profile};
	enum status status = resample_prepare(&bootstrap.resample, profile, error);
	if (status == STATUS_OK && (!allocate(&bootstrap) || !find_flows(&bootstrap)))
		status = status_fail(error, "%s: out of memory for the errors of times", profile->image->path);
	if (status == STATUS_OK)
		run_draws(&bootstrap);
	release(&bootstrap);
	return status;
}
