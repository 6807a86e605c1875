/* SPDX-License-Identifier: MIT */
/* Names are demangled as GNU's tools do, within limits on time and memory. */
#include "base/text/demangle.h"
#include "base/text/demangle_cost.h"
#include "test.h"

#include <libiberty/demangle.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* expected NULL: name stays as it is. */
static void expect(const char *style_name, const char *name, const char *expected)
{
	struct demangle_style style;

	assert_true(demangle_find_style(style_name, &style));
	char *demangled = demangle_name(name, style, &(uint64_t){DEMANGLE_STEPS_MAX});
	if (expected == NULL)
		assert_null(demangled);
	else
		assert_string_equal(demangled == NULL ? "(not demangled)" : demangled, expected);
	free(demangled);
}

TEST(each_language_is_demangled)
{
	static const struct {
		const char *style, *name, *demangled;
	} names[] = {
	        {"auto", "_ZN3foo3barEv", "foo::bar()"},
	        {"auto", "_ZN1AC1Ei", "A::A(int)"},
	        {"auto", "_ZNSi3getEPcl", "std::istream::get(char*, long)"},
	        {"auto", "_ZZ1fIiEvT_ENKUlvE_clEv", "f<int>(int)::{lambda()#1}::operator()() const"},
	        {"auto", "_Z3foov.isra.0", "foo() [clone .isra.0]"},
	        {"auto", "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE", "core::fmt::Formatter::write_str"},
	        {"auto", "_RNvC6_123foo3bar", "123foo::bar"},
	        {"auto", "_RIC1aTuuETB4_B4_EE", "a::<((), ()), ((), ())>"},
	        {"auto", "_RINvC1a1bFG0_EuE", "a::b::<for<'a, 'b> fn()>"},
	        {"auto", "_RNvC1a6GPIO_A", "a::GPIO_A"},
	        {"gnu-v3", "_ZN3foo3barEv", "foo::bar()"},
	        {"gnu-v3", "_RNvC6_123foo3bar", NULL},
	        {"rust", "_RNvC6_123foo3bar", "123foo::bar"},
	        {"dlang", "_D3foo3barFiZv", "foo.bar(int)"},
	        {"gnat", "pack__proc", "pack.proc"},
	        {"none", "_ZN3foo3barEv", NULL},
	        {"auto", "main", NULL},
	        {"auto", "", NULL},
	        {"auto", "_Z", NULL},
	        {"auto", "_R", NULL},
	};

	for (size_t i = 0; i < COUNT(names); i++)
		expect(names[i].style, names[i].name, names[i].demangled);
}

TEST(unknown_styles_are_refused)
{
	struct demangle_style style;

	assert_false(demangle_find_style("cobol", &style));
	assert_false(demangle_find_style("", &style));
}

/* f(A, B = void (*)(A, A), C = void (*)(B, B), ...) */
static void write_doubling_cplus(char *name, size_t size, unsigned levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t length = (size_t)snprintf(name, size, "_Z1f1A");

	for (unsigned i = 0; i < levels; i++) {
		char reference[] = {i > 0 ? digits[2 * i - 1] : '\0', '\0'};

		length += (size_t)snprintf(name + length, size - length, "PFvS%s_S%s_E", reference, reference);
	}
}

/* (), ((), ()), ... by references to the tuple before. */
static void write_doubling_rust(char *name, size_t size, unsigned levels)
{
	static const char *const places[] = {"7", "b",  "j",  "r",  "z",  "H",  "P",
	                                     "X", "13", "1d", "1n", "1x", "1H", "1R"};
	size_t length = (size_t)snprintf(name, size, "_RINvC1a1bTuuE");

	for (unsigned i = 0; i < levels; i++)
		length += (size_t)snprintf(name + length, size - length, "TB%s_B%s_E", places[i], places[i]);
	snprintf(name + length, size - length, "E");
}

/* References of four bytes, each to the beginning of the name. */
static void write_doubling_dlang(char *name, size_t size, unsigned levels)
{
	size_t length = (size_t)snprintf(name, size, "_D1a1bFS1cZ");

	for (unsigned i = 0; i < levels; i++)
		length += (size_t)snprintf(name + length, size - length, "Q%c%c", (char)('A' + (length - 7) / 26),
		                           (char)('a' + (length - 7) % 26));
}

TEST(names_that_double_at_each_level_are_too_expensive)
{
	char name[DEMANGLE_MANGLED_MAX];

	write_doubling_cplus(name, sizeof name, 8);
	assert_true(demangle_is_cheap_cplus(name, DMGL_PARAMS, &(uint64_t){DEMANGLE_STEPS_MAX}));
	write_doubling_cplus(name, sizeof name, 18);
	assert_false(demangle_is_cheap_cplus(name, DMGL_PARAMS, &(uint64_t){DEMANGLE_STEPS_MAX}));
	write_doubling_rust(name, sizeof name, 5);
	assert_true(demangle_is_cheap_rust(name, &(uint64_t){DEMANGLE_STEPS_MAX}));
	write_doubling_rust(name, sizeof name, 14);
	assert_false(demangle_is_cheap_rust(name, &(uint64_t){DEMANGLE_STEPS_MAX}));
	write_doubling_dlang(name, sizeof name, 5);
	assert_true(demangle_is_cheap_dlang(name, &(uint64_t){DEMANGLE_STEPS_MAX}));
	write_doubling_dlang(name, sizeof name, 20);
	assert_false(demangle_is_cheap_dlang(name, &(uint64_t){DEMANGLE_STEPS_MAX}));
}

/* f<A, B, ..., L>(L, L, ...), where each argument is twice the one before: each L is a parameter, "T10_". */
static void write_parameters(char *name, size_t size, unsigned count)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t length = (size_t)snprintf(name, size, "_Z1fI1A");

	for (unsigned i = 0; i < 11; i++)
		length += (size_t)snprintf(name + length, size - length, "PFvS%c_S%c_E", digits[2 * i], digits[2 * i]);
	length += (size_t)snprintf(name + length, size - length, "Ev");
	for (unsigned i = 0; i < count; i++)
		length += (size_t)snprintf(name + length, size - length, "PKT10_");
}

TEST(parameters_cost_as_much_as_their_arguments)
{
	char name[DEMANGLE_MANGLED_MAX];

	write_parameters(name, sizeof name, 2);
	void *memory = NULL;
	assert_non_null(cplus_demangle_v3_components(name, DMGL_PARAMS, &memory));
	free(memory);
	assert_true(demangle_is_cheap_cplus(name, DMGL_PARAMS, &(uint64_t){DEMANGLE_STEPS_MAX}));
	write_parameters(name, sizeof name, 50);
	assert_false(demangle_is_cheap_cplus(name, DMGL_PARAMS, &(uint64_t){DEMANGLE_STEPS_MAX}));
}

/* Libiberty looks for a parameter pack in each path through a type that doubles at each level, before it prints
 * anything. */
static void write_pack_of_doubling_cplus(char *name, size_t size, unsigned levels)
{
	char doubling[DEMANGLE_MANGLED_MAX / 2];

	write_doubling_cplus(doubling, sizeof doubling, levels);
	snprintf(name, size, "_Z1fDpFv%sE", doubling + strlen("_Z1f"));
}

/* f<int, int, ...>, whose parameter lists expand the arguments within each of their expansions. */
static void write_nested_packs(char *name, size_t size)
{
	size_t length = (size_t)snprintf(name, size, "_Z1fIJ");

	memset(name + length, 'i', 200);
	snprintf(name + length + 200, size - length - 200, "EEvDpFT_DpFT_DpFT_DpT_EEE");
}

/* Each would fill memory or take forever, although it is short. */
TEST(hostile_names_stay_mangled)
{
	char name[DEMANGLE_MANGLED_MAX];

	write_pack_of_doubling_cplus(name, sizeof name, 18);
	expect("auto", name, NULL);
	write_nested_packs(name, sizeof name);
	expect("auto", name, NULL);
	write_doubling_cplus(name, sizeof name, 18);
	expect("auto", name, NULL);
	expect("gnu-v3", name, NULL);
	write_doubling_rust(name, sizeof name, 14);
	expect("auto", name, NULL);
	expect("rust", name, NULL);
	expect("auto", "_RINvC1a1bFGZZZZZZ_EuE", NULL);
	expect("rust", "_RINvC1a1bFGZZZZZZ_EuE", NULL);
}

TEST(long_names_stay_mangled)
{
	char name[DEMANGLE_MANGLED_MAX + 2];
	size_t length = (size_t)snprintf(name, sizeof name, "_Z%d", DEMANGLE_MANGLED_MAX - 7);

	memset(name + length, 'x', sizeof name - length);
	strcpy(&name[DEMANGLE_MANGLED_MAX - 1], "v");
	struct demangle_style style;
	assert_true(demangle_find_style("auto", &style));
	char *demangled = demangle_name(name, style, &(uint64_t){DEMANGLE_STEPS_MAX});
	assert_non_null(demangled);
	free(demangled);
	strcpy(&name[DEMANGLE_MANGLED_MAX - 1], "vv");
	assert_null(demangle_name(name, style, &(uint64_t){DEMANGLE_STEPS_MAX}));
}

/* At least two printing steps for each level, and the bytes of both names. */
TEST(cost_includes_the_printed_name)
{
	static const char *const styles[] = {"auto", "gnu-v3", "rust", "dlang"};
	char names[4][DEMANGLE_MANGLED_MAX];

	write_doubling_cplus(names[0], sizeof names[0], 8);
	write_doubling_cplus(names[1], sizeof names[1], 8);
	write_doubling_rust(names[2], sizeof names[2], 5);
	write_doubling_dlang(names[3], sizeof names[3], 5);
	static const uint64_t lowest[] = {1 << 9, 1 << 9, 1 << 6, 1 << 6};
	for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
		struct demangle_style style;
		uint64_t steps = DEMANGLE_STEPS_MAX;

		assert_true(demangle_find_style(styles[i], &style));
		char *demangled = demangle_name(names[i], style, &steps);
		size_t bytes = strlen(names[i]) + (demangled == NULL ? 0 : strlen(demangled));
		assert_true(DEMANGLE_STEPS_MAX - steps >= bytes + lowest[i]);
		assert_true(DEMANGLE_STEPS_MAX - steps < 100000);
		free(demangled);
	}
}

/* Demangles one name until the budget is used up, which leaves none for a short name either. */
TEST(all_names_share_one_budget)
{
	char name[DEMANGLE_MANGLED_MAX];
	struct demangle_style style;
	uint64_t steps = UINT64_C(1) << 17;
	unsigned count = 0;

	assert_true(demangle_find_style("auto", &style));
	write_doubling_cplus(name, sizeof name, 8);
	for (char *demangled; count < 1000 && (demangled = demangle_name(name, style, &steps)) != NULL; count++)
		free(demangled);
	assert_in_range(count, 2, 100);
	assert_int_equal(steps, 0);
	assert_null(demangle_name("_Z1fv", style, &steps));
}

TEST(demangler_demangles_a_name_once)
{
	struct demangle_style style;
	char name[DEMANGLE_MANGLED_MAX], same[DEMANGLE_MANGLED_MAX];

	assert_true(demangle_find_style("auto", &style));
	struct demangler *demangler = demangler_create(style);
	assert_non_null(demangler);
	write_doubling_cplus(name, sizeof name, 8);
	write_doubling_cplus(same, sizeof same, 8);
	const char *demangled = demangler_find(demangler, name);
	assert_non_null(demangled);
	assert_ptr_equal(demangler_find(demangler, same), demangled);
	assert_null(demangler_find(demangler, "main"));
	assert_null(demangler_find(demangler, "main"));
	demangler_free(demangler);
}

/* The result of demangler_matches() for name and wanted. */
static void expect_called(const char *name, const char *wanted, bool expected)
{
	struct demangle_style style;

	assert_true(demangle_find_style("auto", &style));
	struct demangler *demangler = demangler_create(style);
	assert_non_null(demangler);
	if (demangler_matches(demangler, name, wanted) != expected)
		fail_msg("'%s' %s %s", wanted, expected ? "does not name" : "names", name);
	demangler_free(demangler);
}

TEST(functions_have_symbols_and_names_without_parameters)
{
	expect_called("_ZN3foo3barEv", "_ZN3foo3barEv", true);
	expect_called("_ZN3foo3barEv", "foo::bar()", true);
	expect_called("_ZN3foo3barEv", "foo::bar", true);
	expect_called("_Z3foov.isra.0", "foo", true);
	expect_called("_ZN3foo3barEv", "bar", false);
	expect_called("_ZN3foo3barEv", "foo", false);
	expect_called("_ZN3foo3barEv", "", false);
	expect_called("main", "mai", false);
}

TEST(templates_have_names_without_arguments_and_result)
{
	/* int apply<int>(int) */
	expect_called("_Z5applyIiEiT_", "apply", true);
	expect_called("_Z5applyIiEiT_", "apply<int>", true);
	expect_called("_Z5applyIiEiT_", "int apply<int>", true);
	expect_called("_Z5applyIiEiT_", "int apply<int>(int)", true);
	expect_called("_Z5applyIiEiT_", "apply<int>(int)", false);
	expect_called("_Z5applyIiEiT_", "apply<char>", false);
	expect_called("_Z5applyIiEiT_", "app", false);
	expect_called("_Z5applyIiEiT_", "int", false);
	expect_called("_Z5applyIiEiT_", "", false);
	expect_called("_Z5applyIiEiT_.isra.0", "apply", true);
	/* void (*apply<int>(int))(int) */
	expect_called("_Z5applyIiEPFviET_", "apply", true);
	/* void ns::C<int>::f<char>(char) */
	expect_called("_ZN2ns1CIiE1fIcEEvT_", "ns::C::f", true);
	expect_called("_ZN2ns1CIiE1fIcEEvT_", "ns::C<int>::f", true);
	expect_called("_ZN2ns1CIiE1fIcEEvT_", "ns::C::f<char>", true);
	expect_called("_ZN2ns1CIiE1fIcEEvT_", "ns::C", false);
	expect_called("_ZN2ns1CIiE1fIcEEvT_", "C::f", false);
	/* void f<&(operator<(A, A))>() */
	expect_called("_Z1fIXadL_Zlt1AS0_EEEvv", "f", true);
}

TEST(operators_and_rust_functions_are_templates)
{
	/* bool operator< <A>(A, A), void operator<< <A>(A), A::operator int<int>() */
	expect_called("_ZltI1AEbT_S1_", "operator<", true);
	expect_called("_ZltI1AEbT_S1_", "operator< <A>", true);
	expect_called("_ZltI1AEbT_S1_", "operator", false);
	expect_called("_ZlsI1AEvT_", "operator<<", true);
	expect_called("_ZlsI1AEvT_", "operator<", false);
	expect_called("_ZN1AcvT_IiEEv", "A::operator int", true);
	/* a::b::<fn(u32) -> u32>, <a::T<u8>>::c::<u32>::d */
	expect_called("_RINvC1a1bFmEmE", "a::b", true);
	expect_called("_RINvC1a1bFmEmE", "a::b::<fn(u32) -> u32>", true);
	expect_called("_RINvC1a1bmE", "a", false);
	expect_called("_RNvINvC1a1bmE1c", "a::b::c", true);
	expect_called("_RNvINvC1a1bmE1c", "a::b::<u32>::c", true);
}

/* All names differ by a number. Names found before the budget was used up stay known. */
TEST(demangler_stops_when_its_steps_are_used_up)
{
	enum { NAMES = 60000, LONGEST = 16 };
	struct demangle_style style;

	char(*names)[LONGEST + DEMANGLE_MANGLED_MAX / 4] = calloc(NAMES, sizeof *names);
	assert_non_null(names);
	assert_true(demangle_find_style("auto", &style));
	struct demangler *demangler = demangler_create(style);
	assert_non_null(demangler);
	unsigned count = 0;
	for (; count < NAMES; count++) {
		char doubling[DEMANGLE_MANGLED_MAX / 4];

		write_doubling_cplus(doubling, sizeof doubling, 8);
		snprintf(names[count], sizeof names[count], "_Z6f%05u%s", count, &doubling[4]);
		if (demangler_find(demangler, names[count]) == NULL)
			break;
	}
	assert_in_range(count, 1000, NAMES - 1);
	assert_non_null(demangler_find(demangler, names[0]));
	demangler_free(demangler);
	free(names);
}
