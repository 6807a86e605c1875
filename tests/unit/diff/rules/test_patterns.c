/* SPDX-License-Identifier: MIT */
/* Patterns match symbols, or demangled names with or without parameters. */
#include "diff/rules/rule.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void expect(const char *style_name, const char *pattern, const char *name, bool fits)
{
	struct demangle_style style;

	assert_true(demangle_find_style(style_name, &style));
	struct demangler *names = demangler_create(style);
	assert_non_null(names);
	if (rule_pattern_fits(pattern, name, names) != fits)
		fail_msg("%s %s %s", pattern, fits ? "does not fit" : "fits", name);
	demangler_free(names);
}

TEST(patterns_match_names_of_the_elf)
{
	expect("auto", "main", "main", true);
	expect("auto", "mai", "main", false);
	expect("auto", "ain", "main", false);
	expect("auto", "uart_*", "uart_send", true);
	expect("auto", "uart_*", "my_uart_send", false);
	expect("auto", "f?", "f1", true);
	expect("auto", "f[0-3]", "f2", true);
	expect("auto", "f[0-3]", "f4", false);
	expect("auto", "*", "main", true);
	expect("auto", "*", ".hidden/name", true);
	expect("auto", "a\\*b", "a*b", true);
	expect("auto", "a\\*b", "axb", false);
	expect("auto", "_ZN3foo3barEv", "_ZN3foo3barEv", true);
}

TEST(demangled_names_match_with_or_without_parameters)
{
	static const struct {
		const char *pattern;
		bool fits;
	} patterns[] = {
	        {"A::f(int)", true}, {"A::f", true},    {"*::f", true},     {"A::*", true},
	        {"A::f(*)", true},   {"A::f()", false}, {"A::g", false},    {"A::f(", false},
	        {"A", false},        {"A::?", true},    {"A::?(i*)", true},
	};

	for (size_t i = 0; i < COUNT(patterns); i++) {
		expect("auto", patterns[i].pattern, "_ZN1A1fEi", patterns[i].fits);
		if (strcmp(patterns[i].pattern, "A::?") == 0 || patterns[i].pattern[0] != '*')
			expect("none", patterns[i].pattern, "_ZN1A1fEi", false);
	}
}

TEST(parentheses_within_names_are_not_parameters)
{
	/* f<int>(int)::{lambda()#1}::operator()() const */
	static const char lambda[] = "_ZZ1fIiEvT_ENKUlvE_clEv";

	expect("auto", "*::operator()", lambda, true);
	expect("auto", "*::operator", lambda, false);
	expect("auto", "*lambda*", lambda, true);
	/* A::operator[](int), (anonymous namespace)::f() */
	expect("auto", "A::operator[]", "_ZN1AixEi", true);
	expect("auto", "A::operator[](int)", "_ZN1AixEi", true);
	expect("auto", "?anonymous namespace)::f", "_ZN12_GLOBAL__N_11fEv", true);
	/* f(void (*)(int)) */
	expect("auto", "[f]", "_Z1fPFviE", true);
}

TEST(names_that_look_like_patterns_match_themselves)
{
	expect("auto", "f(int (&) [4])", "_Z1fRA4_i", true);
	expect("auto", "f(int (&) [5])", "_Z1fRA4_i", false);
	expect("auto", "A::operator[]", "_ZN1AixEi", true);
}

TEST(many_stars_match_in_bounded_time)
{
	char pattern[2001], name[1025];

	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	for (size_t i = 0; i < sizeof pattern - 1; i += 2)
		memcpy(pattern + i, "*a", 2);
	memcpy(pattern + sizeof pattern - 3, "*b", 3);
	expect("auto", pattern, name, false);
}
