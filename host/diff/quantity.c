/* SPDX-License-Identifier: MIT */
/* See quantity.h. */
#include "diff/quantity.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct tally_figures *figures_in(const struct quantity *quantity, const struct build_tally *tally)
{
	return quantity->is_arc ? &tally->arcs[quantity->index] : &tally->rows[quantity->index];
}

static bool is_recorder(const struct quantity *quantity)
{
	return !quantity->is_arc && quantity->state->comparison->rows[quantity->index].kind == PROFILE_BAREPROF;
}

/* The time that shares refer to: the firmware's time or, for the recorder's share, all time. */
static double time_shared(const struct quantity *quantity, const struct build_tally *tally)
{
	return tally->time + (is_recorder(quantity) ? figures_in(quantity, tally)->self : 0);
}

/* The upper 95 % bound on the expected number of samples if none was seen ("rule of three"). */
#define UNSEEN_SAMPLES 3

/* Adjusts the variance of a share of all time as if a few more samples had hit other functions. Otherwise, a few
 * samples in one function would "prove" that nothing else runs. */
static double variance_of_rest(double part, double whole, double grain)
{
	double unseen = UNSEEN_SAMPLES * grain, share = part / whole;

	return share * share * grain * unseen * whole / (whole + unseen);
}

/* The variance of a self time when the number of all samples is given (multinomial instead of Poisson). The time of
 * sampling interrupts, which belongs to the recorder, follows from the number of samples and adds no variance. */
static double variance_of_share(const struct quantity *quantity, const struct build_tally *tally)
{
	const struct tally_figures *figures = figures_in(quantity, tally);
	double sampled = figures->self - figures->handler;
	double whole = time_shared(quantity, tally) - figures->handler, part = sampled / whole;
	double whole_variance = tally->time_variance + (is_recorder(quantity) ? figures->self_variance : 0);

	return fmax(figures->self_variance - part * part * whole_variance, 0) +
	       variance_of_rest(sampled, whole, tally->grain);
}

/* The variance of the recorder's time relative to the firmware's. Their samples vary independently, and each sample of
 * either adds the time of a sampling interrupt to the recorder's time. */
static double variance_beside(const struct tally_figures *figures, const struct build_tally *tally)
{
	double per_sampled = figures->handler / (figures->self - figures->handler + tally->time);
	double own = 1 + per_sampled, others = figures->self / tally->time - per_sampled;

	return own * own * figures->self_variance + others * others * tally->time_variance;
}

/* The variance of the recorder's time due to sampling interrupts: each sample adds the time of one interrupt, and
 * samples of the recorder's own code also add to its self time. */
static double variance_of_handler(const struct tally_figures *figures, const struct build_tally *tally)
{
	double sampled = figures->self - figures->handler;
	double samples = tally->samples * (1 + sampled / tally->time);

	return figures->handler > 0 ? figures->handler * (figures->handler + 2 * sampled) / samples : 0;
}

static double variance_of_total(const struct quantity *quantity, const struct build_tally *tally)
{
	const struct tally_figures *figures = figures_in(quantity, tally);

	if (!quantity->state->comparison->has_total_errors)
		return NAN;
	if (!compare_is_per_time(quantity->state->comparison))
		return figures->total_variance + variance_of_handler(figures, tally);
	return figures->share_variance +
	       (is_recorder(quantity) ? 0 : variance_of_rest(figures->total, tally->time, tally->grain));
}

static double variance_of_self(const struct quantity *quantity, const struct build_tally *tally)
{
	const struct tally_figures *figures = figures_in(quantity, tally);

	if (!compare_is_per_time(quantity->state->comparison))
		return figures->self_variance + variance_of_handler(figures, tally);
	return is_recorder(quantity) ? variance_beside(figures, tally) : variance_of_share(quantity, tally);
}

static double variance_of_self_per_call(const struct quantity *quantity, const struct build_tally *tally)
{
	return figures_in(quantity, tally)->self_variance;
}

/* False if a function that runs has no recorded calls, because it was not instrumented or its code is inside others. */
static bool calls_are_known(const struct quantity *quantity, enum build build)
{
	const struct compare_state *state = quantity->state;
	const struct comparison *comparison = state->comparison;
	const struct tally_figures *figures = figures_in(quantity, &state->all[build]);

	if (!state->all[build].has_calls || (state->all[build].is_measured && figures->calls <= 0))
		return false;
	if (quantity->is_arc)
		return !comparison->arcs[quantity->index].is_inlined[build];
	const struct compare_row *row = &comparison->rows[quantity->index];
	if (row->kind != PROFILE_FUNCTION || row->inlining[build] != COMPARE_CALLED)
		return false;
	return figures->calls > 0 || figures->self <= 0;
}

/* Without recorded calls and without stacks, only inlined calls are known: total times equal self times, and are lower
 * than in a build with calls. Measured times are not compared with estimates, because these differ wherever calls do
 * not all cost the same. */
static bool propagation_is_known(const struct quantity *quantity, enum build build)
{
	const struct compare_state *state = quantity->state;

	if (state->all[BUILD_OLD].is_measured != state->all[BUILD_NEW].is_measured)
		return false;
	return state->all[build].is_measured || state->all[build].has_calls ||
	       (quantity->is_arc && state->comparison->arcs[quantity->index].is_inlined[build]);
}

/* False for a function outside the sampled ranges. For a function that the build does not have, the time is known to be
 * 0. */
static bool time_is_known(const struct quantity *quantity, enum build build)
{
	const struct compare_state *state = quantity->state;
	const struct comparison *comparison = state->comparison;
	size_t index = quantity->is_arc ? comparison->arcs[quantity->index].callee : quantity->index;
	const struct compare_row *row = &comparison->rows[index];

	return row->kind != PROFILE_FUNCTION || row->names[build] == NULL || state->all[build].rows[index].is_sampled;
}

static double calls_in(const struct quantity *quantity, const struct build_tally *tally)
{
	return figures_in(quantity, tally)->calls;
}

/* How each quantity is measured. */
static const struct {
	const char *name;
	size_t part; /* member of struct tally_figures */
	double (*work)(const struct quantity *quantity, const struct build_tally *tally); /* NULL: the unit of work */
	double (*variance)(const struct quantity *quantity, const struct build_tally *tally); /* NULL: it is exact */
	bool needs_calls, needs_time, needs_propagation;                                      /* to be known */
} kinds[COMPARE_QUANTITIES] = {
        [COMPARE_SELF] = {"self", offsetof(struct tally_figures, self), NULL, variance_of_self, .needs_time = true},
        [COMPARE_TOTAL] = {"total", offsetof(struct tally_figures, total), NULL, variance_of_total, .needs_time = true,
                           .needs_propagation = true},
        [COMPARE_CALLS] = {"calls", offsetof(struct tally_figures, calls), .needs_calls = true},
        [COMPARE_PER_CALL_TIME] = {"percall", offsetof(struct tally_figures, self), calls_in, variance_of_self_per_call,
                                   .needs_calls = true, .needs_time = true},
        [COMPARE_SHARE] = {"share", offsetof(struct tally_figures, self), time_shared, variance_of_share,
                           .needs_time = true},
        [COMPARE_SIZE] = {.name = "size"}, /* does not depend on captures */
};

const char *compare_quantity_name(enum compare_quantity quantity)
{
	return kinds[quantity].name;
}

static double part_in(const struct quantity *quantity, const struct build_tally *tally)
{
	double part;

	memcpy(&part, (const char *)figures_in(quantity, tally) + kinds[quantity->what].part, sizeof part);
	return part;
}

static double work_in(const struct quantity *quantity, const struct build_tally *tally)
{
	return kinds[quantity->what].work == NULL ? tally->work : kinds[quantity->what].work(quantity, tally);
}

/* The time of an arc is the part of its callee's time that is passed on to the caller. */
static bool is_quantity_known(const struct quantity *quantity, enum build build)
{
	bool needs_time = kinds[quantity->what].needs_time;
	bool needs_propagation = kinds[quantity->what].needs_propagation || (quantity->is_arc && needs_time);

	return (!kinds[quantity->what].needs_calls || calls_are_known(quantity, build)) &&
	       (!needs_propagation || propagation_is_known(quantity, build)) &&
	       (!needs_time || time_is_known(quantity, build));
}

static double spread_of(const struct quantity *quantity, enum build build)
{
	const struct compare_state *state = quantity->state;
	size_t count = state->inputs[build].capture_count;

	for (size_t i = 0; i < count; i++) {
		state->parts[i] = part_in(quantity, &state->per_capture[build][i]);
		state->parts[count + i] = work_in(quantity, &state->per_capture[build][i]);
	}
	return stats_spread(state->parts, state->parts + count, count);
}

struct stats_sum quantity_sum(const struct quantity *quantity, enum build build)
{
	const struct build_tally *all = &quantity->state->all[build];
	bool is_exact = kinds[quantity->what].variance == NULL;

	return (struct stats_sum){
	        .sum = part_in(quantity, all),
	        .work = is_quantity_known(quantity, build) ? work_in(quantity, all) : 0,
	        .variance = is_exact ? 0 : kinds[quantity->what].variance(quantity, all),
	        .grain = is_exact ? 0 : all->grain,
	        .spread = spread_of(quantity, build),
	        .captures = quantity->state->inputs[build].capture_count,
	};
}

/* If the unit of work is time, this sum is the work itself, without variance. */
struct stats_sum quantity_sum_of_time(const struct compare_state *state, enum build build)
{
	const struct build_tally *all = &state->all[build];
	size_t count = state->inputs[build].capture_count;

	for (size_t i = 0; i < count; i++) {
		state->parts[i] = state->per_capture[build][i].time;
		state->parts[count + i] = state->per_capture[build][i].work;
	}
	return (struct stats_sum){
	        .sum = all->time,
	        .work = all->work,
	        .variance = compare_is_per_time(state->comparison) ? 0 : all->time_variance,
	        .grain = all->grain,
	        .spread = stats_spread(state->parts, state->parts + count, count),
	        .captures = state->inputs[build].capture_count,
	};
}
