/* SPDX-License-Identifier: MIT */
/* Console output in pieces of any size: safe for a terminal, and independent of the pieces. */
#include "base/text/console.h"
#include "base/text/text.h"
#include "test.h"

#include <string.h>

/* Prints text in pieces of this size. */
static const char *print_in_pieces(const char *text, size_t piece, bool ends)
{
	struct printed *printed = printed_begin();
	struct console console = {.stream = printed->stream};
	size_t length = strlen(text);

	for (size_t at = 0; at < length; at += piece)
		console_print(&console, (const uint8_t *)text + at, length - at < piece ? length - at : piece);
	if (ends)
		console_end(&console);
	return printed_text(printed);
}

static void assert_prints(const char *text, const char *expected)
{
	for (size_t piece = 1; piece <= 5; piece++)
		assert_string_equal(print_in_pieces(text, piece, true), expected);
}

TEST(lines_are_printed_unchanged)
{
	assert_prints("boot\r\n\tok\n", "boot\r\n\tok\n");
	assert_prints("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n");
}

TEST(control_sequences_are_escaped)
{
	assert_prints("\033[2Jx\a\n", "\\x1b[2Jx\\x07\n");
	assert_prints("\xc2\x9b"
	              "31m\n",
	              "\\xc2\\x9b31m\n");
	assert_prints("a\xe2\x80\xae"
	              "b\n",
	              "a\\xe2\\x80\\xaeb\n");
}

/* character as UTF-8 (RFC 3629, section 3), above U+007F. */
static size_t encode(uint32_t character, char *text)
{
	size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;

	for (size_t i = length - 1; i > 0; i--, character >>= 6)
		text[i] = (char)(0x80 | (character & 0x3F));
	text[0] = (char)(0xF00u >> length | character);
	text[length] = 0;
	return length;
}

/* The bounds of each range of escaped characters, and their neighbours. */
TEST(invisible_and_directional_characters_are_escaped)
{
	static const uint32_t hidden[] = {
	        0x80,    0x9F,    0xAD,    0x34F,   0x600,   0x605,   0x61C,   0x6DD,   0x70F,   0x890,   0x891,
	        0x8E2,   0x115F,  0x1160,  0x17B4,  0x17B5,  0x180B,  0x180E,  0x180F,  0x200B,  0x200F,  0x2028,
	        0x2029,  0x202A,  0x202E,  0x2060,  0x2066,  0x2069,  0x206F,  0x3164,  0xD800,  0xDFFF,  0xFE00,
	        0xFE0F,  0xFEFF,  0xFFA0,  0xFFF0,  0xFFF9,  0xFFFB,  0x110BD, 0x110CD, 0x13430, 0x1343F, 0x1BCA0,
	        0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0001, 0xE0020, 0xE007F, 0xE0100, 0xE01EF, 0xE0FFF, 0x110000,
	};
	static const uint32_t shown[] = {
	        0xA0,    0xAC,    0xAE,    0x34E,   0x350,   0x5FF,    0x606,   0x61B,   0x61D,   0x6DC,
	        0x6DE,   0x70E,   0x710,   0x88F,   0x892,   0x8E1,    0x8E3,   0x115E,  0x1161,  0x17B3,
	        0x17B6,  0x180A,  0x1810,  0x200A,  0x2010,  0x2027,   0x202F,  0x205F,  0x2070,  0x3163,
	        0x3165,  0xD7FF,  0xE000,  0xFDFF,  0xFE10,  0xFEFE,   0xFF00,  0xFF9F,  0xFFA1,  0xFFEF,
	        0xFFFC,  0xFFFD,  0x110BC, 0x110BE, 0x110CC, 0x110CE,  0x1342F, 0x13440, 0x1BC9F, 0x1BCA4,
	        0x1D172, 0x1D17B, 0x1F600, 0xDFFFF, 0xE1000, 0x10FFFF,
	};
	char text[5];

	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
		encode(hidden[i], text);
		if (text_character(text) != 0)
			fail_msg("U+%04X is not escaped", hidden[i]);
	}
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		if (encode(shown[i], text) != text_character(text))
			fail_msg("U+%04X is escaped", shown[i]);
	assert_prints("a\xd8\x9c"
	              "b\xf3\xa0\x81\xa1\n",
	              "a\\xd8\\x9cb\\xf3\\xa0\\x81\\xa1\n");
}

TEST(invalid_bytes_are_escaped)
{
	assert_prints("\xff\xe2\x82\n", "\\xff\\xe2\\x82\n");
	assert_prints("\xf5\x80\x80\x80\x80\n", "\\xf5\\x80\\x80\\x80\\x80\n");
	assert_prints("\xe2\xe2\x82\xac\n", "\\xe2\xe2\x82\xac\n");
	assert_prints("\xc0\x80\n", "\\xc0\\x80\n");
	assert_prints("\xe0\x9f\xbf\n", "\\xe0\\x9f\\xbf\n");
	assert_prints("\xf0\x8f\xbf\xbf\n", "\\xf0\\x8f\\xbf\\xbf\n");
}

TEST(unfinished_line_is_ended)
{
	assert_prints("> ", "> \n");
	assert_prints("\xe2\x82", "\\xe2\\x82\n");
	assert_prints("", "");
}

TEST(incomplete_character_is_held_back)
{
	assert_string_equal(print_in_pieces("x\xe2\x82", 3, false), "x");
}

TEST(zero_byte_is_escaped)
{
	struct printed *printed = printed_begin();
	struct console console = {.stream = printed->stream};

	console_print(&console, (const uint8_t *)"a\0b\n", 4);
	console_end(&console);
	assert_string_equal(printed_text(printed), "a\\x00b\n");
}

TEST(count_has_thousands_separators)
{
	char text[TEXT_COUNT_SIZE];

	assert_string_equal(text_format_count(0, text), "0");
	assert_string_equal(text_format_count(999, text), "999");
	assert_string_equal(text_format_count(1000, text), "1,000");
	assert_string_equal(text_format_count(123456, text), "123,456");
	assert_string_equal(text_format_count(UINT64_MAX, text), "18,446,744,073,709,551,615");
}
