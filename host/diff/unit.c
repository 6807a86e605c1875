/* SPDX-License-Identifier: MIT */
/*
 * Stage: chooses the unit of work, which makes captures of different lengths comparable. By default it is a call to the
 * most-called root of both call graphs that accounts for at least half of the time in each build, or a second if there
 * is no such root.
 */
#include "diff/private.h"

#include <math.h>
#include <string.h>

/* The row's calls in the build that has fewer; 0 if some capture has none. */
static double calls_everywhere(const struct comparing *comparing, size_t row)
{
	double fewest = INFINITY;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		fewest = fmin(fewest, comparing->all[build].rows[row].calls);
		for (size_t i = 0; i < comparing->single_counts[build]; i++)
			if (comparing->single[build][i].rows[row].calls <= 0)
				return 0;
	}
	return fewest;
}

/* Whether a row is a root of the call graph, and who calls it. */
enum root {
	ROOT_NOT,      /* not a root: a called function calls it */
	ROOT_HANDLER,  /* the hardware calls it */
	ROOT_FUNCTION, /* code calls it that was not instrumented or is not called itself */
};

static enum root root_of(const struct comparing *comparing, size_t row)
{
	const struct comparison *made = comparing->made;
	enum root root = ROOT_HANDLER;

	if (made->rows[row].kind != PROFILE_FUNCTION)
		return ROOT_NOT;
	for (size_t i = made->first_parent[row]; i < made->first_parent[row + 1]; i++) {
		size_t caller = made->arcs[made->parent_arcs[i]].caller;

		if (caller == row || profile_is_hidden(made->rows[caller].kind))
			continue;
		for (enum build build = 0; build < BUILD_COUNT; build++)
			if (comparing->all[build].rows[caller].calls > 0)
				return ROOT_NOT;
		if (made->rows[caller].kind != PROFILE_EXCEPTION)
			root = ROOT_FUNCTION;
	}
	return root;
}

/* The share of a row and its callees in the time outside the recorder while the core was awake. */
static double share_of(const struct comparing *comparing, enum build build, size_t row)
{
	const struct tally *all = &comparing->all[build];
	size_t asleep = comparing->row_of_kind[PROFILE_UNAVAILABLE];
	double time = all->time - (asleep == PAIRING_NONE ? 0 : all->rows[asleep].self);

	return time > 0 ? all->rows[row].total / time : 0;
}

static bool is_partly_inlined(const struct compare_row *row)
{
	return row->inlining[BUILD_OLD] == COMPARE_PARTLY_INLINED || row->inlining[BUILD_NEW] == COMPARE_PARTLY_INLINED;
}

/* A root, and the values that rank it. */
struct candidate {
	enum root root;
	double calls, share; /* each from the build with the smaller value */
	size_t row;
};

static struct candidate candidate_of(const struct comparing *comparing, size_t row)
{
	struct candidate candidate = {
	        .root = root_of(comparing, row),
	        .calls = calls_everywhere(comparing, row),
	        .share = fmin(share_of(comparing, BUILD_OLD, row), share_of(comparing, BUILD_NEW, row)),
	        .row = row,
	};

	if (candidate.calls <= 1 || is_partly_inlined(&comparing->made->rows[row]))
		candidate.root = ROOT_NOT;
	return candidate;
}

static bool is_unit(const struct candidate *candidate)
{
	return candidate->share >= COMPARE_UNIT_SHARE_MIN;
}

/* Orders roots: functions that can be the unit, handlers that can be, then all others by falling time. */
static bool is_better(const struct candidate *candidate, const struct candidate *best)
{
	if (is_unit(candidate) != is_unit(best))
		return is_unit(candidate);
	if (!is_unit(candidate))
		return candidate->share > best->share;
	if (candidate->root != best->root)
		return candidate->root > best->root;
	if (candidate->calls > best->calls || candidate->calls < best->calls)
		return candidate->calls > best->calls;
	return candidate->share > best->share;
}

/* The best root; its row is PAIRING_NONE if there is none. */
static struct candidate find_best(const struct comparing *comparing)
{
	struct candidate best = {.root = ROOT_NOT, .share = -1, .row = PAIRING_NONE};

	for (size_t i = 0; i < comparing->made->row_count; i++) {
		const struct candidate candidate = candidate_of(comparing, i);

		if (candidate.root != ROOT_NOT && is_better(&candidate, &best))
			best = candidate;
	}
	return best;
}

static double work_in(const struct comparison *made, const struct tally *tally)
{
	switch (made->unit) {
	case COMPARE_PER_CALL:
		return tally->rows[made->unit_row].calls;
	case COMPARE_PER_SECOND:
		return tally->time;
	default:
		return tally->samples;
	}
}

static void measure_work(struct comparing *comparing)
{
	struct comparison *made = comparing->made;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct tally *all = &comparing->all[build];

		made->builds[build].work = all->work = work_in(made, all);
		for (size_t i = 0; i < comparing->single_counts[build]; i++) {
			struct tally *single = &comparing->single[build][i];

			single->work = work_in(made, single);
		}
	}
}

/* If no root can be the unit, the best one is shown as rejected. */
static void choose(struct comparing *comparing)
{
	struct comparison *made = comparing->made;
	const struct candidate best = find_best(comparing);
	bool is_found = best.row != PAIRING_NONE && is_unit(&best);

	made->is_unit_chosen = true;
	made->unit_row = is_found ? best.row : PAIRING_NONE;
	made->rejected_row = is_found ? PAIRING_NONE : best.row;
	if (is_found)
		made->unit = COMPARE_PER_CALL;
	else
		made->unit = made->time_unit == PROFILE_SECONDS ? COMPARE_PER_SECOND : COMPARE_PER_SAMPLE;
}

static enum status find_function(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;
	const char *name = comparing->options->function;

	made->unit_row = comparison_find(made, name);
	if (made->unit_row == PAIRING_NONE)
		return status_fail(error, "unit of work %.200s: neither build has a function of this name", name);
	if (is_partly_inlined(&made->rows[made->unit_row]))
		return status_fail(
		        error,
		        "unit of work %.200s: it is inlined into some of its callers, so not all of its calls were "
		        "counted: build it with __attribute__((noinline)) or choose another function",
		        name);
	if (calls_everywhere(comparing, made->unit_row) > 0)
		return STATUS_OK;
	if (made->lacks_calls)
		return status_fail(error,
		                   "unit of work %.200s: no calls were counted in some build; counting them needs -pg",
		                   name);
	return status_fail(
	        error, "unit of work %.200s: some capture has no calls of it; choose a function that all captures call",
	        name);
}

static enum status take(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;

	made->unit = comparing->options->unit;
	made->unit_row = made->rejected_row = PAIRING_NONE;
	if (made->unit == COMPARE_PER_CALL)
		return find_function(comparing, error);
	if (made->unit == COMPARE_PER_SECOND && made->time_unit != PROFILE_SECONDS)
		return status_fail_with(
		        error, HINT_PER_SAMPLE,
		        "no work per second: a capture does not record its clock or period, so times are in samples");
	return STATUS_OK;
}

static void measure_share(struct comparing *comparing)
{
	struct comparison *made = comparing->made;
	size_t row = made->unit_row == PAIRING_NONE ? made->rejected_row : made->unit_row;

	for (enum build build = 0; build < BUILD_COUNT; build++)
		made->unit_shares[build] = row == PAIRING_NONE ? NAN : share_of(comparing, build, row);
}

enum status compare_choose_unit(struct comparing *comparing, struct error *error)
{
	enum status status = STATUS_OK;

	comparing->made->lacks_calls = !comparing->all[BUILD_OLD].has_calls || !comparing->all[BUILD_NEW].has_calls;
	if (comparing->options->has_unit)
		status = take(comparing, error);
	else
		choose(comparing);
	if (status == STATUS_OK) {
		measure_work(comparing);
		measure_share(comparing);
	}
	return status;
}
