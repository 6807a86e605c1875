/* SPDX-License-Identifier: MIT */
/* Cells are what printf prints, to the last digit and blank. */
#include "report/gprof/layout.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *printed;
static size_t printed_size;

static int set_up(void **state)
{
	struct layout *layout = calloc(1, sizeof *layout);
	assert_non_null(layout);
	layout_begin(layout, open_memstream(&printed, &printed_size));
	*state = layout;
	return 0;
}

static int tear_down(void **state)
{
	struct layout *layout = *state;
	fclose(layout->stream);
	free(printed);
	free(layout);
	return 0;
}

/* Since the last call. */
static const char *text_of(struct layout *layout)
{
	static char text[512];
	layout_flush(layout);
	fflush(layout->stream);
	snprintf(text, sizeof text, "%s", printed);
	fclose(layout->stream);
	free(printed);
	layout_begin(layout, open_memstream(&printed, &printed_size));
	return text;
}

static void expect_number(struct layout *layout, double number, int width, int decimals)
{
	char expected[512];
	snprintf(expected, sizeof expected, "%*.*f", width, decimals, number);
	layout_number(layout, number, width, decimals);
	assert_string_equal(text_of(layout), expected);
}

static void numbers_are_rounded_as_printf_rounds_them(void **state)
{
	/* Halves that binary fractions can hold go to the even digit; those that they cannot go where they really lie.
	 */
	static const double numbers[] = {0,       0.005, 0.015, 0.025, 0.125, 0.375, 0.625,          2.675,
	                                 1.005,   0.045, 0.995, 9.995, 99.95, 0.05,  0.15,           0.25,
	                                 1.0 / 3, 1e-9,  0.5,   1.5,   2.5,   1e10,  99999999999.995};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		for (int decimals = 0; decimals <= 4; decimals++)
			expect_number(*state, numbers[i], 7, decimals);
}

static void random_numbers_are_as_printf_has_them(void **state)
{
	uint64_t random = 1;
	for (int i = 0; i < 200000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		double number = (double)(random >> 32) / (double)(1u << (random >> 8 & 31));
		expect_number(*state, number, 8, i % 5);
		expect_number(*state, round(number) / 200.0, 8, 2);
	}
}

static void what_is_no_common_number_is_left_to_printf(void **state)
{
	static const double numbers[] = {-0.0, -1.25, 1e11, 1e300, INFINITY, NAN, -INFINITY};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		expect_number(*state, numbers[i], 7, 2);
}

static void counts_fill_their_column_or_overflow_it(void **state)
{
	layout_count(*state, 0, 3);
	layout_count(*state, 12, -4);
	layout_count(*state, UINT64_MAX, 7);
	assert_string_equal(text_of(*state), "  012  18446744073709551615");
}

static void text_fills_its_column_or_is_cut_on_demand(void **state)
{
	layout_cell(*state, "ab", 4);
	layout_cell(*state, "ab", -4);
	layout_cell(*state, "abcdef", 4);
	layout_cut_cell(*state, "abcdef", -4);
	layout_cut_cell(*state, "ab", 3);
	assert_string_equal(text_of(*state), "  abab  abcdefabcd ab");
}

static void more_than_the_buffer_holds_comes_out_whole(void **state)
{
	struct layout *layout = *state;
	size_t size = 2 * sizeof layout->bytes + 5;
	char *text = malloc(size + 1);
	assert_non_null(text);
	memset(text, 'x', size);
	text[size] = '\0';
	layout_text(layout, "<");
	layout_text(layout, text);
	layout_spaces(layout, size);
	layout_text(layout, ">");
	layout_flush(layout);
	fflush(layout->stream);
	assert_int_equal(printed_size, 2 * size + 2);
	assert_int_equal(printed[0], '<');
	assert_int_equal(printed[1 + size], ' ');
	assert_int_equal(printed[2 * size + 1], '>');
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(numbers_are_rounded_as_printf_rounds_them, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(random_numbers_are_as_printf_has_them, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_no_common_number_is_left_to_printf, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(counts_fill_their_column_or_overflow_it, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(text_fills_its_column_or_is_cut_on_demand, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(more_than_the_buffer_holds_comes_out_whole, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
