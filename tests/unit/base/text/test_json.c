/* SPDX-License-Identifier: MIT */
/* Strings and numbers of JSON, read by an independent parser. */
#include "base/text/json.h"
#include "test.h"

#include <float.h>
#include <jansson.h>
#include <math.h>

static json_t *parse_string(const char *text)
{
	struct printed *printed = printed_begin();

	json_add_string(&(struct json){.stream = printed->stream}, NULL, text);

	json_t *parsed = json_loads(printed_text(printed), JSON_DECODE_ANY, NULL);
	assert_non_null(parsed);
	return parsed;
}

static void assert_reads(const char *text, const char *expected)
{
	json_t *parsed = parse_string(text);

	assert_string_equal(json_string_value(parsed), expected);
	json_decref(parsed);
}

static void assert_prints(double value, const char *expected)
{
	struct printed *printed = printed_begin();

	json_print_number(printed->stream, value);
	assert_string_equal(printed_text(printed), expected);
}

TEST(parser_reads_the_printed_strings)
{
	assert_reads("", "");
	assert_reads("main", "main");
	assert_reads("a\"b\\c/d", "a\"b\\c/d");
	assert_reads("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(each_single_byte_is_a_valid_string)
{
	for (int byte = 1; byte < 256; byte++) {
		const char text[] = {(char)byte, '\0'};

		assert_reads(text, byte < 0x80 ? text : "\xef\xbf\xbd");
	}
}

TEST(invalid_characters_are_replaced)
{
	assert_reads("a\xc3(b", "a\xef\xbf\xbd(b");
	assert_reads("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	assert_reads("cut\xf0\x9f\x98", "cut\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(whole_numbers_keep_their_digits)
{
	assert_prints(0, "0");
	assert_prints(-12, "-12");
	assert_prints(9007199254740991.0, "9007199254740991");
	assert_prints(9007199254740992.0, "9.00719925e+15");
}

TEST(other_numbers_have_nine_digits)
{
	assert_prints(0.1, "0.1");
	assert_prints(1.0 / 3, "0.333333333");
	assert_prints(DBL_MAX, "1.79769313e+308");
	assert_prints(-DBL_MIN, "-2.22507386e-308");
}

TEST(infinity_and_nan_are_null)
{
	assert_prints((double)NAN, "null");
	assert_prints((double)INFINITY, "null");
	assert_prints(-(double)INFINITY, "null");
}
