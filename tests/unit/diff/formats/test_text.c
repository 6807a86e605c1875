/* SPDX-License-Identifier: MIT */
/* The page for a terminal. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect_absent(struct made *made, const char *part)
{
	char *text = made_print(made, &diff_text);
	if (strstr(text, part) != NULL)
		fail_msg("there is\n%s\nin\n%s", part, text);
	free(text);
}

TEST(the_page_says_what_was_compared)
{
	made_expect(
	        made_typical(), &diff_text,
	        (const char *[]){
	                "Old       old.elf: build a0a1a2a3, 1 capture, 10,000 samples, 1.0000 s\n",
	                "New       new.elf: build b0b1b2b3, 1 capture, 10,000 samples, 1.0000 s\n",
	                "Work      per call of main: 100 calls and 100, 90.0 % and 80.0 % of the time; chosen: the "
	                "most-called common root; --per-call-of=FUNCTION selects a function\n",
	                "Changes   of 1 % or more; on average at most 5 % of them are false; intervals have 95 % "
	                "confidence\n",
	                "Warning   run-to-run variation is unknown, with one capture per build: times are compared by "
	                "counting statistics only, calls only as whole numbers per unit of work\n",
	                NULL});
}

TEST(the_whole_comes_before_its_parts)
{
	struct made *made = made_typical();
	made->comparison.time.values.new = 0.0105;
	made->comparison.time.values.ratio = 1.05;
	made->comparison.time.values.ratio_interval = (struct stats_interval){1.04, 1.06};
	made->comparison.time.verdict = COMPARE_MORE;
	made_expect(made, &diff_text,
	            (const char *[]){"\nThe whole\n\n"
	                             "                            old             new     change\n"
	                             "  time per call       10.000 ms       10.500 ms     +5.0 %  [+4.0 .. +6.0 %]\n"
	                             "  code size         4,096 bytes     4,096 bytes        0 %\n"
	                             "\nFunctions by effect",
	                             NULL});
}

TEST(rows_that_changed_are_a_table)
{
	made_expect(
	        made_typical(), &diff_text,
	        (const char *[]){
	                "\nFunctions by effect, times in ms per call of main; in parentheses: not significant, "
	                "or unknown\n\n"
	                "    self                                  95 %   total\n"
	                "     old     new    change            interval     old      new   change       calls  size  "
	                "function\n"
	                "  1.0000  1.0100  (+1.0 %)        [-4 .. +6 %]  9.0000  10.0000  +11.1 %           1        "
	                "main\n"
	                "  5.0000  6.5000   +30.0 %      [+23 .. +36 %]  7.0000   7.5000   +7.1 %          10    +8  "
	                "crc\n"
	                "  2.0000  1.0000   -50.0 %  [-52.5 .. -47.5 %]  2.0000   1.0000  -50.0 %  20 -> 30.5        "
	                "fast(int) (was step by code)\n"
	                "\n1 function within noise, below 1 % or changed only in size is not shown; --all shows every "
	                "row\n",
	                NULL});
}

TEST(all_rows_are_shown_if_wanted)
{
	struct made *made = made_typical();
	made->options.all = true;
	made_finish(made);
	expect_absent(made, "not shown");
	made_expect(made, &diff_text, (const char *[]){"fast(int)", "\n  1.0000  1.0100  (+1.0 %)", "idle\n", NULL});
}

TEST(columns_without_anything_are_left_out)
{
	struct made *made = made_create();
	made_set(made, made_row(made, "f", "f"), COMPARE_SELF, 1e-3, 2e-3, COMPARE_MORE);
	made_expect(made, &diff_text,
	            (const char *[]){"\n     self                              95 %\n"
	                             "      old      new  change         interval  function\n"
	                             "  1000.00  2000.00  +100 %  [+90 .. +110 %]  f\n",
	                             NULL});
}

/* f is called less, g takes longer. */
static struct made *make_other_calls(void)
{
	struct made *made = made_create();
	size_t row = made_row(made, "f", "f");
	made_set(made, row, COMPARE_SELF, 1e-3, 1e-3, COMPARE_NOISE);
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 2e-4, COMPARE_MORE);
	made_calls(made, row, 10, 5);
	row = made_row(made, "g", "g");
	made_set(made, row, COMPARE_SELF, 1e-3, 2e-3, COMPARE_MORE);
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 2e-4, COMPARE_NOISE);
	made_calls(made, row, 10, 10);
	return made;
}

TEST(time_per_call_is_left_out_if_other_columns_show_it)
{
	made_expect(make_other_calls(), &diff_text, (const char *[]){" %]  10 -> 5  f\n", " %]       10  g\n", NULL});
}

TEST(time_per_call_is_shown_if_no_other_column_does)
{
	struct made *made = make_other_calls();
	size_t row = made_row(made, "h", "h");
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 2e-4, COMPARE_MORE);
	made_calls(made, row, 10, 10);
	made_expect(made, &diff_text,
	            (const char *[]){"  per call    calls  function\n", "+100 %  10 -> 5  f\n",
	                             "]                 10  g\n", "+100 %       10  h\n", NULL});
}

TEST(calls_that_show_the_same_digits_are_one_number)
{
	struct made *made = made_create();
	size_t f = made_row(made, "f", "f"), g = made_row(made, "g", "g");
	made_times(made, f, 1e-3, 2e-3, COMPARE_MORE);
	made_times(made, g, 1e-3, 2e-3, COMPARE_MORE);
	made_calls(made, f, 1, 0.99996);
	made_calls(made, g, 1, 0.9997);
	made_expect(made, &diff_text, (const char *[]){"%            1  f\n", "%  1 -> 0.9997  g\n", NULL});
}

TEST(what_was_inlined_has_no_number_of_calls)
{
	struct made *made = made_create();
	size_t small = made_row(made, "small", NULL), large = made_row(made, "large", "large");
	made->options.all = made->options.graph = true;
	made_times(made, small, 1e-3, 2e-3, COMPARE_MORE);
	made_times(made, large, 1e-3, 1e-3, COMPARE_NOISE);
	made_inline(made, small, BUILD_NEW, large);
	made_set(made, small, COMPARE_CALLS, 7, NAN, COMPARE_UNKNOWN);
	made_set(made, large, COMPARE_CALLS, NAN, 3, COMPARE_UNKNOWN);
	made_expect(made, &diff_text,
	            (const char *[]){"7 -> inlined   -32  small (now inlined into large)\n", "? -> 3        large\n",
	                             "  7 -> inlined  small (now inlined into large)\n---", NULL});
}

TEST(functions_that_ran_in_neither_build_have_no_row)
{
	struct made *made = made_typical();
	made_calls(made, made_row(made, "unused", "unused"), 0, 0);
	made->options.all = true;
	made_finish(made);
	expect_absent(made, "unused");
	made->options.all = false;
	made_expect(made, &diff_text, (const char *[]){"\n1 function within noise", NULL});
}

TEST(what_has_no_row_has_no_column)
{
	struct made *made = made_create();
	made->options.all = true;
	made_set(made, made_row(made, "f", "f"), COMPARE_SELF, 1e-3, 2e-3, COMPARE_MORE);
	made_calls(made, made_row(made, "unused", "unused"), 0, 0);
	made_expect(made, &diff_text, (const char *[]){" %]  f\n", NULL});
}

TEST(functions_that_ran_in_neither_build_have_a_row_if_their_size_changed)
{
	struct made *made = made_typical();
	size_t row = made_row(made, "unused", "unused");
	made_calls(made, row, 0, 0);
	made_set(made, row, COMPARE_SIZE, 32, 36, COMPARE_MORE);
	made_finish(made);
	expect_absent(made, "unused");
	made->options.all = true;
	made_expect(made, &diff_text, (const char *[]){"  0    +4  unused\n", NULL});
}

TEST(a_build_without_calls_is_warned_of)
{
	struct made *made = made_create();
	made_times(made, made_row(made, "f", "f"), 1e-3, 2e-3, COMPARE_MORE);
	made_expect(made, &diff_text,
	            (const char *[]){"Warning   old.elf: no calls were recorded, so total times do not include "
	                             "callees\n",
	                             NULL});
}

TEST(a_function_of_one_build_has_times_there_only)
{
	struct made *made = made_create();
	made_set(made, made_row(made, NULL, "added"), COMPARE_SELF, 0, 2e-3, COMPARE_MORE);
	made_set(made, made_row(made, "removed", NULL), COMPARE_SELF, 1e-3, 0, COMPARE_LESS);
	made_expect(made, &diff_text,
	            (const char *[]){"\n     self\n"
	                             "      old      new  change  size  function\n"
	                             "           2000.00     new   +32  added (new)\n"
	                             "  1000.00             gone   -32  removed (gone)\n",
	                             NULL});
}

TEST(no_change_is_said)
{
	struct made *made = made_create();
	made_times(made, made_row(made, "f", "f"), 1e-3, 1.01e-3, COMPARE_NOISE);
	made_finish(made);
	expect_absent(made, "by effect");
	made_expect(made, &diff_text, (const char *[]){"\nNo function changed\n", "\n1 function within noise", NULL});
}

TEST(without_a_minimum_no_change_is_below_it)
{
	struct made *made = made_create();
	made->comparison.min_change = 0;
	made_times(made, made_row(made, "f", "f"), 1e-3, 1.01e-3, COMPARE_NOISE);
	made_expect(made, &diff_text,
	            (const char *[]){"\nChanges   of any size; on average at most 5 % of them are",
	                             "\n1 function within noise or changed only in size is not shown", NULL});
}

TEST(rules_say_what_broke_them_or_came_nearest)
{
	struct made *made = made_typical();
	struct rule_breach rows[12], whole = {PAIRING_NONE, made->comparison.time.values};
	struct rule_result results[] = {
	        {.text = "self(*) > +10%", .origin = "--fail-if", .looked_at = 4, .breaches = rows, .breach_count = 12},
	        {.text = "size > +2%",
	         .origin = "rules.txt:3",
	         .quantity = COMPARE_SIZE,
	         .is_of_firmware = true,
	         .has_nearest = true,
	         .nearest = {PAIRING_NONE, made->comparison.size.values}},
	        {.text = "self(*) > +50%",
	         .origin = "--fail-if",
	         .looked_at = 4,
	         .has_nearest = true,
	         .nearest = {1, made->comparison.rows[1].changes[COMPARE_SELF].values}},
	        {.text = "point(time) > +1%",
	         .origin = "--fail-if",
	         .is_point = true,
	         .is_of_firmware = true,
	         .breaches = &whole,
	         .breach_count = 1},
	};
	for (size_t i = 0; i < 12; i++)
		rows[i] = (struct rule_breach){1, made->comparison.rows[1].changes[COMPARE_SELF].values};
	made->gate = (struct rule_results){.items = results, .count = 4, .broken = 2};
	made_expect(made, &diff_text,
	            (const char *[]){"\nRules: 2 of 4 broken\n\n"
	                             "  BROKEN  self(*) > +10%  (--fail-if, 4 functions)\n"
	                             "            crc: 5.0000 ms -> 6.5000 ms, +30.0 % [+23 .. +36 %]\n",
	                             "            and 2 more; --all shows every row\n"
	                             "  held    size > +2%  (rules.txt:3)\n"
	                             "            nearest: the firmware: 4,096 bytes -> 4,096 bytes, 0 %\n"
	                             "  held    self(*) > +50%  (--fail-if, 4 functions)\n"
	                             "            nearest: crc: 5.0000 ms -> 6.5000 ms, +30.0 % [+23 .. +36 %]\n"
	                             "  BROKEN  point(time) > +1%  (--fail-if)\n"
	                             "            the firmware: 10.000 ms -> 10.000 ms, 0 %\n",
	                             NULL});
}

TEST(losses_and_doubtful_builds_are_warned_of)
{
	struct made *made = made_typical();
	struct profile_losses *losses = &made->profiles[BUILD_NEW].losses;
	made->profiles[BUILD_OLD].identity = PROFILE_IDENTITY_UNKNOWN;
	made->comparison.has_total_errors = false;
	made->comparison.has_spread[BUILD_OLD] = true;
	losses->arcs_dropped = 1234;
	losses->skew = 5;
	made_expect(
	        made, &diff_text,
	        (const char *[]){"Warning   old.elf: identity not checked\n",
	                         "Warning   run-to-run variation of the new build is unknown, with one capture: its "
	                         "times have counting statistics only, and calls are compared only as whole "
	                         "numbers per unit of work\n",
	                         "Warning   errors of total times were not estimated, so no total time "
	                         "is reported as changed\n",
	                         "New lost  1,234 calls that found the arc table full, 5 ticks while the block was "
	                         "read\n"
	                         "\nThe whole",
	                         NULL});
}

TEST(shared_samples_are_not_a_loss)
{
	struct made *made = made_typical();
	uint64_t *old = &made->profiles[BUILD_OLD].losses.samples_shared;
	uint64_t *new = &made->profiles[BUILD_NEW].losses.samples_shared;
	made_finish(made);
	*old = *new = 99; /* of 10,000: too few to matter */
	expect_absent(made, "share");
	*new = 1234;
	expect_absent(made, "lost");
	char *text = made_print(made, &diff_text);
	assert_non_null(strstr(
	        text, "\nShared    new: 1,234 samples in bins or granules that several functions share\n\nThe whole"));
	free(text);
	*old = 100;
	made_expect(made, &diff_text, (const char *[]){"\nShared    old: 100, new: 1,234 samples in bins", NULL});
}

TEST(the_same_build_on_both_sides_is_noted)
{
	static const uint8_t nops[] = {0x00, 0xbf, 0x00, 0xbf}, other[] = {0x00, 0xbf, 0x00, 0xbe};
	struct image_code old = {.address = 0x8000, .bytes = nops, .size = 4}, new = old;
	struct made *made = made_typical();
	made_finish(made);
	made->images[BUILD_OLD].code = &old;
	made->images[BUILD_NEW].code = &new;
	made->images[BUILD_OLD].code_count = made->images[BUILD_NEW].code_count = 1;
	expect_absent(made, "Note");
	memcpy(made->images[BUILD_NEW].build_id, made->images[BUILD_OLD].build_id, 20);
	char *text = made_print(made, &diff_text);
	assert_non_null(
	        strstr(text, "\nNote      both builds have the same build-id: changes are differences between runs\n"));
	free(text);
	made->images[BUILD_NEW].build_id_size = 0;
	text = made_print(made, &diff_text);
	assert_non_null(strstr(text, "\nNote      both builds have the same code: changes are differences between "
	                             "runs or in data\n"));
	free(text);
	new.bytes = other;
	expect_absent(made, "Note");
	made_free(made);
}

TEST(nothing_is_warned_of_where_all_is_well)
{
	struct made *made = made_typical();
	made->comparison.has_spread[BUILD_OLD] = made->comparison.has_spread[BUILD_NEW] = true;
	made_finish(made);
	expect_absent(made, "Warning");
	expect_absent(made, "lost");
	expect_absent(made, "Rules");
	made_free(made);
}

TEST(work_may_be_time)
{
	struct made *made = made_typical();
	made->comparison.unit = COMPARE_PER_SECOND;
	made_finish(made);
	expect_absent(made, "time per");
	made_expect(
	        made, &diff_text,
	        (const char *[]){"Work      per second of sampled time outside the recorder; chosen: no common root is "
	                         "called more than once; --per-call-of=FUNCTION selects a function\n",
	                         "times in ms per second; in", NULL});
}

TEST(a_root_that_takes_too_little_time_for_a_unit_is_named)
{
	struct made *made = made_typical();
	made->comparison.unit = COMPARE_PER_SECOND;
	made->comparison.rejected_row = made_row(made, "ee_printf", "ee_printf");
	made->comparison.unit_shares[BUILD_OLD] = 0.004;
	made->comparison.unit_shares[BUILD_NEW] = 0.5;
	made_expect(
	        made, &diff_text,
	        (const char *[]){"; chosen: no common root accounts for 50 % of the time in each build, ee_printf has "
	                         "0.4 % and 50.0 % of the time; --per-call-of=FUNCTION selects a function\n",
	                         NULL});
}

TEST(the_recorder_has_a_line_of_its_own)
{
	struct made *made = made_typical();
	made->comparison.builds[BUILD_NEW].recorder_time = 0.25;
	made_times(made, made_kind(made, PROFILE_BAREPROF, "<bareprof>"), 1e-3, 2e-3, COMPARE_NOISE);
	made_expect(made, &diff_text,
	            (const char *[]){"Old       old.elf: build a0a1a2a3, 1 capture, 10,000 samples, 1.0000 s\n",
	                             "10,000 samples, 1.0000 s, 25.0 % of it in the recorder\n",
	                             "  recorder            1.0000 ms       2.0000 ms   (+100 %)  [+90 .. +110 %]\n"
	                             "  code size ",
	                             NULL});
}

TEST(titles_name_the_unit_of_work_as_far_as_it_fits)
{
	/* 59 bytes, and a character of two. */
	static const char name[] = "a\nstd::vector<int, std::allocator<int> >::insert_a_value_at\xc3\xa4(int)";
	struct made *made = made_create();
	made->options.graph = true;
	made_times(made, made_row(made, name, name), 1e-3, 2e-3, COMPARE_MORE);
	made_expect(made, &diff_text,
	            (const char *[]){"times in us per call of a\\x0astd::vector<int, std::allocator<int> "
	                             ">::insert_a_value_at...; in parentheses",
	                             "times in us per call of a\\x0astd::vector<int, std::allocator<int> "
	                             ">::insert_a_value_at...\n\n",
	                             NULL});
}

TEST(worse_better_and_the_rest_have_colours)
{
	struct made *made = made_typical();
	made->options.colour = made->options.all = true;
	made_expect(made, &diff_text,
	            (const char *[]){"\033[33mWarning", "\033[0m\n", "\n\033[33m  1.0000", "main\033[0m\n",
	                             "\n\033[32m  2.0000", "\033[0m\n\033[2m  1.0000", "idle\033[0m\n", NULL});
}

TEST(time_per_call_alone_makes_a_row_worse)
{
	struct made *made = made_create();
	size_t row = made_row(made, "f", "f");
	made->options.colour = true;
	made_times(made, row, 1e-3, 1.1e-3, COMPARE_NOISE);
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 1.1e-4, COMPARE_MORE);
	made_calls(made, row, 10, 10);
	made_expect(made, &diff_text,
	            (const char *[]){"\n\033[33m  1000.00", "(+10.0 %)   +10.0 %     10  f\033[0m\n", NULL});
}

TEST(names_are_escaped)
{
	struct made *made = made_create();
	made->options.labels[BUILD_OLD] = "\033[2J.elf";
	made->options.graph = true;
	made_times(made, made_row(made, "a\nb", "c\033d"), 1e-3, 2e-3, COMPARE_MORE);
	made_finish(made);
	expect_absent(made, "\033");
	made_expect(made, &diff_text, (const char *[]){"Old       \\x1b[2J.elf", "c\\x1bd (was a\\x0ab)\n", NULL});
}
