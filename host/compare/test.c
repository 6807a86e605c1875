/* SPDX-License-Identifier: MIT */
/*
 * Stage: what became of each quantity, how sure it is, and what is called a change: of all tests together, no more than
 * the rest of the confidence may be false discoveries. Knows nothing of the methods (stats.h).
 */
#include "compare/private.h"
#include "compare/quantity.h"

#include <math.h>
#include <stdlib.h>

/* What was seen in neither build is no test: chance has nothing to decide. */
static void compare(const struct comparing *comparing, struct compare_change *change)
{
	compare_change_at(change, comparing->made->confidence, &change->values);
	if (change->sums[BUILD_OLD].sum <= 0 && change->sums[BUILD_NEW].sum <= 0)
		change->values.p = NAN;
}

static void compare_quantity(const struct quantity *quantity, struct compare_change *change)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		change->sums[build] = quantity_sum(quantity, build);
	compare(quantity->comparing, change);
}

static void compare_exactly(const struct comparing *comparing, struct compare_change *change, const double *values)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		change->sums[build] = (struct stats_sum){
		        .sum = values[build],
		        .work = 1,
		        .spread = NAN,
		        .captures = 1,
		};
	compare(comparing, change);
}

/* --- Sizes. The linker's view of code and ours of its owners are the same bytes. */

static void add_sizes(const struct comparing *comparing, enum build build, double (*sizes)[BUILD_COUNT])
{
	const struct comparison *made = comparing->made;
	const struct profile *profile = made->builds[build].profile;
	for (size_t i = 0; i < made->builds[build].image->function_count; i++) {
		size_t row = compare_row_of_node(comparing, build, profile, i);
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

static bool compare_sizes(struct comparing *comparing)
{
	struct comparison *made = comparing->made;
	double(*sizes)[BUILD_COUNT] = calloc(made->row_count + 1, sizeof *sizes);
	double all[BUILD_COUNT];
	if (sizes == NULL)
		return false;
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		add_sizes(comparing, build, sizes);
		all[build] = code_size(made->builds[build].image);
	}
	for (size_t i = 0; i < made->row_count; i++)
		compare_exactly(comparing, &made->rows[i].changes[COMPARE_SIZE], sizes[i]);
	compare_exactly(comparing, &made->size, all);
	free(sizes);
	return true;
}

/* --- All of it. */

static void compare_all(struct comparing *comparing)
{
	struct comparison *made = comparing->made;
	for (size_t i = 0; i < made->row_count; i++)
		for (enum compare_quantity what = 0; what < COMPARE_SIZE; what++) {
			const struct quantity quantity = {comparing, what, false, i};
			compare_quantity(&quantity, &made->rows[i].changes[what]);
		}
	for (size_t i = 0; i < made->arc_count; i++)
		for (enum compare_quantity what = 0; what <= COMPARE_CALLS; what++) {
			const struct quantity quantity = {comparing, what, true, i};
			compare_quantity(&quantity, &made->arcs[i].changes[what]);
		}
	for (enum build build = 0; build < BUILD_COUNT; build++)
		made->time.sums[build] = quantity_sum_of_time(comparing, build);
	compare(comparing, &made->time);
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

/* What judging needs beside the change at hand. */
struct judging {
	struct comparison *made;
	double excess_of_calls; /* the chance that is left to each difference of calls */
};

static void count_calls(void *context, struct compare_change *change, enum compare_quantity what)
{
	size_t *count = context;
	*count += what == COMPARE_CALLS && (change->sums[BUILD_OLD].sum > 0 || change->sums[BUILD_NEW].sum > 0);
}

static struct stats_sum as_counts(const struct stats_sum *calls)
{
	return (struct stats_sum){
	        .sum = calls->sum,
	        .work = calls->work,
	        .variance = calls->sum,
	        .grain = 1,
	        .spread = NAN,
	        .captures = 1,
	};
}

/*
 * Calls are exact, but one capture does not tell whether another would have as many: they follow the input, and
 * captures begin and end anywhere. A difference is a change where events that come at random would seldom differ as
 * much, of all differences together. As many where there was more work, as of what is called at start-up, are none.
 */
static bool calls_differ(const struct judging *judging, const struct compare_change *change)
{
	const struct stats_sum *old = &change->sums[BUILD_OLD], *new = &change->sums[BUILD_NEW];
	const struct stats_sum old_counts = as_counts(old), new_counts = as_counts(new);
	struct stats_change values;
	if (judging->made->has_spread[BUILD_OLD] && judging->made->has_spread[BUILD_NEW])
		return true;
	stats_compare(&old_counts, &new_counts, 1 - judging->excess_of_calls, &values);
	return fabs(new->sum - old->sum) > 0 && values.p <= judging->excess_of_calls;
}

static bool is_sure(const struct judging *judging, const struct compare_change *change, enum compare_quantity what)
{
	if (change->values.is_exact)
		return what != COMPARE_CALLS || calls_differ(judging, change);
	return change->q <= 1 - judging->made->confidence;
}

static bool is_large(const struct comparison *made, const struct stats_change *values)
{
	return fabs(values->new - values->old) > 0 && !(fabs(values->ratio - 1) < made->min_change);
}

/* Of a test that was not made nothing is sure, but that nothing is nothing. */
static bool is_known(const struct compare_change *change)
{
	const struct stats_change *values = &change->values;
	if (isnan(values->old) || isnan(values->new))
		return false;
	return values->is_exact || !isnan(change->q) || (values->old <= 0 && values->new <= 0);
}

static void judge(void *context, struct compare_change *change, enum compare_quantity what)
{
	const struct judging *judging = context;
	if (!isnan(change->q))
		judging->made->tests++;
	if (!is_known(change))
		change->verdict = COMPARE_UNKNOWN;
	else if (!is_large(judging->made, &change->values) || !is_sure(judging, change, what))
		change->verdict = COMPARE_NOISE;
	else
		change->verdict = change->values.new > change->values.old ? COMPARE_MORE : COMPARE_LESS;
}

static void judge_all(struct comparison *made)
{
	size_t count = 0;
	each_change(made, count_calls, &count);
	struct judging judging = {made, (1 - made->confidence) / (double)(count > 0 ? count : 1)};
	each_change(made, judge, &judging);
}

enum status compare_test(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;
	size_t most = comparing->inputs[BUILD_OLD].capture_count + comparing->inputs[BUILD_NEW].capture_count;
	struct p_values values = {0};
	comparing->parts = calloc(2 * most, sizeof *comparing->parts);
	values.items = calloc(made->row_count * COMPARE_QUANTITIES + made->arc_count * (COMPARE_CALLS + 1) + 2,
	                      sizeof *values.items);
	bool enough = comparing->parts != NULL && values.items != NULL && compare_sizes(comparing);
	if (enough) {
		compare_all(comparing);
		each_change(made, take_p, &values);
		enough = stats_adjust(values.items, values.count);
	}
	if (enough) {
		values.count = 0;
		each_change(made, give_q, &values);
		judge_all(made);
	}
	free(values.items);
	return enough ? STATUS_OK : compare_out_of_memory(comparing, error);
}
