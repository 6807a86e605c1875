/* SPDX-License-Identifier: MIT */
/* Filters by text and by expression. */
#include "test.h"
#include "top/filter.h"

#include <string.h>

static struct top_filter filter;

static int tear_down(void **state)
{
	top_filter_free(&filter);
	return 0;
}

EACH_TEST(NULL, tear_down);

TEST(empty_filter_matches_everything)
{
	assert_true(top_filter_set(&filter, ""));
	assert_true(top_filter_matches(&filter, "main"));
	assert_true(top_filter_matches(&filter, ""));
}

TEST(text_matches_in_either_case)
{
	assert_true(top_filter_set(&filter, "FIR"));
	assert_true(top_filter_matches(&filter, "my_fir_step"));
	assert_false(top_filter_matches(&filter, "crc32"));
}

/* Such as the operators of C++. */
TEST(text_has_no_special_characters)
{
	assert_true(top_filter_set(&filter, "a[(.*"));
	assert_true(top_filter_matches(&filter, "xa[(.*y"));
	assert_false(top_filter_matches(&filter, "aaaa"));
	assert_true(top_filter_set(&filter, "//"));
	assert_false(top_filter_matches(&filter, "main"));
}

TEST(expression_is_between_slashes)
{
	assert_true(top_filter_set(&filter, "/^(fir|CRC)[0-9]+$/"));
	assert_true(top_filter_matches(&filter, "crc32"));
	assert_false(top_filter_matches(&filter, "crc32_step"));
}

TEST(wrong_expression_leaves_no_filter)
{
	assert_true(top_filter_set(&filter, "/^fir/"));
	assert_false(top_filter_set(&filter, "/(/"));
	assert_string_equal(filter.text, "");
	assert_true(top_filter_matches(&filter, "crc32"));
}

/* Each of them would take gigabytes. */
TEST(expression_with_many_repetitions_is_refused)
{
	assert_false(top_filter_set(&filter, "/((a{255}){255}){255}/"));
	assert_false(top_filter_set(
	        &filter, "/(((((((((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+/"));
	assert_false(top_filter_set(&filter, "/(x*){2,30000}/"));
	assert_false(top_filter_set(&filter, "/(x*){30000,}/"));
	assert_true(top_filter_set(&filter, "/^[a-z]+(_[0-9]{1,20})?_[a-z]+::operator\\+\\+$/"));
	assert_true(top_filter_matches(&filter, "a_12_b::operator++"));
}

TEST(long_filter_is_cut)
{
	char text[2 * TOP_FILTER_MAX];

	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	assert_true(top_filter_set(&filter, text));
	assert_int_equal(strlen(filter.text), TOP_FILTER_MAX - 1);
}
