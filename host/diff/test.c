/* SPDX-License-Identifier: MIT */
/* Stage: tests the change of each quantity and gives the verdict. The false-discovery rate over all tests is at most
 * 1 - confidence. stats.h has the methods. */
#include "diff/private.h"
#include "diff/quantity.h"

#include <math.h>
#include <stdlib.h>

/* From this number of calls on, a count within one call of a whole multiple is not a coincidence. */
#define MUCH_WORK 1000

/* Sections and owners cover the same bytes. */
static void sum_sizes(struct compare_state *state, enum build build)
{
	static const struct stats_sum nothing = {.sum = 0, .work = 1, .spread = NAN, .captures = 1};
	struct comparison *comparison = state->comparison;
	const struct image *image = comparison->builds[build].image;
	const struct profile *profile = comparison->builds[build].profile;

	for (size_t i = 0; i < comparison->row_count; i++)
		comparison->rows[i].changes[COMPARE_SIZE].sums[build] = nothing;
	for (size_t i = 0; i < image->function_count; i++) {
		size_t row = compare_row_of_node(state, build, profile, i);

		if (row != PAIRING_NONE)
			comparison->rows[row].changes[COMPARE_SIZE].sums[build].sum +=
			        (double)(profile->nodes[i].end - profile->nodes[i].address);
	}
	comparison->size.sums[build] = nothing;
	for (size_t i = 0; i < image->code_count; i++)
		comparison->size.sums[build].sum += (double)image->code[i].size;
}

/* A change, and the quantity that changed. */
struct tested_change {
	struct compare_change *change;
	enum compare_quantity what;
};

static struct tested_change *append_tested_change(const struct quantity *quantity, struct compare_change *change,
                                                  struct tested_change *item)
{
	for (enum build build = 0; quantity->what != COMPARE_SIZE && build < BUILD_COUNT; build++)
		change->sums[build] = quantity_sum(quantity, build);
	*item = (struct tested_change){change, quantity->what};
	return item + 1;
}

/* Sums and lists all changes. */
static void list_changes(struct compare_state *state, struct tested_change *items)
{
	struct comparison *comparison = state->comparison;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		sum_sizes(state, build);
		comparison->time.sums[build] = quantity_sum_of_time(state, build);
	}
	for (size_t i = 0; i < comparison->row_count; i++)
		for (enum compare_quantity what = 0; what < COMPARE_QUANTITIES; what++)
			items = append_tested_change(&(struct quantity){state, what, false, i},
			                             &comparison->rows[i].changes[what], items);
	for (size_t i = 0; i < comparison->arc_count; i++)
		for (enum compare_quantity what = 0; what <= COMPARE_CALLS; what++)
			items = append_tested_change(&(struct quantity){state, what, true, i},
			                             &comparison->arcs[i].changes[what], items);
	items[0] = (struct tested_change){&comparison->time, COMPARE_TOTAL};
	items[1] = (struct tested_change){&comparison->size, COMPARE_SIZE};
}

/* Without a value in either build there is nothing to test. */
static bool test_changes(const struct comparison *comparison, const struct tested_change *items, double *p_values,
                         size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct compare_change *change = items[i].change;
		bool is_there = change->sums[BUILD_OLD].sum > 0 || change->sums[BUILD_NEW].sum > 0;

		compare_change_at(change, comparison->confidence, &change->values);
		if (!is_there)
			change->values.p = NAN;
		p_values[i] = change->values.p;
	}
	return stats_adjust(p_values, count);
}

/*
 * Whether there is a whole number of calls per unit of work. Calls are counted exactly, but may differ between
 * captures, because they follow the input in bursts of any size. With one capture per build, only a whole number is
 * attributed to the program. With much work, one call more or less is allowed, because captures begin and end anywhere.
 */
static bool are_whole(const struct stats_sum *calls)
{
	double each = round(calls->sum / calls->work);

	return fabs(calls->sum - each * calls->work) <= (calls->work < MUCH_WORK ? 0 : 1);
}

static bool calls_are_sure(const struct comparison *comparison, const struct compare_change *change)
{
	const struct stats_sum *old = &change->sums[BUILD_OLD], *new = &change->sums[BUILD_NEW];

	if (comparison->has_spread[BUILD_OLD] && comparison->has_spread[BUILD_NEW])
		return true;
	return comparison->unit == COMPARE_PER_CALL && are_whole(old) && are_whole(new) &&
	       round(old->sum / old->work) != round(new->sum / new->work);
}

/* Without a test the verdict is unknown, unless both values are 0, or the numbers of calls are equal. */
static bool is_verdict_known(const struct comparison *comparison, const struct compare_change *change,
                             enum compare_quantity what)
{
	const struct stats_change *values = &change->values;

	if (isnan(values->old) || isnan(values->new))
		return false;
	if (!values->is_exact)
		return !isnan(change->q) || (values->old <= 0 && values->new <= 0);
	return what != COMPARE_CALLS || !(fabs(values->new - values->old) > 0) || calls_are_sure(comparison, change);
}

static bool is_change(const struct comparison *comparison, const struct compare_change *change)
{
	const struct stats_change *values = &change->values;
	bool is_sure = values->is_exact || change->q <= 1 - comparison->confidence;

	return is_sure && fabs(values->new - values->old) > 0 && !(fabs(values->ratio - 1) < comparison->min_change);
}

static enum compare_verdict verdict_on(const struct comparison *comparison, const struct tested_change *item)
{
	const struct stats_change *values = &item->change->values;

	if (!is_verdict_known(comparison, item->change, item->what))
		return COMPARE_UNKNOWN;
	if (!is_change(comparison, item->change))
		return COMPARE_NOISE;
	return values->new > values->old ? COMPARE_MORE : COMPARE_LESS;
}

enum status compare_test(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	size_t max = state->inputs[BUILD_OLD].capture_count + state->inputs[BUILD_NEW].capture_count;
	size_t count = comparison->row_count * COMPARE_QUANTITIES + comparison->arc_count * (COMPARE_CALLS + 1) + 2;
	struct tested_change *items = calloc(count, sizeof *items);
	double *q_values = calloc(count, sizeof *q_values);

	state->parts = calloc(2 * max, sizeof *state->parts);
	bool ok = state->parts != NULL && items != NULL && q_values != NULL;
	if (ok) {
		list_changes(state, items);
		ok = test_changes(comparison, items, q_values, count);
	}
	for (size_t i = 0; ok && i < count; i++) {
		items[i].change->q = q_values[i];
		items[i].change->verdict = verdict_on(comparison, &items[i]);
		comparison->tests += isnan(q_values[i]) ? 0 : 1;
	}
	free(items);
	free(q_values);
	return ok ? STATUS_OK : compare_out_of_memory(state, error);
}
