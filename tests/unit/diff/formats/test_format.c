/* SPDX-License-Identifier: MIT */
/* Numbers of a comparison are short, and never say more than is known. */
#include "diff/formats/format.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(the_largest_time_of_a_table_decides_its_unit)
{
	static const struct {
		double largest;
		const char *name;
		int decimals;
	} cases[] = {{12.5, "s", 3},  {0.0201, "ms", 3}, {2.94e-6, "us", 4},
	             {5e-9, "ns", 4}, {5e-11, "ns", 6},  {0, "s", 4}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct format_unit unit = format_unit_of(PROFILE_SECONDS, cases[i].largest);

		assert_string_equal(unit.name, cases[i].name);
		assert_int_equal(unit.decimals, cases[i].decimals);
	}
	assert_string_equal(format_unit_of(PROFILE_SAMPLES, 3e-4).name, "samples");
	assert_int_equal(format_unit_of(PROFILE_SAMPLES, 3e-4).decimals, 8);
}

TEST(times_are_in_the_unit_of_the_table)
{
	const struct format_unit unit = format_unit_of(PROFILE_SECONDS, 0.0201);
	char text[FORMAT_SIZE];

	assert_string_equal(format_time(&unit, 0.0201, text), "20.100");
	assert_string_equal(format_time(&unit, 2e-6, text), "0.002");
	assert_string_equal(format_time(&unit, 2e-9, text), "<0.001");
	assert_string_equal(format_time(&unit, 0, text), "0.000");
	assert_string_equal(format_time(&unit, NAN, text), "");
	assert_string_equal(format_time(&unit, 1e300, text), "1e+303");
}

TEST(quantities_have_their_unit)
{
	const struct format_unit unit = format_unit_of(PROFILE_SECONDS, 3e-6);
	char text[FORMAT_SIZE];

	assert_string_equal(format_quantity(&unit, COMPARE_SELF, 3e-6, text), "3.0000 us");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 41, text), "41");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 30.5, text), "30.5");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 205000, text), "205000");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 0.5, text), "0.500");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 1e-9, text), "<0.001");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 0.9994, text), "0.999");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 0.9997, text), "0.9997");
	assert_string_equal(format_quantity(&unit, COMPARE_CALLS, 0.99997, text), "1");
	assert_string_equal(format_quantity(&unit, COMPARE_SIZE, 12345, text), "12,345 bytes");
	assert_string_equal(format_quantity(&unit, COMPARE_SHARE, 0.125, text), "12.50 %");
	assert_string_equal(format_quantity(&unit, COMPARE_SELF, INFINITY, text), "");
}

TEST(ratios_are_percents_or_factors)
{
	char text[FORMAT_SIZE];

	assert_string_equal(format_ratio(1.123, text), "+12.3 %");
	assert_string_equal(format_ratio(1, text), "0 %");
	assert_string_equal(format_ratio(0.9999, text), "0.0 %");
	assert_string_equal(format_ratio(0.5, text), "-50.0 %");
	assert_string_equal(format_ratio(0, text), "-100 %");
	assert_string_equal(format_ratio(5.2, text), "+420 %");
	assert_string_equal(format_ratio(9.99, text), "+899 %");
	assert_string_equal(format_ratio(52, text), "x52");
	assert_string_equal(format_ratio(INFINITY, text), "from 0");
	assert_string_equal(format_ratio(NAN, text), "");
}

static void expect_interval(double low, double high, const char *expected)
{
	char text[FORMAT_SIZE];

	assert_string_equal(format_interval(&(struct stats_interval){low, high}, text), expected);
}

TEST(intervals_have_enough_digits_to_separate_their_bounds)
{
	expect_interval(1.08, 1.15, "[+8 .. +15 %]");
	expect_interval(0.981, 1.012, "[-1.9 .. +1.2 %]");
	expect_interval(1.0012, 1.0034, "[+0.12 .. +0.34 %]");
	expect_interval(0.913, 0.997, "[-8.7 .. -0.3 %]");
	expect_interval(1.0003, 1.153, "[+0.03 .. +15.30 %]");
	expect_interval(1, 1.153, "[+0 .. +15 %]");
	expect_interval(0.9, 1 - 1e-9, "[-10 .. -0 %]");
	expect_interval(8.2, 12.4, "[x8.2 .. x12]");
	expect_interval(12.4, 5e9, "[x12 .. x5.0e+09]");
	expect_interval(0.1, 12.4, "[-90 % .. x12]");
	expect_interval(1.5, INFINITY, "[+50 % ..]");
	expect_interval(1.5, 1.5, "");
	expect_interval(INFINITY, INFINITY, "");
	expect_interval(NAN, NAN, "");
}
