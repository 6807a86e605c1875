/* SPDX-License-Identifier: MIT */
/* Cells of tables, compared with the output of printf. */
#include "report/gprof/layout.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct printed *printed;
static size_t checked; /* bytes that text_of() returned */

static int set_up(void **state)
{
	struct layout *layout = calloc(1, sizeof *layout);

	assert_non_null(layout);
	printed = printed_begin();
	checked = 0;
	layout_begin(layout, printed->stream);
	*state = layout;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

/* Returns the text printed since the last call. */
static const char *text_of(struct layout *layout)
{
	layout_flush(layout);

	const char *text = printed_text(printed) + checked;
	checked = printed->size;
	return text;
}

static void expect_number(struct layout *layout, double number, int width, int decimals)
{
	char expected[512];

	snprintf(expected, sizeof expected, "%*.*f", width, decimals, number);
	layout_number(layout, number, width, decimals);
	assert_string_equal(text_of(layout), expected);
}

EACH_TEST(set_up, tear_down);

TEST(numbers_are_rounded_as_printf_rounds_them)
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

TEST(random_numbers_are_formatted_as_by_printf)
{
	uint64_t random = 1;

	for (int i = 0; i < 200000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		double number = (double)(random >> 32) / (double)(1u << (random >> 8 & 31));
		expect_number(*state, number, 8, i % 5);
		expect_number(*state, round(number) / 200.0, 8, 2);
	}
}

TEST(unusual_numbers_are_printed_by_printf)
{
	static const double numbers[] = {-0.0, -1.25, 1e11, 1e300, INFINITY, NAN, -INFINITY};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		expect_number(*state, numbers[i], 7, 2);
}

TEST(counts_fill_their_column_or_overflow_it)
{
	layout_count(*state, 0, 3);
	layout_count(*state, 12, -4);
	layout_count(*state, UINT64_MAX, 7);
	assert_string_equal(text_of(*state), "  012  18446744073709551615");
}

TEST(text_fills_its_column_or_is_truncated_on_request)
{
	layout_cell(*state, "ab", 4);
	layout_cell(*state, "ab", -4);
	layout_cell(*state, "abcdef", 4);
	layout_cut_cell(*state, "abcdef", -4);
	layout_cut_cell(*state, "ab", 3);
	assert_string_equal(text_of(*state), "  abab  abcdefabcd ab");
}

TEST(text_longer_than_the_buffer_is_printed_whole)
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
	free(text);

	const char *whole = text_of(layout);
	assert_int_equal(strlen(whole), 2 * size + 2);
	assert_int_equal(whole[0], '<');
	assert_int_equal(whole[1 + size], ' ');
	assert_int_equal(whole[2 * size + 1], '>');
}
