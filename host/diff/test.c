/* SPDX-License-Identifier: MIT */
/* Stage: tests the change of each quantity and gives the verdict. The false-discovery rate over all tests is at most
 * 1 - confidence. stats.h has the methods. */
#include "diff/private.h"
#include "diff/quantity.h"

#include <math.h>
#include <stdlib.h>

/* From this number of calls on, being within one call of a whole multiple is not a coincidence. */
#define MUCH_WORK 1000

/* Without a value in either build there is nothing to test. */
static void compare(const struct compare_state *state, struct compare_change *change)
{
	compare_change_at(change, state->made->confidence, &change->values);
	if (change->sums[BUILD_OLD].sum <= 0 && change->sums[BUILD_NEW].sum <= 0)
		change->values.p = NAN;
}

static void compare_quantity(const struct quantity *quantity, struct compare_change *change)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		change->sums[build] = quantity_sum(quantity, build);
	compare(quantity->state, change);
}

static void compare_exactly(const struct compare_state *state, struct compare_change *change, const double *values)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		change->sums[build] = (struct stats_sum){
		        .sum = values[build],
		        .work = 1,
		        .spread = NAN,
		        .captures = 1,
		};
	compare(state, change);
}

/* --- Sizes. The linker's view of code and ours of its owners are the same bytes. */

static void add_sizes(const struct compare_state *state, enum build build, double (*sizes)[BUILD_COUNT])
{
	const struct comparison *made = state->made;
	const struct profile *profile = made->builds[build].profile;

	for (size_t i = 0; i < made->builds[build].image->function_count; i++) {
		size_t row = compare_row_of_node(state, build, profile, i);

		if (row != PAIRING_NONE)
			sizes[row][build] += (double)(profile->nodes[i].end - profile->nodes[i].address);
	}
}

static double code_size(const struct image *image)
{
	double size = 0;

	for (size_t i = 0; i < image->code_count; i++)
		size += (double)image->code[i].size;
	return size;
}

static bool compare_sizes(struct compare_state *state)
{
	struct comparison *made = state->made;

	double(*sizes)[BUILD_COUNT] = calloc(made->row_count + 1, sizeof *sizes);
	double all[BUILD_COUNT];
	if (sizes == NULL)
		return false;
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		add_sizes(state, build, sizes);
		all[build] = code_size(made->builds[build].image);
	}
	for (size_t i = 0; i < made->row_count; i++)
		compare_exactly(state, &made->rows[i].changes[COMPARE_SIZE], sizes[i]);
	compare_exactly(state, &made->size, all);
	free(sizes);
	return true;
}

/* --- All rows and arcs. */

static void compare_all(struct compare_state *state)
{
	struct comparison *made = state->made;

	for (size_t i = 0; i < made->row_count; i++)
		for (enum compare_quantity what = 0; what < COMPARE_SIZE; what++) {
			const struct quantity quantity = {state, what, false, i};

			compare_quantity(&quantity, &made->rows[i].changes[what]);
		}
	for (size_t i = 0; i < made->arc_count; i++)
		for (enum compare_quantity what = 0; what <= COMPARE_CALLS; what++) {
			const struct quantity quantity = {state, what, true, i};

			compare_quantity(&quantity, &made->arcs[i].changes[what]);
		}
	for (enum build build = 0; build < BUILD_COUNT; build++)
		made->time.sums[build] = quantity_sum_of_time(state, build);
	compare(state, &made->time);
}

typedef void (*change_found)(void *context, struct compare_change *change, enum compare_quantity what);

static void each_change(struct comparison *made, change_found found, void *context)
{
	for (size_t i = 0; i < made->row_count; i++)
		for (enum compare_quantity what = 0; what < COMPARE_QUANTITIES; what++)
			found(context, &made->rows[i].changes[what], what);
	for (size_t i = 0; i < made->arc_count; i++)
		for (enum compare_quantity what = 0; what <= COMPARE_CALLS; what++)
			found(context, &made->arcs[i].changes[what], what);
	found(context, &made->time, COMPARE_TOTAL);
	found(context, &made->size, COMPARE_SIZE);
}

struct p_values {
	double *items;
	size_t count;
};

static void take_p(void *context, struct compare_change *change, enum compare_quantity what)
{
	(void)what;
	struct p_values *values = context;
	values->items[values->count++] = change->values.p;
}

static void give_q(void *context, struct compare_change *change, enum compare_quantity what)
{
	(void)what;
	struct p_values *values = context;
	change->q = values->items[values->count++];
}

/*
 * Calls are counted exactly, but another capture may have a different number: calls follow the input, in bursts of any
 * size. With one capture per build, only a whole number of calls per unit of work is attributed to the program itself.
 * With much work, captures may differ by one call, because they begin and end anywhere.
 */
static bool are_whole(const struct stats_sum *calls)
{
	double each = round(calls->sum / calls->work);

	return fabs(calls->sum - each * calls->work) <= (calls->work < MUCH_WORK ? 0 : 1);
}

static bool calls_are_sure(const struct comparison *made, const struct compare_change *change)
{
	const struct stats_sum *old = &change->sums[BUILD_OLD], *new = &change->sums[BUILD_NEW];

	if (made->has_spread[BUILD_OLD] && made->has_spread[BUILD_NEW])
		return true;
	return made->unit == COMPARE_PER_CALL && are_whole(old) && are_whole(new) &&
	       round(old->sum / old->work) != round(new->sum / new->work);
}

/* Without a test the verdict is unknown, unless both values are 0, or the numbers of calls are equal. */
static bool is_known(const struct comparison *made, const struct compare_change *change, enum compare_quantity what)
{
	const struct stats_change *values = &change->values;

	if (isnan(values->old) || isnan(values->new))
		return false;
	if (!values->is_exact)
		return !isnan(change->q) || (values->old <= 0 && values->new <= 0);
	return what != COMPARE_CALLS || !(fabs(values->new - values->old) > 0) || calls_are_sure(made, change);
}

static bool is_change(const struct comparison *made, const struct compare_change *change)
{
	const struct stats_change *values = &change->values;
	bool is_sure = values->is_exact || change->q <= 1 - made->confidence;

	return is_sure && fabs(values->new - values->old) > 0 && !(fabs(values->ratio - 1) < made->min_change);
}

static void judge(void *context, struct compare_change *change, enum compare_quantity what)
{
	struct comparison *made = context;

	if (!isnan(change->q))
		made->tests++;
	if (!is_known(made, change, what))
		change->verdict = COMPARE_UNKNOWN;
	else if (!is_change(made, change))
		change->verdict = COMPARE_NOISE;
	else
		change->verdict = change->values.new > change->values.old ? COMPARE_MORE : COMPARE_LESS;
}

enum status compare_test(struct compare_state *state, struct error *error)
{
	struct comparison *made = state->made;
	size_t max = state->inputs[BUILD_OLD].capture_count + state->inputs[BUILD_NEW].capture_count;
	struct p_values values = {0};

	state->parts = calloc(2 * max, sizeof *state->parts);
	values.items = calloc(made->row_count * COMPARE_QUANTITIES + made->arc_count * (COMPARE_CALLS + 1) + 2,
	                      sizeof *values.items);
	bool enough = state->parts != NULL && values.items != NULL && compare_sizes(state);
	if (enough) {
		compare_all(state);
		each_change(made, take_p, &values);
		enough = stats_adjust(values.items, values.count);
	}
	if (enough) {
		values.count = 0;
		each_change(made, give_q, &values);
		each_change(made, judge, made);
	}
	free(values.items);
	return enough ? STATUS_OK : compare_out_of_memory(state, error);
}
