/* SPDX-License-Identifier: MIT */
/* Stage: tests the change of each quantity and gives the verdict. The false-discovery rate over all tests is at most
 * 1 - confidence. stats.h has the methods. */
#include "diff/private.h"
#include "diff/quantity.h"

#include <math.h>
#include <stdlib.h>

/* From this number of calls on, being within one call of a whole multiple is not a coincidence. */
#define MUCH_WORK 1000

/* There is nothing to test if neither build has any. */
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

/* All changes of a comparison, and their p-values, which become q-values. */
struct tests {
	struct test {
		struct compare_change *change;
		enum compare_quantity quantity;
	} * items;
	double *p;
	size_t count;
};

static void add_test(struct tests *tests, struct compare_change *change, enum compare_quantity quantity)
{
	tests->items[tests->count] = (struct test){change, quantity};
	tests->p[tests->count++] = change->values.p;
}

static void add_tests(struct tests *tests, struct comparison *made)
{
	for (size_t i = 0; i < made->row_count; i++)
		for (enum compare_quantity what = 0; what < COMPARE_QUANTITIES; what++)
			add_test(tests, &made->rows[i].changes[what], what);
	for (size_t i = 0; i < made->arc_count; i++)
		for (enum compare_quantity what = 0; what <= COMPARE_CALLS; what++)
			add_test(tests, &made->arcs[i].changes[what], what);
	add_test(tests, &made->time, COMPARE_TOTAL);
	add_test(tests, &made->size, COMPARE_SIZE);
}

/*
 * Calls are counted exactly, but another capture may have a different number: they follow the input, in bursts of
 * any size. With one capture, only a whole number of calls per unit of work is attributed to the program itself. If
 * there is much work, captures may have one call more or less, because they begin and end anywhere.
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

static void judge(struct comparison *made, struct compare_change *change, enum compare_quantity what)
{
	if (!isnan(change->q))
		made->tests++;
	if (!is_known(made, change, what))
		change->verdict = COMPARE_UNKNOWN;
	else if (!is_change(made, change))
		change->verdict = COMPARE_NOISE;
	else
		change->verdict = change->values.new > change->values.old ? COMPARE_MORE : COMPARE_LESS;
}

/* False when out of memory. */
static bool run_tests(struct comparison *made, struct tests *tests)
{
	add_tests(tests, made);
	if (!stats_adjust(tests->p, tests->count))
		return false;
	for (size_t i = 0; i < tests->count; i++) {
		tests->items[i].change->q = tests->p[i];
		judge(made, tests->items[i].change, tests->items[i].quantity);
	}
	return true;
}

enum status compare_test(struct comparing *comparing, struct error *error)
{
	struct comparison *made = comparing->made;
	size_t captures = comparing->inputs[BUILD_OLD].capture_count + comparing->inputs[BUILD_NEW].capture_count;
	size_t max = made->row_count * COMPARE_QUANTITIES + made->arc_count * (COMPARE_CALLS + 1) + 2;
	struct tests tests = {.items = calloc(max, sizeof *tests.items), .p = calloc(max, sizeof *tests.p)};
	comparing->parts = calloc(2 * captures, sizeof *comparing->parts);
	bool is_done = comparing->parts != NULL && tests.items != NULL && tests.p != NULL && compare_sizes(comparing);
	if (is_done) {
		compare_all(comparing);
		is_done = run_tests(made, &tests);
	}
	free(tests.items);
	free(tests.p);
	return is_done ? STATUS_OK : compare_out_of_memory(comparing, error);
}
