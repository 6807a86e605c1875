/* SPDX-License-Identifier: MIT */
/*
 * Stage: the unit of work that times and calls are told for, so that captures of different length compare. Unless it
 * was asked for it is the calls of a root of both call graphs, the one with the most; where there is none, time.
 */
#include "compare/private.h"

#include <math.h>
#include <string.h>

/* The fewest calls of the row that any build has, 0 if some capture has none. */
static double calls_everywhere(const struct comparing *comparing, size_t row)
{
	double fewest = INFINITY;
	for (size_t build = 0; build < BUILD_COUNT; build++) {
		fewest = fmin(fewest, comparing->all[build].rows[row].calls);
		for (size_t i = 0; comparing->single[build] != NULL && i < comparing->inputs[build].capture_count; i++)
			if (comparing->single[build][i].rows[row].calls <= 0)
				return 0;
	}
	return fewest;
}

/* True if nobody calls it who is called by somebody himself: the hardware, and code that was not instrumented. */
static bool is_root(const struct comparing *comparing, size_t row)
{
	const struct comparison *made = comparing->made;
	for (size_t i = made->first_parent[row]; i < made->first_parent[row + 1]; i++) {
		const struct compare_arc *arc = &made->arcs[made->parent_arcs[i]];
		for (size_t build = 0; build < BUILD_COUNT; build++)
			if (arc->caller != row && comparing->all[build].rows[arc->caller].calls > 0)
				return false;
	}
	return made->rows[row].kind == PROFILE_FUNCTION;
}

static double total_everywhere(const struct comparing *comparing, size_t row)
{
	return comparing->all[BUILD_OLD].rows[row].total + comparing->all[BUILD_NEW].rows[row].total;
}

/* True if a root with so many calls is the better one: of two that are called as often, the one with more time. */
static bool is_better(const struct comparing *comparing, size_t row, double calls, size_t best, double best_calls)
{
	if (best == PAIRING_NONE || calls > best_calls)
		return true;
	return calls >= best_calls && total_everywhere(comparing, row) > total_everywhere(comparing, best);
}

static size_t find_root(const struct comparing *comparing)
{
	size_t best = PAIRING_NONE;
	double best_calls = 0;
	for (size_t i = 0; i < comparing->made->row_count; i++) {
		double calls = calls_everywhere(comparing, i);
		if (calls <= 0 || !is_root(comparing, i) || !is_better(comparing, i, calls, best, best_calls))
			continue;
		best = i;
		best_calls = calls;
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
	for (size_t build = 0; build < BUILD_COUNT; build++) {
		struct tally *all = &comparing->all[build];
		made->builds[build].work = all->work = work_in(made, all);
		for (size_t i = 0; comparing->single[build] != NULL && i < comparing->inputs[build].capture_count;
		     i++) {
			struct tally *single = &comparing->single[build][i];
			single->work = work_in(made, single);
		}
	}
}

static void choose(struct comparing *comparing)
{
	struct comparison *made = comparing->made;
	made->is_unit_chosen = true;
	made->unit_row = find_root(comparing);
	if (made->unit_row != PAIRING_NONE)
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
		return status_fail(error, "--per-call-of=%.200s: neither build has such a function", name);
	if (calls_everywhere(comparing, made->unit_row) > 0)
		return STATUS_OK;
	return status_fail(
	        error, "--per-call-of=%.200s: not every capture has calls of it, so there is no work to count", name);
}

static enum status take(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;
	made->unit = comparing->options->unit;
	made->unit_row = PAIRING_NONE;
	if (made->unit == COMPARE_PER_CALL)
		return find_function(comparing, error);
	if (made->unit == COMPARE_PER_SECOND && made->time_unit != PROFILE_SECONDS)
		return status_fail(
		        error, "--per-second: a capture does not tell its clock or period, so times are in samples: "
		               "use --per-sample");
	return STATUS_OK;
}

enum status compare_choose_unit(struct comparing *comparing, struct error *error)
{
	enum status status = STATUS_OK;
	if (comparing->options->has_unit)
		status = take(comparing, error);
	else
		choose(comparing);
	if (status == STATUS_OK)
		measure_work(comparing);
	return status;
}
