/* SPDX-License-Identifier: MIT */
/*
 * Stage: chooses the unit of work, which makes captures of different lengths comparable. By default it is - a call to
 * the most-called root of both call graphs that accounts for at least half of the time in each build, - else a run, if
 * most functions are called equally often in all captures, which are then of the same work, - else a call to the root
 * with the most time that could account for half of it, with all time of a cycle that it calls, - else a second.
 */
#include "diff/private.h"
#include "profile/analysis.h"

#include <math.h>
#include <string.h>

/* The row's calls in the build with fewer calls; 0 if some capture has no calls. */
static double calls_everywhere(const struct compare_state *state, size_t row)
{
	double fewest = INFINITY;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		fewest = fmin(fewest, state->all[build].rows[row].calls);
		for (size_t i = 0; i < state->inputs[build].capture_count; i++)
			if (state->per_capture[build][i].rows[row].calls <= 0)
				return 0;
	}
	return fewest;
}

/* Whether a row is a root of the call graph, and who calls it. */
enum root {
	ROOT_NOT,      /* not a root: a called function calls it */
	ROOT_HANDLER,  /* the hardware calls it */
	ROOT_FUNCTION, /* its callers are uninstrumented or never called */
};

static enum root root_of(const struct compare_state *state, size_t row)
{
	const struct comparison *comparison = state->comparison;
	enum root root = ROOT_HANDLER;

	if (comparison->rows[row].kind != PROFILE_FUNCTION)
		return ROOT_NOT;
	for (size_t i = comparison->first_parent[row]; i < comparison->first_parent[row + 1]; i++) {
		size_t caller = comparison->arcs[comparison->parent_arcs[i]].caller;

		if (caller == row || profile_is_hidden(comparison->rows[caller].kind))
			continue;
		for (enum build build = 0; build < BUILD_COUNT; build++)
			if (state->all[build].rows[caller].calls > 0)
				return ROOT_NOT;
		if (comparison->rows[caller].kind != PROFILE_EXCEPTION)
			root = ROOT_FUNCTION;
	}
	return root;
}

/* All time outside the recorder while the core was awake. */
static double time_awake(const struct compare_state *state, enum build build)
{
	const struct build_tally *all = &state->all[build];
	size_t sleep_row = state->row_of[state->comparison->pairing.count + PROFILE_UNAVAILABLE];

	return all->time - (sleep_row == PAIRING_NONE ? 0 : all->rows[sleep_row].self);
}

/* The share of a row and its callees in time_awake(). */
static double share_of_time(const struct compare_state *state, enum build build, size_t row)
{
	double time = time_awake(state, build);

	return time > 0 ? state->all[build].rows[row].total / time : 0;
}

static bool is_partly_inlined(const struct compare_row *row)
{
	return row->inlining[BUILD_OLD] == COMPARE_PARTLY_INLINED || row->inlining[BUILD_NEW] == COMPARE_PARTLY_INLINED;
}

/* A root, and the values that rank it. */
struct unit_candidate {
	enum root root;
	double calls, share; /* in the build with the smaller value */
	size_t row;
};

static struct unit_candidate unit_candidate_of(const struct compare_state *state, size_t row)
{
	struct unit_candidate candidate = {
	        .root = root_of(state, row),
	        .calls = calls_everywhere(state, row),
	        .share = fmin(share_of_time(state, BUILD_OLD, row), share_of_time(state, BUILD_NEW, row)),
	        .row = row,
	};

	if (candidate.calls <= 1 || is_partly_inlined(&state->comparison->rows[row]))
		candidate.root = ROOT_NOT;
	return candidate;
}

static bool can_be_unit(const struct unit_candidate *candidate)
{
	return candidate->share >= COMPARE_UNIT_SHARE_MIN;
}

/* Orders roots: functions that can be the unit, handlers that can be, then all others by falling time. */
static bool is_better_unit(const struct unit_candidate *candidate, const struct unit_candidate *best)
{
	if (can_be_unit(candidate) != can_be_unit(best))
		return can_be_unit(candidate);
	if (!can_be_unit(candidate))
		return candidate->share > best->share;
	if (candidate->root != best->root)
		return candidate->root > best->root;
	if (candidate->calls > best->calls || candidate->calls < best->calls)
		return candidate->calls > best->calls;
	return candidate->share > best->share;
}

/* The best root; its row is PAIRING_NONE if there is none. */
static struct unit_candidate find_best(const struct compare_state *state)
{
	struct unit_candidate best = {.root = ROOT_NOT, .share = -1, .row = PAIRING_NONE};

	for (size_t i = 0; i < state->comparison->row_count; i++) {
		const struct unit_candidate candidate = unit_candidate_of(state, i);

		if (candidate.root != ROOT_NOT && is_better_unit(&candidate, &best))
			best = candidate;
	}
	return best;
}

/* --- Roots whose cost a cycle hides. */

/* Only the roots with the most time are examined: others seldom qualify, and there may be thousands. */
#define POSSIBLE_ROOTS_MAX 50

/* Like share_of_time(), with all time of the cycles that the row calls. */
static enum status possible_share_of(const struct compare_state *state, enum build build, size_t row, double *share,
                                     struct error *error)
{
	const struct profile *profile = state->comparison->builds[build].profile;
	size_t node = 0;
	double time = 0;

	while (node < profile->node_count && compare_row_of_node(state, build, profile, node) != row)
		node++;
	enum status status =
	        node < profile->node_count ? analysis_possible_total(profile, node, &time, error) : STATUS_OK;
	*share = time > 0 ? time / time_awake(state, build) : 0;
	return status;
}

static enum status is_possible_unit(const struct compare_state *state, size_t row, bool *answer, struct error *error)
{
	enum status status = STATUS_OK;

	*answer = true;
	for (enum build build = 0; *answer && status == STATUS_OK && build < BUILD_COUNT; build++) {
		double share = 0;

		status = possible_share_of(state, build, row, &share, error);
		*answer = share >= COMPARE_UNIT_SHARE_MIN;
	}
	return status;
}

/* The root that follows `before` by falling time; its row is PAIRING_NONE if there is none. */
static struct unit_candidate find_next(const struct compare_state *state, const struct unit_candidate *before)
{
	struct unit_candidate best = {.root = ROOT_NOT, .share = -1, .row = PAIRING_NONE};

	for (size_t i = 0; i < state->comparison->row_count; i++) {
		const struct unit_candidate candidate = unit_candidate_of(state, i);
		bool is_after =
		        candidate.share < before->share || (!(candidate.share > before->share) && i > before->row);

		if (candidate.root == ROOT_FUNCTION && is_after && candidate.share > best.share)
			best = candidate;
	}
	return best;
}

static enum status find_possible_unit(struct compare_state *state, struct unit_candidate *found, struct error *error)
{
	bool is_found = false;
	enum status status = STATUS_OK;

	*found = (struct unit_candidate){.share = INFINITY, .row = 0};
	for (size_t i = 0; !is_found && status == STATUS_OK && i < POSSIBLE_ROOTS_MAX; i++) {
		*found = find_next(state, found);
		if (found->row == PAIRING_NONE)
			return STATUS_OK;
		status = is_possible_unit(state, found->row, &is_found, error);
	}
	if (!is_found)
		found->row = PAIRING_NONE;
	return status;
}

/* --- Runs of the same work. */

/* Numbers of calls are equal if they differ by at most this part. */
#define EQUAL_CALLS 0.01
/* This part of the functions that all captures call, and of their time, must be called equally often. */
#define EQUAL_FUNCTIONS 0.75
#define EQUAL_TIME      0.5
/* The minimum number of functions; fewer may agree by chance. */
#define EQUAL_MIN 5

/* The lowest and the highest number of calls of a row in a single capture. */
static void find_range_of_calls(const struct compare_state *state, size_t row, double *low, double *high)
{
	*low = INFINITY;
	*high = 0;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < state->inputs[build].capture_count; i++) {
			double calls = state->per_capture[build][i].rows[row].calls;

			*low = fmin(*low, calls);
			*high = fmax(*high, calls);
		}
}

/* Ignores functions that are called once: every run calls them at its start, however long it is. */
static bool are_runs_equal(struct compare_state *state)
{
	struct comparison *comparison = state->comparison;
	/* The time of the rows that all captures call, and of the rows that they call equally often. */
	double time[BUILD_COUNT] = {0}, equal_time[BUILD_COUNT] = {0};

	for (size_t i = 0; i < comparison->row_count; i++) {
		double low, high;

		find_range_of_calls(state, i, &low, &high);
		if (comparison->rows[i].kind != PROFILE_FUNCTION || low <= 1 || is_partly_inlined(&comparison->rows[i]))
			continue;
		bool is_equal = high - low <= EQUAL_CALLS * low;
		comparison->called_count++;
		comparison->equal_count += is_equal;
		for (enum build build = 0; build < BUILD_COUNT; build++) {
			time[build] += state->all[build].rows[i].self;
			equal_time[build] += is_equal ? state->all[build].rows[i].self : 0;
		}
	}
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (equal_time[build] < EQUAL_TIME * time[build])
			return false;
	return comparison->equal_count >= EQUAL_MIN &&
	       (double)comparison->equal_count >= EQUAL_FUNCTIONS * (double)comparison->called_count;
}

/* --- The choice. */

static void measure_work_of(struct compare_state *state, struct build_tally *tally, size_t capture_count)
{
	const struct comparison *comparison = state->comparison;

	switch (comparison->unit) {
	case COMPARE_PER_CALL:
		tally->work = tally->rows[comparison->unit_row].calls;
		break;
	case COMPARE_PER_RUN:
		tally->work = (double)capture_count;
		break;
	case COMPARE_PER_SECOND:
		tally->work = tally->time;
		break;
	default:
		tally->work = tally->samples;
	}
}

static void measure_work(struct compare_state *state)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct build_tally *all = &state->all[build];

		measure_work_of(state, all, state->inputs[build].capture_count);
		state->comparison->builds[build].work = all->work;
		for (size_t i = 0; i < state->inputs[build].capture_count; i++)
			measure_work_of(state, &state->per_capture[build][i], 1);
	}
}

static void choose_root(struct comparison *comparison, size_t row)
{
	comparison->unit = COMPARE_PER_CALL;
	comparison->unit_row = row;
}

/* If no root can be the unit, the best one is shown as rejected. */
static enum status choose_best_unit(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	const struct unit_candidate best = find_best(state);
	struct unit_candidate possible;

	comparison->is_unit_chosen = true;
	comparison->unit_row = comparison->rejected_row = PAIRING_NONE;
	if (best.row != PAIRING_NONE && can_be_unit(&best)) {
		choose_root(comparison, best.row);
		return STATUS_OK;
	}
	comparison->unit = COMPARE_PER_RUN;
	if (are_runs_equal(state))
		return STATUS_OK;
	enum status status = find_possible_unit(state, &possible, error);
	if (status == STATUS_OK && possible.row != PAIRING_NONE) {
		choose_root(comparison, possible.row);
		comparison->is_unit_possible = true;
		return STATUS_OK;
	}
	comparison->rejected_row = best.row;
	comparison->unit = comparison->time_unit == PROFILE_SECONDS ? COMPARE_PER_SECOND : COMPARE_PER_SAMPLE;
	return status;
}

static enum status find_function(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	const char *name = state->options->function;

	comparison->unit_row = comparison_find(comparison, name);
	if (comparison->unit_row == PAIRING_NONE)
		return status_fail(error, "unit of work %.200s: neither build has a function of this name", name);
	if (is_partly_inlined(&comparison->rows[comparison->unit_row]))
		return status_fail(
		        error,
		        "unit of work %.200s: it is inlined into some of its callers, so not all of its calls were "
		        "counted: build it with __attribute__((noinline)) or choose another function",
		        name);
	if (calls_everywhere(state, comparison->unit_row) > 0)
		return STATUS_OK;
	/* main() is called once per run, but before recording begins, so that the call is not counted. */
	if (strcmp(name, "main") == 0) {
		comparison->unit = COMPARE_PER_RUN;
		comparison->unit_row = PAIRING_NONE;
		return STATUS_OK;
	}
	if (comparison->lacks_calls)
		return status_fail(error,
		                   "unit of work %.200s: no calls were counted in some build; counting them needs -pg",
		                   name);
	return status_fail(
	        error, "unit of work %.200s: some capture has no calls of it; choose a function that all captures call",
	        name);
}

static enum status take_requested_unit(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;

	comparison->unit = state->options->unit;
	comparison->unit_row = comparison->rejected_row = PAIRING_NONE;
	if (comparison->unit == COMPARE_PER_CALL)
		return find_function(state, error);
	if (comparison->unit == COMPARE_PER_SECOND && comparison->time_unit != PROFILE_SECONDS)
		return status_fail_with(
		        error, HINT_PER_SAMPLE,
		        "no work per second: a capture does not record its clock or period, so times are in samples");
	return STATUS_OK;
}

static void measure_share(struct compare_state *state)
{
	struct comparison *comparison = state->comparison;
	size_t row = comparison->unit_row == PAIRING_NONE ? comparison->rejected_row : comparison->unit_row;

	for (enum build build = 0; build < BUILD_COUNT; build++)
		comparison->unit_shares[build] = row == PAIRING_NONE ? NAN : share_of_time(state, build, row);
}

enum status compare_choose_unit(struct compare_state *state, struct error *error)
{
	enum status status = STATUS_OK;

	state->comparison->lacks_calls = !state->all[BUILD_OLD].has_calls || !state->all[BUILD_NEW].has_calls;
	if (state->options->has_unit)
		status = take_requested_unit(state, error);
	else
		status = choose_best_unit(state, error);
	if (status == STATUS_OK) {
		measure_work(state);
		measure_share(state);
	}
	return status;
}
