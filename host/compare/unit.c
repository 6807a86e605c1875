/* SPDX-License-Identifier: MIT */
/*
 * Stage: the unit of work that times and calls are told for, so that captures of different length compare. Unless it
 * was asked for it is the calls of a root of both call graphs, the one with the most of those that answer for much
 * time; where there is none, time.
 */
#include "compare/private.h"

#include <math.h>
#include <string.h>

/* The fewest calls of the row that any build has, 0 if some capture has none. */
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

/* Who calls a row that is called by nobody who is called himself. */
enum root {
	ROOT_NOT,      /* somebody is */
	ROOT_HANDLER,  /* the hardware */
	ROOT_FUNCTION, /* code that was not instrumented, or is called by nobody either */
};

static enum root root_of(const struct comparing *comparing, size_t row)
{
	const struct comparison *made = comparing->made;
	enum root root = ROOT_HANDLER;
	if (made->rows[row].kind != PROFILE_FUNCTION)
		return ROOT_NOT;
	for (size_t i = made->first_parent[row]; i < made->first_parent[row + 1]; i++) {
		size_t caller = made->arcs[made->parent_arcs[i]].caller;
		if (caller == row)
			continue;
		for (enum build build = 0; build < BUILD_COUNT; build++)
			if (comparing->all[build].rows[caller].calls > 0)
				return ROOT_NOT;
		if (made->rows[caller].kind != PROFILE_EXCEPTION)
			root = ROOT_FUNCTION;
	}
	return root;
}

/* A root, and what decides whether it is the best one. */
struct candidate {
	enum root root;
	double calls, total;
	size_t row;
};

static struct candidate candidate_of(const struct comparing *comparing, size_t row)
{
	struct candidate candidate = {
	        .root = root_of(comparing, row),
	        .calls = calls_everywhere(comparing, row),
	        .total = comparing->all[BUILD_OLD].rows[row].total + comparing->all[BUILD_NEW].rows[row].total,
	        .row = row,
	};
	if (candidate.calls <= 1)
		candidate.root = ROOT_NOT;
	return candidate;
}

typedef bool (*better)(const struct candidate *candidate, const struct candidate *best);

static bool takes_longer(const struct candidate *candidate, const struct candidate *best)
{
	if (candidate->root != best->root)
		return candidate->root > best->root;
	return candidate->total > best->total;
}

static bool is_called_more(const struct candidate *candidate, const struct candidate *best)
{
	if (candidate->calls > best->calls || candidate->calls < best->calls)
		return candidate->calls > best->calls;
	return candidate->total > best->total;
}

/* Of the roots that are at least of this kind, and answer for at least half as much time. */
static struct candidate find_best(const struct comparing *comparing, const struct candidate *least, better is_better)
{
	struct candidate best = *least;
	for (size_t i = 0; i < comparing->made->row_count; i++) {
		const struct candidate candidate = candidate_of(comparing, i);
		if (candidate.root != ROOT_NOT && candidate.root >= least->root &&
		    candidate.total >= least->total / 2 && is_better(&candidate, &best))
			best = candidate;
	}
	return best;
}

/*
 * What answers for less than half as much time as another root is not what the work consists of: so an interrupt is
 * none whose handler was not instrumented, or is called by code that was not, and looks like any other root.
 */
static size_t find_root(const struct comparing *comparing)
{
	const struct candidate none = {.root = ROOT_NOT, .row = PAIRING_NONE};
	const struct candidate longest = find_best(comparing, &none, takes_longer);
	return longest.row == PAIRING_NONE ? PAIRING_NONE : find_best(comparing, &longest, is_called_more).row;
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

static bool is_partly_inlined(const struct compare_row *row)
{
	return row->inlining[BUILD_OLD] == COMPARE_PARTLY_INLINED || row->inlining[BUILD_NEW] == COMPARE_PARTLY_INLINED;
}

static enum status find_function(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;
	const char *name = comparing->options->function;
	made->unit_row = comparison_find(made, name);
	if (made->unit_row == PAIRING_NONE)
		return status_fail(error, "--per-call-of=%.200s: neither build has such a function", name);
	if (is_partly_inlined(&made->rows[made->unit_row]))
		return status_fail(
		        error,
		        "--per-call-of=%.200s: it is partly inlined into others, so not all of its calls were "
		        "counted: build it with __attribute__((noinline)), or name another function",
		        name);
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
