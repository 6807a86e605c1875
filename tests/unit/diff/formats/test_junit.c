/* SPDX-License-Identifier: MIT */
/* Rules as test cases of JUnit: what is printed is what its readers take, by a parser that is not ours. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect_valid(const char *text)
{
	FILE *parser = popen("xmllint --noout --nonet --dtdvalid tests/unit/diff/formats/junit.dtd -", "w");
	assert_non_null(parser);
	fputs(text, parser);
	assert_int_equal(pclose(parser), 0);
}

/* Frees made; the result is the caller's. */
static char *print(struct made *made)
{
	char *text = made_print_once(made, &diff_junit);
	expect_valid(text);
	return text;
}

/* Takes the text. */
static void expect_parts(char *text, const char *const *parts)
{
	made_expect_parts(text, parts);
	free(text);
}

/* That these are in what is printed, in this order. */
#define EXPECT(made, ...) expect_parts(print(made), (const char *const[]){__VA_ARGS__, NULL})

static struct made *make_two_functions(void)
{
	struct made *made = made_create();
	made_times(made, made_row(made, "fir_step", "fir_step"), 2.94e-6, 3.302e-6, COMPARE_MORE);
	made_times(made, made_row(made, "old_crc", "crc"), 5e-6, 4e-6, COMPARE_LESS);
	made_calls(made, 1, 10, 12);
	made_pair(made, 1)->how = PAIRED_BY_CODE;
	return made;
}

static struct rule_breach breach_of(const struct made *made, size_t row)
{
	return (struct rule_breach){.row = row, .values = made->comparison.rows[row].changes[COMPARE_SELF].values};
}

TEST(without_rules_a_passing_case_lists_changes)
{
	EXPECT(make_two_functions(), "<testsuite name=\"bareprof diff\" tests=\"1\" failures=\"0\" errors=\"0\">",
	       "<property name=\"Old\" value=\"old.elf: build a0a1a2a3, ",
	       "<property name=\"New\" value=\"new.elf: ", "<property name=\"Warning\" value=\"",
	       "<testcase classname=\"bareprof.diff\" name=\"comparison\">",
	       "<system-out>fir_step: self 2.9400 us -&gt; ", "3.3020 us, +12.3 % [+7 .. +18 %]; total 2.94",
	       "\ncrc (was old_crc by code): self ", "; calls 10 -&gt; 12, +20.0 %\n</system-out>");
}

/* It changes with any other function. */
TEST(a_share_is_not_listed_among_changes)
{
	struct made *made = make_two_functions();
	made_set(made, 0, COMPARE_SHARE, 0.2, 0.3, COMPARE_MORE);
	char *text = print(made);
	assert_null(strstr(text, "share"));
	free(text);
}

TEST(without_changes_it_says_so)
{
	struct made *made = made_create();
	made_times(made, made_row(made, "main", "main"), 2e-6, 2.1e-6, COMPARE_NOISE);
	EXPECT(made, "<system-out>No function has changed: all is within noise, or below 1 %.\n</system-out>");
	made = made_create();
	made->comparison.min_change = 0;
	made_times(made, made_row(made, "main", "main"), 2e-6, 2.1e-6, COMPARE_NOISE);
	EXPECT(made, "<system-out>No function has changed: all is within noise.\n</system-out>");
}

TEST(a_rule_that_held_passes)
{
	struct made *made = make_two_functions();
	struct rule_result rules[] = {
	        {.text = "self(f*) > +50%",
	         .origin = "ci.rules:3",
	         .looked_at = 12,
	         .confidence = 0.99583,
	         .has_nearest = true,
	         .nearest = breach_of(made, 0)},
	        {.text = "point(size) > +2%",
	         .origin = "--fail-if",
	         .quantity = COMPARE_SIZE,
	         .is_point = true,
	         .is_of_firmware = true,
	         .confidence = 0.95},
	};
	made->gate = (struct rule_results){.items = rules, .count = 2};
	EXPECT(made, "tests=\"2\" failures=\"0\"", "name=\"self(f*) &gt; +50%\">",
	       "<system-out>ci.rules:3, 12 functions looked at, intervals at a confidence of 99.58 %\n"
	       "nearest: fir_step: 2.9400 us -&gt; ",
	       "3.3020 us, +12.3 % [+7 .. +18 %]\n</system-out>", "name=\"point(size) &gt; +2%\">",
	       "<system-out>--fail-if, bare estimates\n</system-out>");
}

TEST(a_broken_rule_fails_with_all_that_broke_it)
{
	struct made *made = make_two_functions();
	struct rule_breach breaches[] = {breach_of(made, 0), breach_of(made, 1)};
	struct rule_result rule = {.text = "self(*) > +1%",
	                           .origin = "--fail-if",
	                           .looked_at = 2,
	                           .confidence = 0.975,
	                           .breaches = breaches,
	                           .breach_count = 2};
	made->gate = (struct rule_results){.items = &rule, .count = 1, .broken = 1};
	EXPECT(made, "tests=\"1\" failures=\"1\"", "<failure type=\"rule\" message=\"fir_step: 2.9400 us -&gt; ",
	       "3.3020 us, +12.3 % [+7 .. +18 %], and 1 more\">",
	       "--fail-if, 2 functions looked at, intervals at a confidence of 97.5 %", "\nfir_step: 2.94",
	       "\ncrc (was old_crc by code): 5.0000 us -&gt; 4.0000 us, -20.0 %", "]\n</failure>");
}

TEST(a_breach_of_the_firmware_names_no_function)
{
	struct made *made = make_two_functions();
	struct rule_breach breaches[] = {
	        {.row = PAIRING_NONE, .values = {.old = 4096, .new = 8192, .ratio = 2, .ratio_interval = {2, 2}}},
	        {.row = PAIRING_NONE, .values = {.old = 1, .new = 1.5, .ratio = 1.5, .ratio_interval = {1.4, 1.6}}},
	};
	struct rule_result rules[] = {
	        {.text = "size > +2%",
	         .origin = "--fail-if",
	         .quantity = COMPARE_SIZE,
	         .is_of_firmware = true,
	         .breaches = breaches,
	         .breach_count = 1,
	         .confidence = 0.95},
	        {.text = "time > +2%",
	         .origin = "--fail-if",
	         .quantity = COMPARE_TOTAL,
	         .is_of_firmware = true,
	         .breaches = breaches + 1,
	         .breach_count = 1,
	         .confidence = 0.95},
	};
	made->gate = (struct rule_results){.items = rules, .count = 2, .broken = 2};
	EXPECT(made, "message=\"the firmware: 4,096 bytes -&gt; 8,192 bytes, +100 %\"",
	       "message=\"the firmware: 1.0000 s -&gt; 1.5000 s, +50.0 % [+40 .. +60 %]\"");
}

TEST(unknown_values_are_marked)
{
	struct made *made = made_create();
	made_times(made, made_row(made, NULL, "added"), 0, 2e-6, COMPARE_MORE);
	made->comparison.rows[0].changes[COMPARE_TOTAL].values.old = NAN;
	EXPECT(made, "added (new): self 0.0000 us -&gt; 2.0000 us, from 0", "total unknown -&gt; 2.0000 us");
}

TEST(what_nobody_reads_is_counted)
{
	static struct rule_breach breaches[1002];
	struct rule_result rule = {.text = "self(*) > +1%",
	                           .origin = "--fail-if",
	                           .looked_at = 1002,
	                           .confidence = 0.975,
	                           .breaches = breaches,
	                           .breach_count = 1002};
	struct made *made = make_two_functions();
	for (size_t i = 0; i < 1000; i++)
		breaches[i] = breach_of(made, 0);
	breaches[1000] = breaches[1001] = breach_of(made, 1);
	made->gate = (struct rule_results){.items = &rule, .count = 1, .broken = 1};
	char *text = print(made);
	assert_null(strstr(text, "crc"));
	assert_non_null(strstr(text, "%]\nand 2 more\n</failure>"));
	free(text);

	made = made_create();
	for (size_t i = 0; i < 1003; i++)
		made_times(made, made_row(made, i < 1000 ? "seen" : "unseen", "function"), 1, 2, COMPARE_MORE);
	text = print(made);
	assert_null(strstr(text, "unseen"));
	assert_non_null(strstr(text, "%]\nand 3 more\n</system-out>"));
	free(text);
}

/* What could end the text or the tag, what XML must not hold, and all bytes. */
TEST(hostile_names_make_valid_xml)
{
	char name[IMAGE_NAME_MAX + 1] = "]]></system-out>\"'&lt;\xef\xbf\xbf";
	struct made *made = made_create();
	struct rule_breach breach = {.values = {.old = 1, .new = 2, .ratio = 2}};
	struct rule_result rule = {.text = name,
	                           .origin = name,
	                           .looked_at = 1,
	                           .confidence = 0.95,
	                           .breaches = &breach,
	                           .breach_count = 1};
	for (size_t i = strlen(name); i < IMAGE_NAME_MAX; i++)
		name[i] = (char)(i % 255 + 1);
	made_times(made, made_row(made, name, "other"), 1, 2, COMPARE_MORE);
	made->options.labels[BUILD_NEW] = name;
	made_finish(made);
	char *changed = made_print(made, &diff_junit);
	expect_valid(changed);
	free(changed);
	made->gate = (struct rule_results){.items = &rule, .count = 1, .broken = 1};
	char *broken = made_print(made, &diff_junit);
	expect_valid(broken);
	free(broken);
	made_free(made);
}
