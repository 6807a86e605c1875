/* SPDX-License-Identifier: MIT */
/*
 * Pass: errors of total times by a parametric bootstrap (Efron, Tibshirani: "An introduction to the bootstrap", 1993,
 * section 6.5). Paths that part and meet again carry samples of the same function, so the errors of callees' times are
 * correlated and do not simply add up. Instead, self times are drawn many times and propagated over the call graph; the
 * error is the spread of the totals. A total varies less as a share of all time, because both contain the same samples.
 */
#include "profile/analysis.h"
#include "profile/calls/cycle_flows.h"
#include "profile/errors/resample.h"
#include "profile/samples/groups.h"

#include <stdlib.h>
#include <string.h>

#define DRAWS 200
#define LANES 8 /* draws that go through the graph together: each arc is read once for all of them */

struct bootstrap {
	struct profile *profile;
	const struct profile *whole; /* shares are relative to its time */
	struct resample resample;
	struct flow_list flows; /* between places: the nodes, then the cycles, then the places within cycles */
	size_t *first_place;    /* by cycle: the first of its own places (cycle_flows.h) */
	size_t unit_count;      /* nodes and cycles */
	size_t place_count;     /* includes places within cycles */
	double *times;          /* by place, LANES of them */
	double *squares;        /* by node and cycle: the sum of squared deviations */
	double *share_squares;  /* by node: the sum of squared deviations of its total minus its share of all time */
	double *counting;       /* by node: self_variance without the uncertainty about shared bins */
	double all_time, all_counting; /* sums of self times and of their counting errors, except the recorder's */
	double whole_time;             /* the sum of self times of the whole, without the recorder */
};

static void number_places(struct bootstrap *bootstrap)
{
	const struct profile *profile = bootstrap->profile;

	bootstrap->place_count = bootstrap->unit_count;
	for (size_t i = 0; i < profile->cycle_count; i++) {
		bootstrap->first_place[i] = bootstrap->place_count;
		bootstrap->place_count += cycle_place_count(profile->cycles[i].member_count);
	}
}

static bool allocate_draws(struct bootstrap *bootstrap)
{
	const struct profile *profile = bootstrap->profile;

	bootstrap->unit_count = profile->node_count + profile->cycle_count;
	bootstrap->first_place = calloc(profile->cycle_count + 1, sizeof *bootstrap->first_place);
	if (bootstrap->first_place == NULL)
		return false;
	number_places(bootstrap);
	bootstrap->times = calloc(bootstrap->place_count + 1, LANES * sizeof *bootstrap->times);
	bootstrap->squares = calloc(bootstrap->unit_count + 1, sizeof *bootstrap->squares);
	bootstrap->share_squares = calloc(profile->node_count + 1, sizeof *bootstrap->share_squares);
	bootstrap->counting = calloc(profile->node_count + 1, sizeof *bootstrap->counting);
	return bootstrap->times != NULL && bootstrap->squares != NULL && bootstrap->share_squares != NULL &&
	       bootstrap->counting != NULL;
}

static void release_bootstrap(struct bootstrap *bootstrap)
{
	resample_free(&bootstrap->resample);
	free(bootstrap->flows.flows);
	free(bootstrap->first_place);
	free(bootstrap->times);
	free(bootstrap->squares);
	free(bootstrap->share_squares);
	free(bootstrap->counting);
}

/* The mean of a node or cycle over the draws: its time in the profile, except the time of sampling interrupts, which is
 * not drawn. */
static double mean_of_unit(const struct profile *profile, size_t unit)
{
	if (unit < profile->node_count)
		return profile_node_total(&profile->nodes[unit]) - profile_node_handler_time(profile, unit);
	const struct profile_cycle *cycle = &profile->cycles[unit - profile->node_count];
	return cycle->self_time + cycle->child_time;
}

/* The flow of an arc: from its callee or, if that is in a cycle, from the cost of a call that enters the cycle there.
 */
static bool add_flow_of_arc(struct bootstrap *bootstrap, const struct profile_arc *arc)
{
	const struct profile *profile = bootstrap->profile;
	const struct profile_node *callee = &profile->nodes[arc->callee];
	double share = flow_share(profile, arc);

	/* A callee without time in the profile has none in any draw. */
	if (share <= 0)
		return true;
	if (callee->cycle == PROFILE_NONE)
		return mean_of_unit(profile, arc->callee) <= 0 ||
		       flow_add(&bootstrap->flows, arc->callee, arc->caller, share);
	size_t cost = cycle_cost_place(profile->cycles[callee->cycle].member_count, callee->place_in_cycle);
	return flow_add(&bootstrap->flows, bootstrap->first_place[callee->cycle] + cost, arc->caller,
	                (double)arc->count);
}

/* A member gives its time to the cycle as a whole, and to its place within the cycle. */
static bool add_flows_of_member(struct bootstrap *bootstrap, const struct profile_node *member, size_t node)
{
	const struct profile *profile = bootstrap->profile;
	size_t place = bootstrap->first_place[member->cycle] + member->place_in_cycle;

	return member->wanted.fraction == 0 ||
	       (flow_add(&bootstrap->flows, node, profile->node_count + member->cycle, 1) &&
	        flow_add(&bootstrap->flows, node, place, 1));
}

/* Adds the flows from callees to the node, from the node to its cycle and, after the last member, within the cycle. */
static bool add_flows_of(struct bootstrap *bootstrap, size_t node, bool is_last_member)
{
	const struct profile *profile = bootstrap->profile;
	size_t cycle = profile->nodes[node].cycle;
	bool ok = true, is_solved;

	for (size_t i = profile->first_arc[node]; ok && i < profile->first_arc[node + 1]; i++)
		ok = add_flow_of_arc(bootstrap, &profile->arcs[i]);
	if (ok && cycle != PROFILE_NONE)
		ok = add_flows_of_member(bootstrap, &profile->nodes[node], node);
	if (ok && is_last_member)
		ok = cycle_flows_find(profile, cycle, bootstrap->first_place[cycle], &bootstrap->flows, &is_solved);
	return ok;
}

static bool find_flows(struct bootstrap *bootstrap)
{
	const struct profile *profile = bootstrap->profile;
	size_t *ordered = flow_order(profile);
	bool ok = ordered != NULL;

	for (size_t i = 0; ok && i < profile->node_count; i++)
		ok = add_flows_of(bootstrap, ordered[i], flow_is_last_member(profile, ordered, i));
	free(ordered);
	return ok;
}

/* Shares are fractions of all time except the recorder's. */
static bool is_shared(const struct profile *profile, size_t node)
{
	return profile->nodes[node].kind != PROFILE_BAREPROF;
}

/* The histograms of a gmon.out are not kept, and its samples have certain owners. */
static void sum_up(struct bootstrap *bootstrap)
{
	const struct profile *profile = bootstrap->profile;

	for (size_t i = 0; i < profile->share_count; i++) {
		const struct share *share = &profile->shares[i];

		bootstrap->counting[share->node] += share->samples * share->sample_time * share->sample_time;
	}
	for (size_t i = 0; i < profile->node_count; i++) {
		if (profile->capture_count == 0)
			bootstrap->counting[i] = profile->nodes[i].self_variance;
		if (!is_shared(profile, i))
			continue;
		bootstrap->all_time += profile->nodes[i].self_time;
		bootstrap->all_counting += bootstrap->counting[i];
	}
	for (size_t i = 0; i < bootstrap->whole->node_count; i++)
		if (is_shared(bootstrap->whole, i))
			bootstrap->whole_time += bootstrap->whole->nodes[i].self_time;
}

static void send_times(struct bootstrap *bootstrap)
{
	for (size_t i = 0; i < bootstrap->flows.count; i++) {
		const struct flow *flow = &bootstrap->flows.flows[i];
		const double *from = &bootstrap->times[flow->from * LANES];
		double *into = &bootstrap->times[flow->into * LANES];

		for (size_t lane = 0; lane < LANES; lane++)
			into[lane] += flow->share * from[lane];
	}
}

static void add_squares(struct bootstrap *bootstrap)
{
	for (size_t unit = 0; unit < bootstrap->unit_count; unit++) {
		double mean = mean_of_unit(bootstrap->profile, unit);

		for (size_t lane = 0; lane < LANES; lane++) {
			double deviation = bootstrap->times[unit * LANES + lane] - mean;

			bootstrap->squares[unit] += deviation * deviation;
		}
	}
}

/* The sums of all drawn self times, by lane. */
struct lane_sums {
	double shared[LANES], all[LANES]; /* without the recorder's, and with it */
};

/* Must run before the times are propagated. */
static void sum_lanes(const struct bootstrap *bootstrap, struct lane_sums *sums)
{
	*sums = (struct lane_sums){.shared = {0}};
	for (size_t i = 0; i < bootstrap->profile->node_count; i++)
		for (size_t lane = 0; lane < LANES; lane++) {
			double time = bootstrap->times[i * LANES + lane];

			sums->all[lane] += time;
			sums->shared[lane] += is_shared(bootstrap->profile, i) ? time : 0;
		}
}

/* The time of sampling interrupts in the node, which only the recorder has, for each unit of sampled time. */
static double handler_per_sampled(const struct bootstrap *bootstrap, size_t node)
{
	double handler = profile_node_handler_time(bootstrap->profile, node);
	double sampled = bootstrap->profile->nodes[node].self_time - handler + bootstrap->all_time;

	return handler > 0 ? handler / sampled : 0;
}

/* The node's total time in the whole, as a share of the whole's time. */
static double part_of_whole(const struct bootstrap *bootstrap, size_t node)
{
	const struct profile *whole = bootstrap->whole;
	double time = node < whole->node_count ? profile_node_total(&whole->nodes[node]) : 0;

	return time > 0 ? time / bootstrap->whole_time : 0;
}

/* The mean of a total minus the node's share of all time: 0 in the whole profile, above or below 0 in one context. */
static double mean_of_share(const struct bootstrap *bootstrap, size_t node, double part)
{
	if (bootstrap->profile == bootstrap->whole)
		return 0;
	return profile_node_total(&bootstrap->profile->nodes[node]) - part * bootstrap->all_time;
}

static void add_share_squares(struct bootstrap *bootstrap, const struct lane_sums *sums)
{
	for (size_t i = 0; i < bootstrap->profile->node_count; i++) {
		double part = part_of_whole(bootstrap, i), mean = mean_of_share(bootstrap, i, part);
		double handler = handler_per_sampled(bootstrap, i);

		for (size_t lane = 0; lane < LANES; lane++) {
			double drawn = bootstrap->times[i * LANES + lane] + handler * sums->all[lane];
			double deviation = drawn - part * sums->shared[lane] - mean;

			bootstrap->share_squares[i] += deviation * deviation;
		}
	}
}

/* The variance for the recorder, whose time is not part of all time. Its samples and the samples of other nodes vary
 * independently, and each sample of any node adds the time of its sampling interrupt to the recorder. */
static double share_variance_of_recorder(const struct bootstrap *bootstrap, size_t node)
{
	const struct profile_node *itself = &bootstrap->profile->nodes[node];
	double handler = handler_per_sampled(bootstrap, node);
	double own = 1 + handler, others = part_of_whole(bootstrap, node) - handler;

	return own * own * itself->self_variance + others * others * bootstrap->all_counting;
}

/*
 * The variance of self time minus a share of all time: of (1 - part) times the time of the node's samples, minus part
 * times the time of all other samples. The uncertainty about a shared bin counts in full, because all time is the same
 * for each of its functions. Rounding never makes the result negative.
 */
static double share_variance_of_self(const struct bootstrap *bootstrap, size_t node)
{
	const struct profile_node *itself = &bootstrap->profile->nodes[node];

	if (!is_shared(bootstrap->profile, node))
		return share_variance_of_recorder(bootstrap, node);
	double counting = bootstrap->counting[node], others = bootstrap->all_counting - counting;
	double part = part_of_whole(bootstrap, node);
	return itself->self_variance - counting + (1 - part) * (1 - part) * counting + part * part * others;
}

/* The mean is known, not estimated from the draws, so the sum is divided by their full number. */
static void take_variances(struct bootstrap *bootstrap)
{
	struct profile *profile = bootstrap->profile;

	for (size_t i = 0; i < profile->cycle_count; i++)
		profile->cycles[i].total_variance = bootstrap->squares[profile->node_count + i] / DRAWS;
	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];
		/* Without inherited time, the total is the self time, whose variance is known. */
		bool inherits = node->child_time > 0;

		node->total_variance = inherits ? bootstrap->squares[i] / DRAWS : node->self_variance;
		node->share_variance =
		        inherits ? bootstrap->share_squares[i] / DRAWS : share_variance_of_self(bootstrap, i);
	}
	profile->has_total_variance = true;
}

static void run_draws(struct bootstrap *bootstrap)
{
	_Static_assert(DRAWS % LANES == 0, "all draws are counted");

	for (size_t i = 0; i < DRAWS / LANES; i++) {
		memset(bootstrap->times, 0, bootstrap->place_count * LANES * sizeof *bootstrap->times);
		struct lane_sums sums;
		resample_draw(&bootstrap->resample, bootstrap->times, LANES);
		sum_lanes(bootstrap, &sums);
		send_times(bootstrap);
		add_squares(bootstrap);
		add_share_squares(bootstrap, &sums);
	}
	take_variances(bootstrap);
}

enum status analysis_estimate_errors(struct profile *profile, const struct profile *whole, struct error *error)
{
	struct bootstrap bootstrap = {.profile = profile, .whole = whole};
	enum status status = resample_prepare(&bootstrap.resample, profile, error);

	if (status == STATUS_OK && (!allocate_draws(&bootstrap) || !find_flows(&bootstrap)))
		status = status_no_memory(error, profile->image->path);
	if (status == STATUS_OK) {
		sum_up(&bootstrap);
		run_draws(&bootstrap);
	}
	release_bootstrap(&bootstrap);
	return status;
}
