/* SPDX-License-Identifier: MIT */
/* The parser follows the grammar of docs/DIFF.md and reports where a rule is wrong. */
#include "diff/rules/rule.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void expect_limit(const struct rule_limit *limit, enum rule_measure measure, double value)
{
	assert_int_equal(limit->measure, measure);
	assert_near_relative(limit->value, value, 1e-15);
}

static struct rule_set read_one(const char *text)
{
	struct rule_set set = {0};

	assert_success(rule_set_add(&set, "--fail-if", text, &failure), &failure);
	assert_int_equal(set.count, 1);
	return set;
}

TEST(limits_have_the_units_of_their_quantity)
{
	static const struct {
		const char *text;
		enum compare_quantity quantity;
		enum rule_measure measure;
		double value;
	} rules[] = {
	        {"self(f) > +5%", COMPARE_SELF, RULE_RATIO, 1.05},
	        {"self(f) < -5%", COMPARE_SELF, RULE_RATIO, 0.95},
	        {"self(f) > +5us", COMPARE_SELF, RULE_DIFFERENCE, 5e-6},
	        {"total(f) > -5ns", COMPARE_TOTAL, RULE_DIFFERENCE, -5e-9},
	        {"total(f) > 2.5ms", COMPARE_TOTAL, RULE_VALUE, 2.5e-3},
	        {"percall(f) > 2s", COMPARE_PER_CALL_TIME, RULE_VALUE, 2},
	        {"time > 12.25samples", COMPARE_SELF, RULE_VALUE, 12.25},
	        {"calls(f) > 5", COMPARE_CALLS, RULE_VALUE, 5},
	        {"calls(f) > +0.5", COMPARE_CALLS, RULE_DIFFERENCE, 0.5},
	        {"calls(f) > +7%", COMPARE_CALLS, RULE_RATIO, 1.07},
	        {"share(f) > 25%", COMPARE_SHARE, RULE_VALUE, 0.25},
	        {"share(f) > +25%", COMPARE_SHARE, RULE_RATIO, 1.25},
	        {"share(f) > +2.5pp", COMPARE_SHARE, RULE_DIFFERENCE, 0.025},
	        {"size > +64B", COMPARE_SIZE, RULE_DIFFERENCE, 64},
	        {"size > 64KB", COMPARE_SIZE, RULE_VALUE, 64000},
	        {"size(f) > 64KiB", COMPARE_SIZE, RULE_VALUE, 65536},
	        {"size > +2%", COMPARE_SIZE, RULE_RATIO, 1.02},
	        {"size < -100%", COMPARE_SIZE, RULE_RATIO, 0},
	};

	for (size_t i = 0; i < COUNT(rules); i++) {
		struct rule_set set = read_one(rules[i].text);

		assert_string_equal(set.rules->text, rules[i].text);
		assert_int_equal(set.rules->quantity, rules[i].quantity);
		expect_limit(&set.rules->limit, rules[i].measure, rules[i].value);
		rule_set_free(&set);
	}
}

TEST(operators_say_which_side_of_the_limit_breaks)
{
	static const struct {
		const char *text;
		bool is_below, takes_limit;
	} rules[] = {
	        {"size > +2%", false, false},
	        {"size >= +2%", false, true},
	        {"size < +2%", true, false},
	        {"size <= +2%", true, true},
	};

	for (size_t i = 0; i < COUNT(rules); i++) {
		struct rule_set set = read_one(rules[i].text);

		assert_int_equal(set.rules->is_below, rules[i].is_below);
		assert_int_equal(set.rules->takes_limit, rules[i].takes_limit);
		rule_set_free(&set);
	}
}

TEST(patterns_may_contain_any_character_of_names)
{
	static const struct {
		const char *text, *pattern;
	} rules[] = {
	        {"self(main)>+5%", "main"},
	        {"self( main )>+5%", "main"},
	        {"self(f(int))>+5%", "f(int)"},
	        {"self(operator()) > +5%", "operator()"},
	        {"self(operator<(A, B)) > +5%", "operator<(A, B)"},
	        {"self(std::vector<int>::at(unsigned int) const) > +5%", "std::vector<int>::at(unsigned int) const"},
	        {"point(self(A::operator()(int)) ) > +5%", "A::operator()(int)"},
	        {"self(\"f)\") > +5%", "f)"},
	        {"self(\" \") > +5%", " "},
	        {"self(operator\"\" _s) > +5%", "operator\"\" _s"},
	        {"share(<unavailable>) < 20%", "<unavailable>"},
	        {"size(*)>+1B", "*"},
	        {"size>+1B", NULL},
	        {"point(size) > +1B", NULL},
	        {"time > +1%", NULL},
	};

	for (size_t i = 0; i < COUNT(rules); i++) {
		struct rule_set set = read_one(rules[i].text);

		if (rules[i].pattern == NULL)
			assert_null(set.rules->pattern);
		else
			assert_string_equal(set.rules->pattern, rules[i].pattern);
		rule_set_free(&set);
	}
}

TEST(white_space_is_free)
{
	static const char *const texts[] = {
	        "point(calls(f))>+5and significant",
	        "  point ( calls ( f ) ) > + 5 and significant  ",
	        "\tpoint(calls\t(f)) > +5\tand\tsignificant\r",
	};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct rule_set set = read_one(texts[i]);

		assert_true(set.rules->is_point && set.rules->is_significant);
		assert_string_equal(set.rules->pattern, "f");
		expect_limit(&set.rules->limit, RULE_DIFFERENCE, 5);
		rule_set_free(&set);
	}
}

static void expect_unread(const char *text, const char *reason)
{
	struct rule_set set = {0};
	struct error error = {.message = ""};
	char message[512];

	snprintf(message, sizeof message, "--fail-if: rule '%s': expected %s", text, reason);
	assert_int_equal(rule_set_add(&set, "--fail-if", text, &error), STATUS_USAGE);
	assert_string_equal(error.message, message);
	assert_int_equal(set.count, 0);
	rule_set_free(&set);
}

TEST(syntax_errors_show_their_place)
{
	static const char quantities[] = "self, total, calls, percall, share, size, time or point";
	char text[100];

	snprintf(text, sizeof text, "%s at its end", quantities);
	expect_unread("", text);
	snprintf(text, sizeof text, "%s at 'selfish(main) > +5%%'", quantities);
	expect_unread("selfish(main) > +5%", text);
	expect_unread("self > +5%", "'(' and the name of a function at '> +5%'");
	expect_unread("self(main > +5%", "')' at its end");
	expect_unread("self() > +5%", "the name of a function, or a pattern such as 'uart_*', at ') > +5%'");
	expect_unread("point(self(main) > +5%", "one more ')' at ' > +5%'");
	expect_unread("point self(main) > +5%", "'(' at 'self(main) > +5%'");
	expect_unread("point(size > +5%", "')' at '> +5%'");
	expect_unread("point)", "'(' at ')'");
	expect_unread("self(main)", "<, >, <= or >= at its end");
	expect_unread("self(main) = +5%", "<, >, <= or >= at '= +5%'");
	expect_unread("time(main) > +5%", "<, >, <= or >= at '(main) > +5%'");
	expect_unread("self(main) >", "a number such as +5% or 3.5ms at its end");
	expect_unread("self(main) > => 5%", "a number such as +5% or 3.5ms at '=> 5%'");
	expect_unread("self(main) > +-5%", "a number such as +5% or 3.5ms at '-5%'");
	expect_unread("self(main) > 0x5ms", "a number such as +5% or 3.5ms at '0x5ms'");
	expect_unread("self(main) > 1e5ms", "a number such as +5% or 3.5ms at '1e5ms'");
	expect_unread("self(main) > infs", "a number such as +5% or 3.5ms at 'infs'");
	expect_unread("self(main) > 1.2.3s", "a number such as +5% or 3.5ms at '1.2.3s'");
	expect_unread("self(main) > .s", "a number such as +5% or 3.5ms at '.s'");
	expect_unread("self(main) > +5", "a unit of time (ns, us, ms, s, samples), or % after a sign, at its end");
	expect_unread("self(main) > +5pp", "a unit of time (ns, us, ms, s, samples), or % after a sign, at 'pp'");
	expect_unread("calls(main) > 5us", "no unit, or % after a sign, at 'us'");
	expect_unread("share(main) > 5us", "%, or pp after a sign, at 'us'");
	expect_unread("size > +64", "B, KB (1000 B) or KiB (1024 B), or % after a sign, at its end");
	expect_unread("size > -101%", "at least -100% at '-101%'");
	expect_unread("self(main) > +5% or so", "'and significant' or nothing at 'or so'");
	expect_unread("self(main) > +5% and so", "'significant' at 'so'");
	expect_unread("self(main) > +5% and significant too", "nothing more at 'too'");
}

TEST(change_without_a_sign_is_suggested_one)
{
	expect_unread("total(main) > 5%", "a sign, as in +5%, at '5%'");
	expect_unread("total(main) < 2.5 %", "a sign, as in -2.5%, at '2.5 %'");
	expect_unread("share(main) > 5pp", "a sign, as in +5pp, at '5pp'");
}

TEST(long_rules_are_cut_in_messages)
{
	struct rule_set set = {0};
	struct error error;
	char text[300], message[300];

	snprintf(text, sizeof text, "self(%0200d) ? and more than twenty", 0);
	snprintf(message, sizeof message,
	         "rules:1: rule 'self(%055d...': expected <, >, <= or >= at '? and more than twen...'", 0);
	assert_int_equal(rule_set_add(&set, "rules:1", text, &error), STATUS_USAGE);
	assert_string_equal(error.message, message);
	rule_set_free(&set);
}

TEST(number_beyond_all_bounds_is_refused)
{
	struct rule_set set = {0};
	struct error error;
	char text[500];

	snprintf(text, sizeof text, "calls(f) > 1%0400d", 0);
	assert_int_equal(rule_set_add(&set, "", text, &error), STATUS_USAGE);
	assert_non_null(strstr(error.message, "expected a number"));
	rule_set_free(&set);
}
