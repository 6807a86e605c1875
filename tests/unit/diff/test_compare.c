/* SPDX-License-Identifier: MIT */
/* Two builds with known captures: changes, the unit of work, and refused input. */
#include "builds.h"
#include "test.h"

#include <bareprof/block.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* main calls step, step calls filter and log; run() adds the given number of calls of step to a build. */
static void run(enum build build, uint64_t calls, uint64_t filter, uint64_t log)
{
	builds_call(build, "main", "step", calls);
	builds_call(build, "step", "filter", 2 * calls);
	builds_call(build, "step", "log", calls);
	builds_sample(build, "step", calls);
	builds_sample(build, "filter", filter);
	builds_sample(build, "log", log);
}

/* Like run(), for both builds. */
static void run_both(uint64_t calls, uint64_t filter, uint64_t log)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		run(build, calls, filter, log);
}

EACH_TEST(builds_set_up, builds_tear_down);

TEST(same_work_in_the_same_time_is_not_a_change)
{
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 1000, 4030, 490);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->changed_count, 0);
	assert_int_equal(made->row_count, 4);
	assert_int_equal(made->time.verdict, COMPARE_NOISE);
	for (size_t i = 0; i < made->row_count; i++)
		assert_int_equal(made->rows[i].changes[COMPARE_SELF].verdict, COMPARE_NOISE);
	/* The size of each function and of all code did change, and that is certain. */
	assert_int_equal(made->size.verdict, COMPARE_MORE);
	assert_near(made->size.values.ratio, 1.5);
}

TEST(slower_function_is_the_first_row_and_its_callers_follow)
{
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 1000, 5000, 490);
	const struct comparison *made = builds_compare();
	assert_string_equal(made->rows[0].names[BUILD_NEW], "filter");
	assert_int_equal(made->rows[0].changes[COMPARE_SELF].verdict, COMPARE_MORE);
	assert_near(made->rows[0].changes[COMPARE_SELF].values.ratio, 1.25);
	assert_true(made->rows[0].changes[COMPARE_SELF].q < 1e-9);
	const struct compare_change *step = builds_change(made, "step", COMPARE_TOTAL);
	assert_int_equal(step->verdict, COMPARE_MORE);
	assert_near(step->values.old, 5.5e3 * 0.01 / made->builds[BUILD_OLD].work);
	assert_int_equal(builds_change(made, "step", COMPARE_SELF)->verdict, COMPARE_NOISE);
	assert_int_equal(builds_change(made, "log", COMPARE_SELF)->verdict, COMPARE_NOISE);
	assert_int_equal(made->changed_count, 3);
}

/* The root of both call graphs: its callers are not called themselves. */
TEST(unit_is_the_most_called_common_root)
{
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 2000, 8000, 1000);
	const struct comparison *made = builds_compare();
	assert_true(made->is_unit_chosen);
	assert_int_equal(made->unit, COMPARE_PER_CALL);
	assert_string_equal(made->rows[made->unit_row].names[BUILD_OLD], "step");
	assert_near(made->builds[BUILD_OLD].work, 1000);
	assert_near(made->builds[BUILD_NEW].work, 2000);
	/* Twice as long a capture, the same work for each call. */
	assert_int_equal(made->changed_count, 0);
	assert_near(builds_change(made, "filter", COMPARE_CALLS)->values.old, 2);
	assert_near(builds_change(made, "filter", COMPARE_CALLS)->values.ratio, 1);
}

TEST(handler_is_the_root_if_there_is_no_other)
{
	for (enum build build = BUILD_OLD; build <= BUILD_NEW; build++) {
		run(build, 10, 400, 50);
		builds_call(build, NULL, "main", 100);
	}
	const struct comparison *made = builds_compare();
	assert_string_equal(made->rows[made->unit_row].names[BUILD_NEW], "main");
}

TEST(handler_is_not_the_unit_if_a_function_can_be)
{
	for (enum build build = BUILD_OLD; build <= BUILD_NEW; build++) {
		run(build, 10, 400, 50);
		builds_call(build, NULL, "log", 100);
	}
	const struct comparison *made = builds_compare();
	assert_string_equal(made->rows[made->unit_row].names[BUILD_NEW], "step");
}

/* The interrupt's handler was not instrumented, so no counted function calls acquire(). */
TEST(interrupt_is_not_the_unit_if_a_longer_root_exists)
{
	builds_assemble_both("main step filter log handler acquire", 32);
	for (enum build build = BUILD_OLD; build <= BUILD_NEW; build++) {
		run(build, 10, 400, 50);
		builds_call(build, "handler", "acquire", 100);
		builds_sample(build, "acquire", 100);
	}
	const struct comparison *made = builds_compare();
	assert_string_equal(made->rows[made->unit_row].names[BUILD_NEW], "step");
}

/* Captures of an endless loop do not show how often main() would have gone around. */
TEST(function_called_once_is_not_the_unit)
{
	run(BUILD_OLD, 1, 400, 50);
	run(BUILD_NEW, 1, 800, 100);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_SECOND);
	assert_int_equal(made->unit_row, PAIRING_NONE);
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_NOISE);
}

static const char printer[] = "main work step print recorder";

/* main() was entered before recording began, so that what it calls looks like a root. Most of the work is done by what
 * was called once; a few calls print the result. */
static void run_and_print(enum build build, uint64_t printing)
{
	builds_call(build, "main", "work", 1);
	builds_call(build, "work", "step", 2000);
	builds_call(build, "main", "print", 16);
	builds_sample(build, "step", 4000);
	builds_sample(build, "print", printing);
}

TEST(function_that_takes_little_time_is_not_the_unit)
{
	builds_assemble_both(printer, 32);
	run_and_print(BUILD_OLD, 100);
	run_and_print(BUILD_NEW, 400);
	const struct comparison *made = builds_compare();
	assert_true(made->is_unit_chosen);
	assert_int_equal(made->unit, COMPARE_PER_SECOND);
	assert_int_equal(made->unit_row, PAIRING_NONE);
	assert_string_equal(made->rows[made->rejected_row].names[BUILD_NEW], "print");
	assert_near(made->unit_shares[BUILD_OLD], 100 / 4100.0);
	assert_near(made->unit_shares[BUILD_NEW], 400 / 4400.0);
}

/* Without the recorder's time. */
TEST(unit_takes_half_of_the_time_in_each_build)
{
	builds_assemble_both(printer, 32);
	run_and_print(BUILD_OLD, 8000);
	run_and_print(BUILD_NEW, 3999);
	assert_int_equal(builds_compare()->unit, COMPARE_PER_SECOND);
	builds_sample(BUILD_NEW, "print", 1);
	builds_sample(BUILD_NEW, "recorder", 5000);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_CALL);
	assert_string_equal(made->rows[made->unit_row].names[BUILD_NEW], "print");
	assert_int_equal(made->rejected_row, PAIRING_NONE);
	assert_near(made->unit_shares[BUILD_OLD], 2 / 3.0);
	assert_near(made->unit_shares[BUILD_NEW], 0.5);
}

TEST(time_asleep_is_not_part_of_the_unit)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		run(build, 1000, 4000, 500);
		builds_sleep(build, 50000);
	}
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_CALL);
	assert_near(made->unit_shares[BUILD_OLD], 1);
}

TEST(without_roots_none_is_rejected)
{
	run_both(1, 400, 50);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->rejected_row, PAIRING_NONE);
	assert_true(isnan(made->unit_shares[BUILD_OLD]) && isnan(made->unit_shares[BUILD_NEW]));
}

TEST(unit_can_be_chosen_by_options)
{
	run_both(1000, 4000, 500);
	builds_choose_unit(COMPARE_PER_CALL, "filter");
	const struct comparison *made = builds_compare();
	assert_near(made->builds[BUILD_OLD].work, 2000);
	builds.options.unit = COMPARE_PER_SECOND;
	made = builds_compare();
	assert_near(made->builds[BUILD_OLD].work, 55);
	assert_near(made->time.values.old, 1);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.new, 4000 / 5500.0);
	builds.options.unit = COMPARE_PER_SAMPLE;
	made = builds_compare();
	assert_near(made->builds[BUILD_OLD].work, 5500);
	builds.options.unit = COMPARE_PER_CALL;
	builds.options.function = "absent";
	builds_refuse("unit of work absent: neither build has a function of this name");
	builds.options.function = "filter";
	builds_capture(BUILD_NEW);
	builds_refuse("unit of work filter: some capture has no calls of it");
}

/* It was called before recording began. */
TEST(call_of_main_is_a_run)
{
	run(BUILD_OLD, 1000, 4000, 500);
	builds_capture(BUILD_OLD);
	run_both(1000, 4000, 500);
	builds_choose_unit(COMPARE_PER_CALL, "main");
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_RUN);
	assert_near(made->builds[BUILD_OLD].work, 2);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.old, 40);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.ratio, 1);
}

/* --- Roots whose time a cycle hides. */

static const char interpreter[] = "main query reset parse step match free open print";

/* main queries and, more often, resets; both are in one cycle. No other function calls query. */
static void interpret(enum build build, uint64_t queries, uint64_t samples)
{
	static const char *const leaves[] = {"step", "match", "free", "open"};

	builds_call(build, "main", "query", queries);
	builds_call(build, "main", "reset", 100 * queries);
	builds_call(build, "query", "parse", 3 * queries);
	builds_call(build, "parse", "reset", 20 * queries);
	builds_call(build, "reset", "parse", 20 * queries);
	for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
		builds_call(build, "parse", leaves[i], (i + 2) * queries);
	builds_call(build, "main", "print", 40 * queries);
	builds_sample(build, "parse", samples);
	builds_sample(build, "print", 4000);
}

/* Per second, print would seem to have become faster. */
TEST(unit_is_the_run_if_all_captures_have_the_same_calls)
{
	builds_assemble_both(interpreter, 32);
	interpret(BUILD_OLD, 76, 4100);
	interpret(BUILD_NEW, 76, 6000);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_RUN);
	assert_true(made->is_unit_chosen);
	assert_int_equal(made->equal_count, 8);
	assert_int_equal(made->called_count, 8);
	assert_near(made->builds[BUILD_NEW].work, 1);
	assert_int_equal(made->time.verdict, COMPARE_MORE);
	assert_int_equal(builds_change(made, "parse", COMPARE_SELF)->verdict, COMPARE_MORE);
	assert_int_equal(builds_change(made, "print", COMPARE_SELF)->verdict, COMPARE_NOISE);
	assert_near(builds_change(made, "print", COMPARE_SELF)->values.ratio, 1);
}

TEST(captures_of_one_build_must_have_the_same_calls_for_the_run)
{
	builds_assemble_both(interpreter, 32);
	interpret(BUILD_OLD, 70, 3500);
	builds_capture(BUILD_OLD);
	interpret(BUILD_OLD, 82, 4100);
	interpret(BUILD_NEW, 76, 3800);
	assert_int_not_equal(builds_compare()->unit, COMPARE_PER_RUN);
}

/* query has little of the cycle's time by average costs, but could have caused all of that time. */
TEST(unit_may_be_a_root_whose_time_a_cycle_hides)
{
	builds_assemble_both(interpreter, 32);
	interpret(BUILD_OLD, 76, 8000);
	interpret(BUILD_NEW, 90, 9500);
	builds_call(BUILD_OLD, "main", "reset", 40000);
	builds_call(BUILD_NEW, "main", "reset", 50000);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_CALL);
	assert_true(made->is_unit_possible);
	assert_true(made->unit_shares[BUILD_OLD] < COMPARE_UNIT_SHARE_MIN);
	assert_string_equal(made->rows[made->unit_row].names[BUILD_NEW], "query");
}

/* A share of all samples varies less than a count; near 100 %, hardly at all. */
TEST(share_of_nearly_all_time_has_a_small_error)
{
	builds_sample(BUILD_OLD, "filter", 9900);
	builds_sample(BUILD_OLD, "log", 100);
	builds_sample(BUILD_NEW, "filter", 9800);
	builds_sample(BUILD_NEW, "log", 200);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_SECOND);
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_LESS);
	assert_int_equal(builds_change(made, "log", COMPARE_SELF)->verdict, COMPARE_MORE);
	double p_filter = builds_change(made, "filter", COMPARE_SELF)->values.p;
	double p_log = builds_change(made, "log", COMPARE_SELF)->values.p;
	assert_true(p_filter < 1e-6 && p_log < 1e-6);
}

/* The same work in the same time, and a recorder that takes four times as long. */
static void run_with_recorder(void)
{
	builds_assemble_both("main step filter log recorder", 32);
	run_both(1000, 4000, 500);
	builds_sample(BUILD_OLD, "recorder", 1000);
	builds_sample(BUILD_NEW, "recorder", 4000);
}

TEST(recorder_time_changes_only_its_own_row)
{
	static const enum compare_unit units[] = {COMPARE_PER_CALL, COMPARE_PER_SECOND, COMPARE_PER_SAMPLE};
	static const char *const names[] = {"step", "filter", "log"};

	run_with_recorder();
	builds.options.has_unit = true;
	builds.options.function = "step";
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		builds.options.unit = units[i];
		const struct comparison *made = builds_compare();
		assert_near(made->time.values.ratio, 1);
		assert_int_equal(made->time.verdict, COMPARE_NOISE);
		for (size_t name = 0; name < sizeof names / sizeof *names; name++)
			for (enum compare_quantity what = 0; what < COMPARE_SIZE; what++)
				assert_near(builds_change(made, names[name], what)->values.ratio, 1);
		const struct compare_change *self = builds_change(made, "<bareprof>", COMPARE_SELF);
		assert_near(self->values.ratio, 4);
		assert_int_equal(self->verdict, COMPARE_MORE);
		assert_int_equal(made->changed_count, 1);
	}
}

TEST(shares_are_of_time_outside_the_recorder)
{
	run_with_recorder();
	const struct comparison *made = builds_compare();
	assert_near(builds_change(made, "filter", COMPARE_SHARE)->values.new, 4000 / 5500.0);
	assert_near(builds_change(made, "<bareprof>", COMPARE_SHARE)->values.old, 1000 / 6500.0);
	assert_near(builds_change(made, "<bareprof>", COMPARE_SHARE)->values.new, 4000 / 9500.0);
	assert_near(made->builds[BUILD_NEW].time, 95);
	assert_near(made->builds[BUILD_NEW].recorder_time, 40);
	assert_near(made->builds[BUILD_NEW].samples, 9500);
	/* A binomial of all samples, as much as a part of the others. */
	const struct compare_change *recorder = builds_change(made, "<bareprof>", COMPARE_SHARE);
	double part = 1000 / 6500.0, unseen = 3e-4 / (1 + 0.03 / 65);
	assert_near(recorder->sums[BUILD_OLD].variance, (1000 * (1 - part)) * 1e-4 + part * part * unseen);
}

/* The ratio of two independent counts, by the delta method. */
TEST(recorder_per_second_has_the_noise_of_both)
{
	run_with_recorder();
	builds_choose_unit(COMPARE_PER_SECOND, NULL);
	const struct comparison *made = builds_compare();
	double ratio = 1000 / 5500.0, variance = (1000 + ratio * ratio * 5500) * 1e-4;
	assert_near(made->builds[BUILD_OLD].work, 55);
	assert_near(builds_change(made, "<bareprof>", COMPARE_SELF)->sums[BUILD_OLD].variance, variance);
	assert_near(builds_change(made, "<bareprof>", COMPARE_TOTAL)->sums[BUILD_OLD].variance, variance);
	/* All other time is step's, regardless of the recorder; three samples elsewhere may have been missed. */
	assert_near(builds_change(made, "step", COMPARE_TOTAL)->sums[BUILD_OLD].variance, 3e-4 / (1 + 0.03 / 55));
}

TEST(samples_of_the_recorder_alone_are_refused)
{
	run_with_recorder();
	builds.sides[BUILD_NEW].captures[0]->blocks[0].cell_count = 0;
	builds_sample(BUILD_NEW, "recorder", 100);
	builds_refuse("no samples in it outside the recorder");
}

/* Five samples of what takes two thirds of all time are all in there in one of eight captures. */
TEST(few_samples_do_not_rule_out_other_functions)
{
	builds_sample(BUILD_OLD, "filter", 6600);
	builds_sample(BUILD_OLD, "log", 3400);
	builds_sample(BUILD_NEW, "filter", 5);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->unit, COMPARE_PER_SECOND);
	assert_true(builds_change(made, "filter", COMPARE_SELF)->values.p > 0.1);
	assert_true(builds_change(made, "filter", COMPARE_SHARE)->values.p > 0.1);
	builds_sample(BUILD_NEW, "filter", 95);
	made = builds_compare();
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_MORE);
}

TEST(function_in_only_one_build_has_its_own_row)
{
	builds_assemble(BUILD_OLD, "main step before", 32);
	builds_assemble(BUILD_NEW, "main step after", 16);
	builds_call(BUILD_OLD, "main", "step", 100);
	builds_call(BUILD_NEW, "main", "step", 100);
	builds_sample(BUILD_OLD, "before", 300);
	builds_sample(BUILD_NEW, "after", 200);
	const struct comparison *made = builds_compare();
	const struct compare_row *before = builds_row(made, "before"), *after = builds_row(made, "after");
	assert_ptr_not_equal(before, after);
	assert_null(before->names[BUILD_NEW]);
	assert_null(after->names[BUILD_OLD]);
	assert_int_equal(before->changes[COMPARE_SELF].verdict, COMPARE_LESS);
	assert_int_equal(after->changes[COMPARE_SELF].verdict, COMPARE_MORE);
	assert_true(isinf(after->changes[COMPARE_SELF].values.ratio));
	assert_near(after->changes[COMPARE_SIZE].values.new, 16);
}

TEST(arcs_pair_by_their_ends)
{
	run_both(1000, 4000, 500);
	builds_call(BUILD_NEW, "filter", "log", 1000);
	const struct comparison *made = builds_compare();
	size_t step = comparison_find(made, "step"), filter = comparison_find(made, "filter");
	size_t log = comparison_find(made, "log");
	size_t found = 0;
	assert_int_equal(made->arc_count, 4);
	for (size_t i = 0; i < made->arc_count; i++) {
		const struct compare_arc *arc = &made->arcs[i];

		assert_true(i >= made->first_arc[arc->caller] && i < made->first_arc[arc->caller + 1]);
		if (arc->caller == filter && arc->callee == log) {
			found++;
			assert_near(arc->changes[COMPARE_CALLS].values.old, 0);
			assert_near(arc->changes[COMPARE_CALLS].values.new, 1);
			assert_int_equal(arc->changes[COMPARE_CALLS].verdict, COMPARE_MORE);
			assert_near(arc->changes[COMPARE_TOTAL].values.new, 2.5e-3);
		}
		if (arc->caller == step && arc->callee == log) {
			found++;
			assert_near(arc->changes[COMPARE_TOTAL].values.old, 5e-3);
			assert_near(arc->changes[COMPARE_TOTAL].values.new, 2.5e-3);
		}
	}
	assert_int_equal(found, 2);
	assert_int_equal(made->first_parent[log + 1] - made->first_parent[log], 2);
}

/* One capture of each looks like a change; but runs of one build differ as much. */
TEST(varying_captures_show_no_change)
{
	static const uint64_t noisy[] = {3000, 5000, 4000, 6000, 2000};

	for (size_t i = 0; i < 5; i++) {
		builds_capture(BUILD_OLD);
		run(BUILD_OLD, 1000, noisy[i], 500);
		builds_capture(BUILD_NEW);
		run(BUILD_NEW, 1000, noisy[i] + 500, 500);
	}
	const struct comparison *made = builds_compare();
	assert_true(made->has_spread[BUILD_OLD] && made->has_spread[BUILD_NEW]);
	assert_int_equal(made->changed_count, 0);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.old, 0.04);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.new, 0.045);
	assert_true(builds_change(made, "filter", COMPARE_SELF)->values.p > 0.3);
}

TEST(agreeing_captures_show_the_change)
{
	for (size_t i = 0; i < 5; i++) {
		builds_capture(BUILD_OLD);
		run(BUILD_OLD, 1000, 4000 + 10 * i, 500);
		builds_capture(BUILD_NEW);
		run(BUILD_NEW, 1000, 4500 + 10 * i, 500);
	}
	const struct comparison *made = builds_compare();
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_MORE);
}

/* Each sample of the slower rate is worth ten of the other, and as large a step. */
TEST(captures_at_several_rates_have_the_noise_of_each)
{
	for (size_t i = 0; i < 2; i++) {
		builds_capture(BUILD_OLD);
		run(BUILD_OLD, 1000, 4000, 500);
	}
	builds.sides[BUILD_OLD].captures[1]->blocks[0].header.period *= 10;
	run(BUILD_NEW, 1000, 4000, 500);
	const struct comparison *made = builds_compare();
	assert_near(made->time.sums[BUILD_OLD].sum, 5500 * (0.01 + 0.1));
	assert_near(made->time.sums[BUILD_OLD].variance, 5500 * (0.01 * 0.01 + 0.1 * 0.1));
	assert_near(made->time.sums[BUILD_OLD].grain, 0.1);
	const struct compare_change *filter = builds_change(made, "filter", COMPARE_SELF);
	assert_near(filter->sums[BUILD_OLD].variance, 4000 * (0.01 * 0.01 + 0.1 * 0.1));
	assert_near(filter->sums[BUILD_OLD].grain, 0.1);
	/* A part p of a whole has p (1 - p) of its variance, and three samples elsewhere may have been missed. */
	double part = 4000.0 / 5500, whole = made->time.sums[BUILD_OLD].sum;
	assert_near(builds_change(made, "filter", COMPARE_SHARE)->sums[BUILD_OLD].variance,
	            (part - part * part) * made->time.sums[BUILD_OLD].variance +
	                    part * part * 3 * 0.1 * 0.1 / (1 + 3 * 0.1 / whole));
}

/* f and its clones are one function, whose calls of itself carry no time. */
TEST(clones_are_one_row)
{
	builds_assemble(BUILD_OLD, "main f g", 32);
	builds_assemble(BUILD_NEW, "main f f.constprop.0 f.part.1 g", 16);
	builds_call(BUILD_OLD, "main", "f", 100);
	builds_call(BUILD_OLD, "f", "g", 100);
	builds_sample(BUILD_OLD, "f", 600);
	builds_sample(BUILD_OLD, "g", 400);
	builds_call(BUILD_NEW, "main", "f", 60);
	builds_call(BUILD_NEW, "main", "f.constprop.0", 40);
	builds_call(BUILD_NEW, "f", "f.part.1", 30);
	builds_call(BUILD_NEW, "f.part.1", "g", 100);
	builds_sample(BUILD_NEW, "f", 200);
	builds_sample(BUILD_NEW, "f.constprop.0", 200);
	builds_sample(BUILD_NEW, "f.part.1", 200);
	builds_sample(BUILD_NEW, "g", 400);
	const struct comparison *made = builds_compare();
	assert_int_equal(made->row_count, 3);
	const struct compare_row *f = builds_row(made, "f");
	assert_int_equal(made->pairing.pairs[f->pair].functions[BUILD_NEW], 3);
	assert_near(f->changes[COMPARE_SELF].sums[BUILD_NEW].sum, 6);
	assert_near(f->changes[COMPARE_TOTAL].sums[BUILD_NEW].sum, 10);
	assert_near(f->changes[COMPARE_SIZE].values.new, 48);
	assert_int_equal(f->changes[COMPARE_SELF].verdict, COMPARE_NOISE);
}

#define INLINED_SOURCE "tests/unit/diff/pairing/firmware/inlined.c"
#define KEPT           "-O2 -DLINKAGE=extern -DMIX_AS='__attribute__((noinline))'"
#define INLINED        "-O2 -DLINKAGE=extern -DMIX_AS='inline __attribute__((always_inline))'"

/* start() calls first() and second(), which take as long in each build, and so does mix(), wherever it is. */
static void run_callers(enum build build)
{
	builds_call(build, "start", "first", 1000);
	builds_call(build, "start", "second", 1000);
	builds_sample(build, "first", 400);
	builds_sample(build, "second", 500);
}

static void run_called(enum build build)
{
	run_callers(build);
	builds_call(build, "first", "mix", 2000);
	builds_call(build, "second", "mix", 1000);
	builds_sample(build, "mix", 3000);
}

static void expect_same_times(const struct comparison *made)
{
	static const char *const names[] = {"first", "second", "mix"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct compare_row *row = builds_row(made, names[i]);

		assert_near(row->changes[COMPARE_SELF].values.ratio, 1);
		assert_near(row->changes[COMPARE_TOTAL].values.ratio, 1);
		assert_int_equal(row->changes[COMPARE_SELF].verdict, COMPARE_NOISE);
	}
	assert_int_equal(made->changed_count, 0);
}

/* Without --gc-sections it has a symbol still, which is neither called nor sampled. */
TEST(inlined_function_keeps_its_time)
{
	builds_choose_unit(COMPARE_PER_CALL, "first");
	builds_compile(BUILD_OLD, INLINED_SOURCE, KEPT);
	builds_compile(BUILD_NEW, INLINED_SOURCE, INLINED);
	run_called(BUILD_OLD);
	run_callers(BUILD_NEW);
	builds_sample_inlined(BUILD_NEW, "first", "mix", 2000);
	builds_sample_inlined(BUILD_NEW, "second", "mix", 1000);
	const struct comparison *made = builds_compare();
	expect_same_times(made);
	const struct compare_row *mix = builds_row(made, "mix");
	assert_int_equal(mix->inlining[BUILD_OLD], COMPARE_CALLED);
	assert_int_equal(mix->inlining[BUILD_NEW], COMPARE_INLINED);
	assert_near(mix->changes[COMPARE_CALLS].values.old, 3);
	assert_true(isnan(mix->changes[COMPARE_CALLS].values.new));
}

/* The called and the inlined code are one row. The calls of both are unknown. */
TEST(partly_inlined_function_is_one_row)
{
	builds_choose_unit(COMPARE_PER_CALL, "first");
	builds_compile(BUILD_OLD, INLINED_SOURCE, KEPT);
	builds_compile(BUILD_NEW, INLINED_SOURCE, INLINED " -DPOINTER");
	run_called(BUILD_OLD);
	run_callers(BUILD_NEW);
	builds_sample_inlined(BUILD_NEW, "first", "mix", 2000);
	builds_call(BUILD_NEW, "second", "mix", 1000);
	builds_sample(BUILD_NEW, "mix", 1000);
	const struct comparison *made = builds_compare();
	expect_same_times(made);
	const struct compare_row *mix = builds_row(made, "mix");
	assert_int_equal(mix->inlining[BUILD_NEW], COMPARE_PARTLY_INLINED);
	assert_near(mix->changes[COMPARE_CALLS].values.old, 3);
	assert_true(isnan(mix->changes[COMPARE_CALLS].values.new));
	assert_true(isnan(mix->changes[COMPARE_PER_CALL_TIME].values.new));
	builds.options.function = "mix";
	builds_refuse("unit of work mix: it is inlined into some of its callers");
}

static enum compare_verdict verdict_on_log(void)
{
	return builds_change(builds_compare(), "log", COMPARE_CALLS)->verdict;
}

/* The number of calls may depend on the input, and calls at start-up do not depend on the work: one run is not enough
 * to decide. */
TEST(whole_calls_of_one_run_are_a_change)
{
	builds_choose_unit(COMPARE_PER_CALL, "step");
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 2000, 8000, 1000);
	for (enum build build = BUILD_OLD; build <= BUILD_NEW; build++)
		builds_call(build, "filter", "main", 300);
	assert_int_equal(builds_change(builds_compare(), "main", COMPARE_CALLS)->verdict, COMPARE_UNKNOWN);
	builds_call(BUILD_NEW, "step", "log", 100);
	assert_int_equal(verdict_on_log(), COMPARE_UNKNOWN);
	assert_true(builds_change(builds.comparison, "log", COMPARE_CALLS)->values.is_exact);
	assert_near(builds_change(builds.comparison, "log", COMPARE_CALLS)->values.ratio, 1.05);
	builds_call(BUILD_NEW, "step", "log", 1899);
	assert_int_equal(verdict_on_log(), COMPARE_MORE);
	builds.options.unit = COMPARE_PER_SECOND;
	assert_int_equal(verdict_on_log(), COMPARE_UNKNOWN);
}

TEST(calls_of_agreeing_runs_are_a_change)
{
	for (size_t i = 0; i < 2; i++) {
		builds_capture(BUILD_OLD);
		run(BUILD_OLD, 1000, 4000 + 10 * i, 500);
		builds_capture(BUILD_NEW);
		run(BUILD_NEW, 1000, 4000 + 10 * i, 500);
		builds_call(BUILD_NEW, "step", "log", 20);
	}
	assert_int_equal(verdict_on_log(), COMPARE_MORE);
}

TEST(self_times_are_tested_without_errors_of_totals)
{
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 1000, 5000, 500);
	builds.options.total_errors = false;
	const struct comparison *made = builds_compare();
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_MORE);
	assert_int_equal(builds_change(made, "step", COMPARE_TOTAL)->verdict, COMPARE_UNKNOWN);
	assert_true(isnan(builds_change(made, "step", COMPARE_TOTAL)->values.p));
	assert_near(builds_change(made, "step", COMPARE_TOTAL)->values.new, 65e-3);
}

/* Code that was not instrumented has no counted calls, but it may be called. */
TEST(uncounted_calls_are_unknown)
{
	run_both(1000, 4000, 500);
	builds_sample(BUILD_OLD, "main", 20);
	builds_sample(BUILD_NEW, "main", 20);
	const struct comparison *made = builds_compare();
	assert_true(isnan(builds_change(made, "main", COMPARE_CALLS)->values.old));
	assert_int_equal(builds_change(made, "main", COMPARE_CALLS)->verdict, COMPARE_UNKNOWN);
	assert_true(isnan(builds_change(made, "main", COMPARE_PER_CALL_TIME)->values.new));
}

/* A build without -pg must not look as if total times had fallen. */
TEST(totals_without_calls_are_unknown)
{
	run(BUILD_OLD, 1000, 4000, 500);
	builds_sample(BUILD_NEW, "step", 1000);
	builds_sample(BUILD_NEW, "filter", 4000);
	const struct comparison *made = builds_compare();
	const struct compare_change *total = builds_change(made, "step", COMPARE_TOTAL);
	assert_near(total->values.old, 1);
	assert_true(isnan(total->values.new));
	assert_int_equal(total->verdict, COMPARE_UNKNOWN);
	assert_int_equal(made->arcs[0].changes[COMPARE_SELF].verdict, COMPARE_UNKNOWN);
	assert_int_equal(builds_change(made, "step", COMPARE_SELF)->values.new > 0, true);
}

/* Code does not become faster by moving out of the sampled ranges. */
TEST(time_of_unsampled_code_is_unknown)
{
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 1000, 4000, 0);
	uint64_t log = 0;
	assert_true(image_symbol(builds.sides[BUILD_NEW].image, "log", &log));
	struct capture_block *block = &builds.sides[BUILD_NEW].captures[0]->blocks[0];
	block->ranges[block->range_count++] = (struct capture_range){(log & ~UINT64_C(1)) + 48, UINT64_C(1) << 20};
	const struct comparison *made = builds_compare();
	assert_near(builds_change(made, "log", COMPARE_SELF)->values.old, 5e-3);
	assert_true(isnan(builds_change(made, "log", COMPARE_SELF)->values.new));
	assert_int_equal(builds_change(made, "log", COMPARE_SELF)->verdict, COMPARE_UNKNOWN);
	assert_int_equal(builds_change(made, "log", COMPARE_TOTAL)->verdict, COMPARE_UNKNOWN);
	assert_near(builds_change(made, "log", COMPARE_CALLS)->values.new, 1);
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_NOISE);
	block->ranges[0].start -= 2;
	assert_int_equal(builds_change(builds_compare(), "log", COMPARE_SELF)->verdict, COMPARE_LESS);
}

TEST(changes_below_the_minimum_are_noise)
{
	run(BUILD_OLD, 1000, 4000000, 500);
	run(BUILD_NEW, 1000, 4030000, 500);
	const struct comparison *made = builds_compare();
	assert_true(builds_change(made, "filter", COMPARE_SELF)->q < 1e-6);
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_NOISE);
	builds.options.min_change = 0.005;
	made = builds_compare();
	assert_int_equal(builds_change(made, "filter", COMPARE_SELF)->verdict, COMPARE_MORE);
}

TEST(one_build_in_samples_puts_both_in_samples)
{
	run_both(1000, 4000, 500);
	builds.sides[BUILD_NEW].captures[0]->blocks[0].header.clock_hz = 0;
	const struct comparison *made = builds_compare();
	assert_int_equal(made->time_unit, PROFILE_SAMPLES);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.old, 4);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.new, 4);
	builds_choose_unit(COMPARE_PER_SECOND, NULL);
	builds_refuse("so times are in samples");
}

/* --- Refused input. */

TEST(captures_without_samples_are_refused)
{
	run(BUILD_OLD, 1000, 4000, 500);
	builds_call(BUILD_NEW, "main", "step", 3);
	builds_refuse("no samples in it, so there are no times to compare");
}

TEST(builds_without_a_common_function_are_refused)
{
	builds_assemble(BUILD_OLD, "a b", 32);
	builds_assemble(BUILD_NEW, "c d", 64);
	builds_sample(BUILD_OLD, "a", 10);
	builds_sample(BUILD_NEW, "c", 10);
	builds_refuse("no function in common: are they builds of the same firmware?");
}

TEST(builds_for_other_architectures_are_refused)
{
	run_both(10, 10, 10);
	builds.sides[BUILD_NEW].image->isa = IMAGE_ISA_RISCV;
	builds_refuse("only builds for the same architecture can be compared");
	builds.sides[BUILD_NEW].image->isa = IMAGE_ISA_ARM;
	builds.sides[BUILD_NEW].image->address_size = 8;
	builds_refuse("addresses of 32 bits");
	builds.sides[BUILD_NEW].image->address_size = 4;
	builds_compare();
}

TEST(capture_of_the_other_build_is_named_as_such)
{
	run_both(10, 10, 10);
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct image *image = builds.sides[build].image;
		struct capture_header *header = &builds.sides[build].captures[0]->blocks[0].header;

		image->build_id_size = 4;
		memset(image->build_id, build == BUILD_OLD ? 'o' : 'n', 4);
		header->identity_kind = BAREPROF_IDENTITY_BUILD_ID;
		header->identity_size = 4;
		memset(header->identity, build == BUILD_OLD ? 'n' : 'o', 4);
	}
	builds_refuse("give each capture with its own ELF");
}

/* Sets the cost of a sampling interrupt, of a period of 10 clock units. */
static void set_cost(enum build build, uint64_t units)
{
	struct capture_block *block = &builds.sides[build].captures[0]->blocks[0];

	block->has_tick_cost = true;
	block->tick_cost = units * block->header.ticks;
}

TEST(sampling_interrupts_are_not_the_time_of_functions)
{
	run(BUILD_OLD, 1000, 4000, 500);
	run(BUILD_NEW, 1000, 5000, 500);
	set_cost(BUILD_OLD, 1);
	set_cost(BUILD_NEW, 2);
	const struct comparison *made = builds_compare();
	assert_false(made->ignores_handler);
	const struct compare_change *filter = builds_change(made, "filter", COMPARE_SELF);
	assert_near(filter->values.old * made->builds[BUILD_OLD].work, 4000 * 0.009);
	assert_near(filter->values.new * made->builds[BUILD_NEW].work, 5000 * 0.008);
	const struct compare_change *recorder = builds_change(made, "<bareprof>", COMPARE_SELF);
	assert_near(recorder->values.old * made->builds[BUILD_OLD].work, 5500 * 0.001);
	assert_near(recorder->values.new * made->builds[BUILD_NEW].work, 6500 * 0.002);
}

/* Otherwise all functions of a build whose interrupts take 20 % would look slower. */
TEST(unknown_interrupt_cost_is_subtracted_from_neither)
{
	run_both(1000, 4000, 500);
	set_cost(BUILD_OLD, 2);
	const struct comparison *made = builds_compare();
	assert_true(made->ignores_handler);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->values.ratio, 1);
	assert_int_equal(comparison_find(made, "<bareprof>"), PAIRING_NONE);
}

/* As many interrupts as samples: per unit of work their number varies as those do, as a part of all time not at all. */
TEST(interrupt_time_varies_with_the_samples)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		run(build, 1000, 4000, 500);
		set_cost(build, 2);
	}
	builds_choose_unit(COMPARE_PER_CALL, "step");
	const struct comparison *made = builds_compare();
	assert_near(builds_change(made, "<bareprof>", COMPARE_SELF)->sums[BUILD_OLD].variance, 5500 * 0.002 * 0.002);
	assert_near(builds_change(made, "<bareprof>", COMPARE_TOTAL)->sums[BUILD_OLD].variance, 5500 * 0.002 * 0.002);
	assert_near(builds_change(made, "filter", COMPARE_SELF)->sums[BUILD_OLD].variance, 4000 * 0.008 * 0.008);
	assert_near(builds_change(made, "<bareprof>", COMPARE_SHARE)->sums[BUILD_OLD].variance, 0);
	builds.options.unit = COMPARE_PER_SECOND;
	made = builds_compare();
	assert_near(builds_change(made, "<bareprof>", COMPARE_SELF)->sums[BUILD_OLD].variance, 0);
}
