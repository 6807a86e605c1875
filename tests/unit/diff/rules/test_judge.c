/* SPDX-License-Identifier: MIT */
/* Rules are broken or hold, for comparisons made by hand. */
#include "builds.h"
#include "diff/rules/rules.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static struct builds builds;
static struct demangler *names;
static struct rule_set rules;
static struct rule_results results;

static int begin(void **state)
{
	struct demangle_style style;

	builds_begin(&builds);
	names = demangle_find_style("auto", &style) ? demangler_create(style) : NULL;
	return names == NULL ? -1 : 0;
}

static void forget_results(void)
{
	rule_results_free(&results);
	rule_set_free(&rules);
}

static int end(void **state)
{
	forget_results();
	demangler_free(names);
	return 0;
}

static void judge(const char *rule)
{
	forget_results();
	assert_success(rule_set_add(&rules, "--fail-if", rule, &failure), &failure);
	assert_success(rule_set_judge(&rules, &builds.comparison, names, &results, &failure), &failure);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.broken, results.items->breach_count > 0);
	assert_string_equal(results.items->text, rule);
	assert_string_equal(results.items->origin, "--fail-if");
}

static void expect(const char *rule, size_t looked_at, size_t breaches)
{
	judge(rule);
	if (results.items->looked_at != looked_at || results.items->breach_count != breaches)
		fail_msg("%s: looked at %zu, broken by %zu", rule, results.items->looked_at,
		         results.items->breach_count);
}

static void expect_fails(const char *rule, const char *message)
{
	struct error error = {.message = ""};

	forget_results();
	assert_int_equal(rule_set_add(&rules, "--fail-if", rule, &error), STATUS_OK);
	assert_int_equal(rule_set_judge(&rules, &builds.comparison, names, &results, &error), STATUS_FAILED);
	assert_string_equal(error.message, message);
}

EACH_TEST(begin, end);

/* 10000 samples against 10600: +6 % +- 2.9 %. */
TEST(the_whole_interval_must_lie_beyond_the_limit)
{
	struct compare_row *row = builds_add(&builds, "f", "f");

	builds_set_samples(&row->changes[COMPARE_SELF], 10000, 10600);
	expect("self(f) > +0%", 1, 1);
	expect("self(f) > +1%", 1, 1);
	expect("self(f) > +5%", 1, 0);
	expect("point(self(f)) > +5%", 1, 1);
	expect("point(self(f)) > +7%", 1, 0);
	expect("self(f) < +12%", 1, 1);
	expect("self(f) < +8%", 1, 0);
	expect("point(self(f)) < +7%", 1, 1);
	expect("self(f) > +1us", 1, 1);
	expect("self(f) > +5us", 1, 0);
	expect("point(self(f)) > +5us", 1, 1);
	expect("self(f) > 100us", 1, 1);
	expect("self(f) > 105us", 1, 0);
	expect("point(self(f)) > 105us", 1, 1);
	expect("self(f) < 110us", 1, 1);
	expect("self(f) < 0.107ms", 1, 0);
}

TEST(exact_quantities_break_at_their_values)
{
	struct compare_row *row = builds_add(&builds, "f", "f");

	builds_set_exact(&row->changes[COMPARE_SIZE], 1000, 1050);
	builds_set_exact(&row->changes[COMPARE_CALLS], 8, 10);
	builds_set_exact(&builds.comparison.size, 100000, 99000);
	expect("size(f) > +5%", 1, 0);
	expect("size(f) >= +5%", 1, 1);
	expect("size(f) >= +50B", 1, 1);
	expect("size(f) > +49B", 1, 1);
	expect("size(f) > 1KiB", 1, 1);
	expect("size(f) > 1.05KB", 1, 0);
	expect("calls(f) > +2", 1, 0);
	expect("calls(f) > 9.5", 1, 1);
	expect("calls(f) <= 10", 1, 1);
	expect("calls(f) < 10", 1, 0);
	expect("size > +0B", 1, 0);
	expect("size < -0.5%", 1, 1);
}

TEST(shares_are_compared_in_percent_and_in_points)
{
	struct compare_row *row = builds_add(&builds, "f", "f");

	builds_set_exact(&row->changes[COMPARE_SHARE], 0.25, 0.5);
	expect("share(f) > 49.9%", 1, 1);
	expect("share(f) > 50%", 1, 0);
	expect("share(f) > +99%", 1, 1);
	expect("share(f) > +100%", 1, 0);
	expect("share(f) > +24pp", 1, 1);
	expect("share(f) > +25pp", 1, 0);
}

TEST(firmware_as_a_whole_has_time_and_size)
{
	builds_set_samples(&builds.comparison.time, 10000, 12000);
	builds_set_exact(&builds.comparison.size, 1000, 2000);
	expect("time > +10%", 1, 1);
	assert_true(results.items->is_of_firmware);
	assert_int_equal(results.items->quantity, COMPARE_SELF);
	assert_int_equal(results.items->breaches->row, PAIRING_NONE);
	assert_true(results.items->breaches->values.new > results.items->breaches->values.old);
	expect("time > +25%", 1, 0);
	expect("size > +99%", 1, 1);
	assert_int_equal(results.items->quantity, COMPARE_SIZE);
	expect("point(size) > 2KB", 1, 0);
}

/* +2.8 % +- 2.8 % at 0.95, so a hair above 0: not at the confidence that many rows need. */
TEST(many_rows_share_the_confidence)
{
	for (int i = 0; i < 10; i++)
		builds_set_samples(&builds_add(&builds, i == 0 ? "first" : "other", "other")->changes[COMPARE_SELF],
		                   10000, 10330);
	expect("self(first) > +0%", 1, 1);
	assert_near_relative(results.items->confidence, 0.95, 1e-12);
	expect("self(*) > +0%", 10, 0);
	assert_near_relative(results.items->confidence, 0.995, 1e-12);
	expect("point(self(*)) > +0%", 10, 10);
	builds_set_samples(&builds.rows[3].changes[COMPARE_SELF], 10000, 11000);
	expect("self(*) > +0%", 10, 1);
	assert_int_equal(results.items->breaches->row, 3);
	struct stats_change alone;
	compare_change_at(&builds.rows[3].changes[COMPARE_SELF], 0.95, &alone);
	assert_true(results.items->breaches->values.ratio_interval.low < alone.ratio_interval.low);
}

TEST(new_value_of_many_rows_shares_the_confidence)
{
	for (int i = 0; i < 10; i++)
		builds_set_samples(&builds_add(&builds, i == 0 ? "first" : "other", "other")->changes[COMPARE_SELF],
		                   10000, 10230);
	expect("self(first) > 100us", 1, 1);
	expect("self(*) > 100us", 10, 0);
}

TEST(significance_accounts_for_all_tests)
{
	struct compare_row *row = builds_add(&builds, "f", "f");

	builds_set_samples(&row->changes[COMPARE_SELF], 10000, 11000);
	builds_set_exact(&row->changes[COMPARE_SIZE], 10, 11);
	builds_set_exact(&row->changes[COMPARE_CALLS], 10, 10);
	builds_set_samples(&row->changes[COMPARE_SHARE], 0, 0);
	row->changes[COMPARE_SELF].q = 0.06;
	expect("self(f) > +1%", 1, 1);
	expect("self(f) > +1% and significant", 1, 0);
	expect("point(self(f)) > +1% and significant", 1, 0);
	row->changes[COMPARE_SELF].q = 0.04;
	expect("self(f) > +1% and significant", 1, 1);
	expect("point(self(f)) > +1% and significant", 1, 1);
	/* For exact quantities, the verdict of the comparison counts. */
	expect("size(f) > +1%", 1, 1);
	expect("size(f) > +1% and significant", 1, 0);
	row->changes[COMPARE_SIZE].verdict = COMPARE_MORE;
	expect("size(f) > +1% and significant", 1, 1);
	expect("calls(f) > 9 and significant", 1, 0);
	expect("share(f) > +1% and significant", 1, 0);
}

TEST(new_function_has_grown_infinitely)
{
	struct compare_row *row = builds_add(&builds, NULL, "f");

	builds_set_samples(&row->changes[COMPARE_SELF], 0, 1000);
	builds_set_exact(&row->changes[COMPARE_SIZE], 0, 64);
	builds_set_exact(&row->changes[COMPARE_CALLS], 0, 3);
	expect("self(f) > +1000%", 1, 1);
	expect("size(f) > +1000%", 1, 1);
	expect("calls(f) > +2", 1, 1);
	builds_set_samples(&row->changes[COMPARE_SELF], 0, 1);
	expect("self(f) > +1000%", 1, 0);
	expect("point(self(f)) > +1000%", 1, 1);
}

TEST(removed_function_has_fallen_to_0)
{
	struct compare_row *row = builds_add(&builds, "f", NULL);

	builds_set_samples(&row->changes[COMPARE_SELF], 1000, 0);
	builds_set_exact(&row->changes[COMPARE_SIZE], 64, 0);
	expect("size(f) <= -100%", 1, 1);
	expect("self(f) < -90%", 1, 1);
	expect("self(f) > +1%", 1, 0);
}

TEST(zero_in_both_builds_is_not_a_change)
{
	struct compare_row *row = builds_add(&builds, "f", "f");

	builds_set_exact(&row->changes[COMPARE_CALLS], 0, 0);
	builds_set_samples(&row->changes[COMPARE_SELF], 0, 0);
	expect("calls(f) > +0%", 1, 0);
	expect("calls(f) >= +0%", 1, 1);
	expect("point(self(f)) > +0%", 1, 0);
}

TEST(inlined_functions_have_no_calls_to_check)
{
	struct compare_row *row = builds_add(&builds, "f", "f");

	builds_set_exact(&row->changes[COMPARE_CALLS], 1, 10);
	builds_set_exact(&row->changes[COMPARE_PER_CALL_TIME], 1, 10);
	builds_set_exact(&row->changes[COMPARE_SELF], 1, 10);
	row = builds_add(&builds, "g", "g");
	builds_set_exact(&row->changes[COMPARE_CALLS], 1, 10);
	builds_set_exact(&row->changes[COMPARE_PER_CALL_TIME], 1, 10);
	builds_set_exact(&row->changes[COMPARE_SELF], 1, 10);
	for (size_t build = 0; build < BUILD_COUNT; build++) {
		row->inlining[build] = build == BUILD_OLD ? COMPARE_INLINED : COMPARE_PARTLY_INLINED;
		expect("calls(*) > +1%", 1, 1);
		expect("percall(*) > +1%", 1, 1);
		expect("self(*) > +1%", 2, 2);
		expect_fails("calls(g) > +1%", "--fail-if: rule 'calls(g) > +1%' matches nothing: 'calls' is unknown "
		                               "for every function it names"
		                               ", because they are inlined in one of the builds or not instrumented");
		row->inlining[build] = COMPARE_CALLED;
	}
}

TEST(rows_match_the_names_of_either_build)
{
	builds_set_exact(&builds_add(&builds, "before", "after")->changes[COMPARE_SIZE], 1, 2);
	builds_set_exact(&builds_add(&builds, "_ZN1A1fEi", "_ZN1A1fEi")->changes[COMPARE_SIZE], 1, 2);
	expect("size(before) > +1%", 1, 1);
	expect("size(after) > +1%", 1, 1);
	expect("size(A::f) > +1%", 1, 1);
	expect("size(A::f(int)) > +1%", 1, 1);
	expect("size(_ZN1A*) > +1%", 1, 1);
	expect("size(*) > +1%", 2, 2);
}

TEST(other_nodes_match_only_their_exact_name)
{
	builds_set_exact(&builds_add(&builds, "main", "main")->changes[COMPARE_SHARE], 0.5, 0.9);
	struct compare_row *asleep = builds_add(&builds, "<unavailable>", "<unavailable>");
	asleep->kind = PROFILE_UNAVAILABLE;
	asleep->pair = PAIRING_NONE;
	builds_set_exact(&asleep->changes[COMPARE_SHARE], 0.5, 0.1);
	expect("share(*) < 20%", 1, 0);
	expect("share(<unavailable>) < 20%", 1, 1);
	expect("share(<*) < 20%", 1, 1);
}

TEST(the_worst_breach_comes_first)
{
	static const double sizes[][2] = {{100, 110}, {100, 100}, {100, 300}, {0, 1}, {1000, 1200}};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		builds_set_exact(&builds_add(&builds, "f", "f")->changes[COMPARE_SIZE], sizes[i][0], sizes[i][1]);
	static const struct {
		const char *rule;
		size_t rows[4];
	} orders[] = {
	        {"size(*) > +1%", {3, 2, 4, 0}},
	        {"size(*) >= +1B", {2, 4, 0, 3}},
	        {"size(*) < 301B", {3, 1, 0, 2}},
	};
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		expect(orders[i].rule, 5, 4);
		for (size_t breach = 0; breach < 4; breach++)
			assert_int_equal(results.items->breaches[breach].row, orders[i].rows[breach]);
	}
}

/* From 0 to 0 is not a change, and not as bad as a rise. */
TEST(breach_from_zero_to_zero_comes_last)
{
	builds_set_exact(&builds_add(&builds, "idle", "idle")->changes[COMPARE_CALLS], 0, 0);
	builds_set_exact(&builds_add(&builds, "f", "f")->changes[COMPARE_CALLS], 100, 200);
	expect("calls(*) > -5%", 2, 2);
	assert_int_equal(results.items->breaches[0].row, 1);
	assert_int_equal(results.items->breaches[1].row, 0);
}

static void expect_nearest(const char *rule, size_t row)
{
	judge(rule);
	assert_true(results.items->has_nearest);
	if (results.items->nearest.row != row)
		fail_msg("%s: row %zu is nearest", rule, results.items->nearest.row);
}

/* A change from 10 to 20 samples is less certain than one from 10000 to 12000. */
TEST(nearest_value_to_a_rule_is_reported)
{
	static const double samples[][2] = {{10000, 10000}, {10, 20}, {10000, 12000}, {10000, 12000}, {10000, 8000}};

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		builds_set_samples(&builds_add(&builds, "f", "f")->changes[COMPARE_SELF], samples[i][0], samples[i][1]);
	expect_nearest("self(*) > +50%", 2);
	const struct stats_change *values = &builds.rows[2].changes[COMPARE_SELF].values;
	assert_true(results.items->nearest.values.ratio_interval.low < values->ratio_interval.low);
	expect_nearest("self(*) > +50us", 2);
	expect_nearest("self(*) > 200us", 2);
	expect_nearest("self(*) < -50%", 4);
	expect_nearest("point(self(*)) > +300%", 1);
	expect_nearest("self(*) > +30% and significant", 2);
	expect_nearest("self(*) > +10%", 0);
	judge("point(self(*)) > -50%");
	assert_false(results.items->has_nearest);
}

/* A change from 100 to 200 samples is nearer by one interval of 95 %, but not by two simultaneous ones. */
TEST(nearest_value_has_the_confidence_of_the_rule)
{
	builds_set_samples(&builds_add(&builds, "few", "few")->changes[COMPARE_SELF], 100, 200);
	builds_set_samples(&builds_add(&builds, "many", "many")->changes[COMPARE_SELF], 10000, 16000);
	const struct stats_interval few = builds.rows[0].changes[COMPARE_SELF].values.ratio_interval;
	assert_true(few.low > builds.rows[1].changes[COMPARE_SELF].values.ratio_interval.low);
	expect_nearest("self(*) > +90%", 1);
}

TEST(rule_that_matches_no_function_fails)
{
	builds_set_exact(&builds_add(&builds, "main", "main")->changes[COMPARE_SIZE], 1, 2);
	expect_fails("size(mian) > +5%",
	             "--fail-if: rule 'size(mian) > +5%' matches nothing: no function of either build is named 'mian'");
}

TEST(rule_about_an_unmeasured_quantity_fails)
{
	struct compare_row *row = builds_add(&builds, "main", "main");

	builds_set_unsure(&row->changes[COMPARE_TOTAL], 100, 200);
	builds.comparison.has_total_errors = false;
	expect_fails("total(main) > +5%",
	             "--fail-if: rule 'total(main) > +5%' matches nothing: errors of total times were not "
	             "estimated; use point(total(...)) without 'and significant'");
	expect("point(total(main)) > +5%", 1, 1);
	expect_fails("point(total(main)) > +5% and significant",
	             "--fail-if: rule 'point(total(main)) > +5% and significant' matches nothing: errors of total "
	             "times were not estimated; use point(total(...)) without 'and significant'");
	builds.comparison.has_total_errors = true;
	expect_fails(
	        "total(main) > +5%",
	        "--fail-if: rule 'total(main) > +5%' matches nothing: 'total' is unknown for every function it names");
	expect_fails("percall(main) > +5%", "--fail-if: rule 'percall(main) > +5%' matches nothing: 'percall' is "
	                                    "unknown for every function it names"
	                                    ", because they are inlined in one of the builds or not instrumented");
	expect_fails("time > +5%",
	             "--fail-if: rule 'time > +5%' matches nothing: 'time' is unknown for every function it names");
}

TEST(rule_about_constant_time_fails)
{
	builds.comparison.unit = COMPARE_PER_SECOND;
	builds_set_exact(&builds.comparison.time, 1, 1);
	expect_fails("time > +5%", "--fail-if: rule 'time > +5%' matches nothing: all time per second is the same by "
	                           "definition");
	builds.comparison.unit = COMPARE_PER_SAMPLE;
	expect_fails("time > 2ms", "--fail-if: rule 'time > 2ms' matches nothing: all time per sample is the same by "
	                           "definition");
}

TEST(rows_without_the_quantity_are_skipped)
{
	builds_add(&builds, "f", "f");
	builds_set_exact(&builds_add(&builds, "g", "g")->changes[COMPARE_CALLS], 1, 2);
	expect("calls(*) > +5%", 1, 1);
}

TEST(limits_are_in_the_unit_of_the_times)
{
	builds_set_samples(&builds_add(&builds, "f", "f")->changes[COMPARE_SELF], 100, 200);
	builds_set_exact(&builds.rows->changes[COMPARE_CALLS], 100, 200);
	expect_fails("self(f) > 5samples", "--fail-if: rule 'self(f) > 5samples': times are in seconds: give the limit "
	                                   "in ns, us, ms, s or %");
	builds.comparison.time_unit = PROFILE_SAMPLES;
	expect("self(f) > +1%", 1, 1);
	expect("self(f) > +0.0000001samples", 1, 1);
	expect("calls(f) > 150", 1, 1);
	expect_fails("self(f) > +5us",
	             "--fail-if: rule 'self(f) > +5us': some capture does not record its clock, so times "
	             "are in samples: give the limit in samples or %");
}

TEST(each_rule_has_its_result)
{
	struct error error;

	builds_set_exact(&builds.comparison.size, 100, 110);
	forget_results();
	assert_int_equal(rule_set_judge(&rules, &builds.comparison, names, &results, &error), STATUS_OK);
	assert_int_equal(results.count, 0);
	rule_results_free(&results);
	assert_int_equal(rule_set_add(&rules, "a:1", "size > +20%", &error), STATUS_OK);
	assert_int_equal(rule_set_add(&rules, "a:2", "size > +5%", &error), STATUS_OK);
	assert_int_equal(rule_set_add(&rules, "a:3", "size > +1B", &error), STATUS_OK);
	assert_int_equal(rule_set_judge(&rules, &builds.comparison, names, &results, &error), STATUS_OK);
	assert_int_equal(results.count, 3);
	assert_int_equal(results.broken, 2);
	assert_int_equal(results.items[0].breach_count, 0);
	assert_string_equal(results.items[2].origin, "a:3");
}
