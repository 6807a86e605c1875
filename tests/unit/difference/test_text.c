/* SPDX-License-Identifier: MIT */
/* The page for a terminal. */
#include "comparison.h"

#include "difference/formats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the page has must be in it, in this order. */
static void expect_parts(struct made *made, const char *const *parts)
{
	made_finish(made);
	char *text = made_print(made, &difference_text);
	const char *at = text;
	for (; *parts != NULL; parts++) {
		const char *found = strstr(at, *parts);
		if (found == NULL)
			fail_msg("there is no\n%s\nin\n%s", *parts, at);
		at = found + strlen(*parts);
	}
	free(text);
	made_free(made);
}

static void expect_absent(struct made *made, const char *part)
{
	char *text = made_print(made, &difference_text);
	if (strstr(text, part) != NULL)
		fail_msg("there is\n%s\nin\n%s", part, text);
	free(text);
}

/* main calls crc, which became slower and larger, and crc a function that became faster and has another name. */
static struct made *make_typical(void)
{
	struct made *made = made_create();
	size_t main_row = made_row(made, "main", "main");
	size_t crc = made_row(made, "crc", "crc");
	size_t step = made_row(made, "step", "_Z4fasti");
	size_t idle = made_row(made, "idle", "idle");
	made_pair(made, step)->how = PAIRED_BY_CODE;
	made_times(made, main_row, 1e-3, 1.01e-3, COMPARE_NOISE);
	made_set(made, main_row, COMPARE_TOTAL, 9e-3, 1e-2, COMPARE_MORE);
	made_times(made, crc, 5e-3, 6.5e-3, COMPARE_MORE);
	made_set(made, crc, COMPARE_TOTAL, 7e-3, 7.5e-3, COMPARE_MORE);
	made_times(made, step, 2e-3, 1e-3, COMPARE_LESS);
	made_times(made, idle, 1e-3, 1.01e-3, COMPARE_NOISE);
	made_calls(made, main_row, 1, 1);
	made_calls(made, crc, 10, 10);
	made_calls(made, step, 20, 30.5);
	made_set(made, crc, COMPARE_SIZE, 32, 40, COMPARE_MORE);
	size_t arc = made_arc(made, main_row, crc);
	made_arc_set(made, arc, COMPARE_SELF, 5e-3, 6.5e-3, COMPARE_MORE);
	made_arc_set(made, arc, COMPARE_TOTAL, 7e-3, 7.5e-3, COMPARE_MORE);
	made_arc_set(made, arc, COMPARE_CALLS, 10, 10, COMPARE_NOISE);
	arc = made_arc(made, crc, step);
	made_arc_set(made, arc, COMPARE_SELF, 2e-3, 1e-3, COMPARE_LESS);
	made_arc_set(made, arc, COMPARE_TOTAL, 2e-3, 1e-3, COMPARE_LESS);
	made_arc_set(made, arc, COMPARE_CALLS, 20, 30.5, COMPARE_MORE);
	return made;
}

static void the_page_says_what_was_compared(void **state)
{
	(void)state;
	expect_parts(
	        make_typical(),
	        (const char *[]){
	                "Old       old.elf: build a0a1a2a3, 1 capture, 10,000 samples, 1.0000 s\n",
	                "New       new.elf: build b0b1b2b3, 1 capture, 10,000 samples, 1.0000 s\n",
	                "Work      per call of main: 100 calls and 100; chosen: the most-called common root; "
	                "--per-call-of names another\n",
	                "Changes   of 1 % or more, of which 5 % are false at most on average; intervals hold the "
	                "truth in 95 %\n",
	                "Warning   run-to-run variance is unknown: one capture of each build; times are compared by "
	                "counting statistics alone\n",
	                NULL});
}

static void the_whole_comes_before_its_parts(void **state)
{
	struct made *made = make_typical();
	made->comparison.time.values.new = 0.0105;
	made->comparison.time.values.ratio = 1.05;
	made->comparison.time.values.ratio_interval = (struct stats_interval){1.04, 1.06};
	made->comparison.time.verdict = COMPARE_MORE;
	(void)state;
	expect_parts(made,
	             (const char *[]){"\nThe whole\n\n"
	                              "                            old             new     change\n"
	                              "  time per call       10.000 ms       10.500 ms     +5.0 %  [+4.0 .. +6.0 %]\n"
	                              "  code size         4,096 bytes     4,096 bytes        0 %\n"
	                              "\nFunctions by effect",
	                              NULL});
}

static void rows_that_changed_are_a_table(void **state)
{
	(void)state;
	expect_parts(
	        make_typical(),
	        (const char *[]){
	                "\nFunctions by effect, times in ms per call; in brackets: no change, or not known\n\n"
	                "    self                                  95 %   total\n"
	                "     old     new    change            interval     old      new   change       calls  size  "
	                "function\n"
	                "  1.0000  1.0100  (+1.0 %)        [-4 .. +6 %]  9.0000  10.0000  +11.1 %           1        "
	                "main\n"
	                "  5.0000  6.5000   +30.0 %      [+23 .. +36 %]  7.0000   7.5000   +7.1 %          10    +8  "
	                "crc\n"
	                "  2.0000  1.0000   -50.0 %  [-52.5 .. -47.5 %]  2.0000   1.0000  -50.0 %  20 -> 30.5        "
	                "fast(int) (was step by code)\n"
	                "\n1 function within noise or below 1 % is not shown; --all shows them\n",
	                NULL});
}

static void all_rows_are_shown_if_wanted(void **state)
{
	struct made *made = make_typical();
	(void)state;
	made->options.all = true;
	made_finish(made);
	expect_absent(made, "not shown");
	expect_parts(made, (const char *[]){"fast(int)", "\n  1.0000  1.0100  (+1.0 %)", "idle\n", NULL});
}

static void columns_without_anything_are_left_out(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_set(made, made_row(made, "f", "f"), COMPARE_SELF, 1e-3, 2e-3, COMPARE_MORE);
	expect_parts(made, (const char *[]){"\n     self                              95 %\n"
	                                    "      old      new  change         interval  function\n"
	                                    "  1000.00  2000.00  +100 %  [+90 .. +110 %]  f\n",
	                                    NULL});
}

static void time_per_call_is_told_where_calls_differ(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "f", "f");
	(void)state;
	made_set(made, row, COMPARE_SELF, 1e-3, 1e-3, COMPARE_NOISE);
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 2e-4, COMPARE_MORE);
	made_calls(made, row, 10, 5);
	row = made_row(made, "g", "g");
	made_set(made, row, COMPARE_SELF, 1e-3, 2e-3, COMPARE_MORE);
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 2e-4, COMPARE_NOISE);
	made_calls(made, row, 10, 10);
	expect_parts(made, (const char *[]){"  per call    calls  function\n", "+100 %  10 -> 5  f\n",
	                                    "]                 10  g\n", NULL});
}

static void functions_that_ran_in_neither_build_have_no_row(void **state)
{
	struct made *made = make_typical();
	(void)state;
	made_calls(made, made_row(made, "unused", "unused"), 0, 0);
	made->options.all = true;
	made_finish(made);
	expect_absent(made, "unused");
	made->options.all = false;
	expect_parts(made, (const char *[]){"\n1 function within noise", NULL});
}

static void calls_within_a_cycle_have_no_time(void **state)
{
	struct made *made = made_create();
	size_t f = made_row(made, "f", "f"), g = made_row(made, "g", "g");
	(void)state;
	made->options.graph = true;
	made->comparison.rows[f].cycles[BUILD_NEW] = made->comparison.rows[g].cycles[BUILD_NEW] = 1;
	made_times(made, f, 1e-3, 2e-3, COMPARE_MORE);
	made_arc_set(made, made_arc(made, f, g), COMPARE_TOTAL, 1e-3, 0, COMPARE_LESS);
	expect_parts(made, (const char *[]){
	                           "  name\n"
	                           "  1000.00    2000.00    1000.00    2000.00      +100 %         f (now in a cycle)\n"
	                           "                        1000.00                             ?      g\n",
	                           NULL});
}

static void a_build_without_calls_is_told(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_times(made, made_row(made, "f", "f"), 1e-3, 2e-3, COMPARE_MORE);
	expect_parts(made,
	             (const char *[]){"Warning   old.elf: no calls were recorded, so no function has time of those "
	                              "that it calls\n",
	                              NULL});
}

static void a_function_of_one_build_has_times_there_only(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_set(made, made_row(made, NULL, "added"), COMPARE_SELF, 0, 2e-3, COMPARE_MORE);
	made_set(made, made_row(made, "removed", NULL), COMPARE_SELF, 1e-3, 0, COMPARE_LESS);
	expect_parts(made, (const char *[]){"\n     self\n"
	                                    "      old      new  change  size  function\n"
	                                    "           2000.00     new   +32  added (new)\n"
	                                    "  1000.00             gone   -32  removed (gone)\n",
	                                    NULL});
}

static void no_change_is_said(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_times(made, made_row(made, "f", "f"), 1e-3, 1.01e-3, COMPARE_NOISE);
	made_finish(made);
	expect_absent(made, "by effect");
	expect_parts(made, (const char *[]){"\nNo function changed\n", "\n1 function within noise", NULL});
}

static void the_call_graph_has_an_entry_for_each_row_that_changed(void **state)
{
	struct made *made = make_typical();
	(void)state;
	made->options.graph = true;
	expect_parts(made, (const char *[]){
	                           "\nCall graph of what changed: callers above each function, callees below, times in "
	                           "ms per call\n\n"
	                           " old self   new self  old total  new total      change       calls  name\n"
	                           "   1.0000     1.0100     9.0000    10.0000     +11.1 %           1  main\n"
	                           "   5.0000     6.5000     7.0000     7.5000      +7.1 %          10      crc\n"
	                           "------------------------------------------------------------------------------\n"
	                           "   5.0000     6.5000     7.0000     7.5000      +7.1 %          10      main\n"
	                           "   5.0000     6.5000     7.0000     7.5000      +7.1 %          10  crc\n"
	                           "   2.0000     1.0000     2.0000     1.0000     -50.0 %  20 -> 30.5      fast(int)\n"
	                           "------------------------------------------------------------------------------\n"
	                           "   2.0000     1.0000     2.0000     1.0000     -50.0 %  20 -> 30.5      crc\n"
	                           "   2.0000     1.0000     2.0000     1.0000     -50.0 %  20 -> 30.5  fast(int) (was "
	                           "step by code)\n"
	                           "------------------------------------------------------------------------------\n",
	                           NULL});
}

static void relatives_that_matter_stand_next_to_the_function(void **state)
{
	struct made *made = made_create();
	size_t f = made_row(made, "f", "f"), small = made_row(made, "small", "small"),
	       large = made_row(made, "large", "large");
	const size_t arcs[] = {made_arc(made, f, f), made_arc(made, f, small), made_arc(made, f, large),
	                       made_arc(made, small, f), made_arc(made, large, f)};
	const double times[] = {0, 1e-3, 2e-3, 3e-3, 4e-3};
	(void)state;
	made->options.graph = true;
	made_times(made, f, 1e-2, 2e-2, COMPARE_MORE);
	made->comparison.arcs[arcs[1]].is_inlined[BUILD_NEW] = true;
	for (size_t i = 0; i < 5; i++) {
		made_arc_set(made, arcs[i], COMPARE_TOTAL, times[i], times[i], COMPARE_NOISE);
		made_arc_set(made, arcs[i], COMPARE_CALLS, 7, 7, COMPARE_NOISE);
	}
	expect_parts(made, (const char *[]){"7      small\n", "7      large\n", "  f\n", "7      large\n",
	                                    "7 -> inlined      small\n", "7      f\n---", NULL});
}

static void rules_say_what_broke_them(void **state)
{
	struct made *made = make_typical();
	struct gate_breach rows[12], whole = {PAIRING_NONE, made->comparison.time.values};
	struct gate_result results[] = {
	        {.text = "self(*) > +10%", .origin = "--fail-if", .looked_at = 4, .breaches = rows, .breach_count = 12},
	        {.text = "size > +2%", .origin = "rules.txt:3", .quantity = COMPARE_SIZE, .is_of_firmware = true},
	        {.text = "point(time) > +1%",
	         .origin = "--fail-if",
	         .is_point = true,
	         .is_of_firmware = true,
	         .breaches = &whole,
	         .breach_count = 1},
	};
	(void)state;
	for (size_t i = 0; i < 12; i++)
		rows[i] = (struct gate_breach){1, made->comparison.rows[1].changes[COMPARE_SELF].values};
	made->gate = (struct gate_results){.items = results, .count = 3, .broken = 2};
	expect_parts(made, (const char *[]){"\nRules: 2 of 3 broken\n\n"
	                                    "  BROKEN  self(*) > +10%  (--fail-if, 4 functions)\n"
	                                    "            crc: 5.0000 ms -> 6.5000 ms, +30.0 % [+23 .. +36 %]\n",
	                                    "            and 2 more; --all shows them\n"
	                                    "  held    size > +2%  (rules.txt:3)\n"
	                                    "  BROKEN  point(time) > +1%  (--fail-if)\n"
	                                    "            the firmware: 10.000 ms -> 10.000 ms, 0 %\n",
	                                    NULL});
}

static void losses_and_doubtful_builds_are_warned_of(void **state)
{
	struct made *made = make_typical();
	struct profile_losses *losses = &made->profiles[BUILD_NEW].losses;
	(void)state;
	made->profiles[BUILD_OLD].identity = PROFILE_IDENTITY_UNKNOWN;
	made->comparison.has_total_errors = false;
	made->comparison.has_spread[BUILD_OLD] = true;
	losses->arcs_dropped = 1234;
	losses->samples_shared = 99; /* of 10,000: too few */
	losses->skew = 5;
	expect_parts(made,
	             (const char *[]){
	                     "Warning   old.elf: identity not checked\n",
	                     "Warning   run-to-run variance of the new build is unknown: one capture of it; its times "
	                     "have counting statistics alone\n",
	                     "Warning   errors of total times were not estimated (--errors=off): none of them is "
	                     "called a change\n",
	                     "New lost  1,234 calls that found the arc table full, 5 ticks while the block was read\n"
	                     "\nThe whole",
	                     NULL});
}

static void nothing_is_warned_of_where_all_is_well(void **state)
{
	struct made *made = make_typical();
	(void)state;
	made->comparison.has_spread[BUILD_OLD] = made->comparison.has_spread[BUILD_NEW] = true;
	made_finish(made);
	expect_absent(made, "Warning");
	expect_absent(made, "lost");
	expect_absent(made, "Rules");
	made_free(made);
}

static void work_may_be_time(void **state)
{
	struct made *made = make_typical();
	(void)state;
	made->comparison.unit = COMPARE_PER_SECOND;
	made_finish(made);
	expect_absent(made, "time per");
	expect_parts(made,
	             (const char *[]){
	                     "Work      per second of sampled time; chosen; --per-call-of compares by the calls of a "
	                     "function\n",
	                     "times in ms per second", NULL});
}

static void worse_better_and_the_rest_have_colours(void **state)
{
	struct made *made = make_typical();
	(void)state;
	made->options.colour = made->options.all = true;
	expect_parts(made, (const char *[]){"\033[33mWarning", "\033[0m\n", "\n\033[33m  1.0000", "main\033[0m\n",
	                                    "\n\033[32m  2.0000", "\033[0m\n\033[2m  1.0000", "idle\033[0m\n", NULL});
}

static void time_per_call_alone_makes_a_row_worse(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "f", "f");
	(void)state;
	made->options.colour = true;
	made_times(made, row, 1e-3, 1.1e-3, COMPARE_NOISE);
	made_set(made, row, COMPARE_PER_CALL_TIME, 1e-4, 1.1e-4, COMPARE_MORE);
	made_calls(made, row, 10, 10);
	expect_parts(made, (const char *[]){"\n\033[33m  1000.00", "(+10.0 %)   +10.0 %     10  f\033[0m\n", NULL});
}

static void names_are_escaped(void **state)
{
	struct made *made = made_create();
	(void)state;
	made->options.labels[BUILD_OLD] = "\033[2J.elf";
	made->options.graph = true;
	made_times(made, made_row(made, "a\nb", "c\033d"), 1e-3, 2e-3, COMPARE_MORE);
	made_finish(made);
	expect_absent(made, "\033");
	expect_parts(made, (const char *[]){"Old       \\x1b[2J.elf", "c\\x1bd (was a\\x0ab)\n", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_page_says_what_was_compared),
	        cmocka_unit_test(the_whole_comes_before_its_parts),
	        cmocka_unit_test(rows_that_changed_are_a_table),
	        cmocka_unit_test(all_rows_are_shown_if_wanted),
	        cmocka_unit_test(columns_without_anything_are_left_out),
	        cmocka_unit_test(time_per_call_is_told_where_calls_differ),
	        cmocka_unit_test(functions_that_ran_in_neither_build_have_no_row),
	        cmocka_unit_test(calls_within_a_cycle_have_no_time),
	        cmocka_unit_test(a_build_without_calls_is_told),
	        cmocka_unit_test(a_function_of_one_build_has_times_there_only),
	        cmocka_unit_test(no_change_is_said),
	        cmocka_unit_test(the_call_graph_has_an_entry_for_each_row_that_changed),
	        cmocka_unit_test(relatives_that_matter_stand_next_to_the_function),
	        cmocka_unit_test(rules_say_what_broke_them),
	        cmocka_unit_test(losses_and_doubtful_builds_are_warned_of),
	        cmocka_unit_test(nothing_is_warned_of_where_all_is_well),
	        cmocka_unit_test(work_may_be_time),
	        cmocka_unit_test(worse_better_and_the_rest_have_colours),
	        cmocka_unit_test(time_per_call_alone_makes_a_row_worse),
	        cmocka_unit_test(names_are_escaped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
