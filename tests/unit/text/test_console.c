/* SPDX-License-Identifier: MIT */
/* What a target prints, in pieces of any size: safe for a terminal, and the same however it was cut. */
#include "text/console.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Prints text in pieces of this size; the result is the caller's. */
static char *print_in_pieces(const char *text, size_t piece, bool ends)
{
	char *printed;
	size_t size;
	struct console console = {.stream = open_memstream(&printed, &size)};
	size_t length = strlen(text);

	assert_non_null(console.stream);
	for (size_t at = 0; at < length; at += piece)
		console_print(&console, (const uint8_t *)text + at, length - at < piece ? length - at : piece);
	if (ends)
		console_end(&console);
	fclose(console.stream);
	return printed;
}

static void assert_prints(const char *text, const char *expected)
{
	for (size_t piece = 1; piece <= 5; piece++) {
		char *printed = print_in_pieces(text, piece, true);
		assert_string_equal(printed, expected);
		free(printed);
	}
}

static void lines_pass_as_they_are(void **state)
{
	(void)state;
	assert_prints("boot\r\n\tok\n", "boot\r\n\tok\n");
	assert_prints("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n");
}

static void what_a_terminal_would_obey_is_escaped(void **state)
{
	(void)state;
	assert_prints("\033[2Jx\a\n", "\\x1b[2Jx\\x07\n");
	assert_prints("\xc2\x9b"
	              "31m\n",
	              "\\xc2\\x9b31m\n");
	assert_prints("a\xe2\x80\xae"
	              "b\n",
	              "a\\xe2\\x80\\xaeb\n");
}

static void bytes_that_are_no_character_are_escaped(void **state)
{
	(void)state;
	assert_prints("\xff\xe2\x82\n", "\\xff\\xe2\\x82\n");
	assert_prints("\xf5\x80\x80\x80\x80\n", "\\xf5\\x80\\x80\\x80\\x80\n");
	assert_prints("\xe2\xe2\x82\xac\n", "\\xe2\xe2\x82\xac\n");
	assert_prints("\xc0\x80\n", "\\xc0\\x80\n");
}

static void line_that_was_begun_is_ended(void **state)
{
	(void)state;
	assert_prints("> ", "> \n");
	assert_prints("\xe2\x82", "\\xe2\\x82\n");
	assert_prints("", "");
}

static void character_waits_for_its_rest(void **state)
{
	(void)state;
	char *printed = print_in_pieces("x\xe2\x82", 3, false);
	assert_string_equal(printed, "x");
	free(printed);
}

static void zero_byte_is_escaped(void **state)
{
	(void)state;
	char *printed;
	size_t size;
	struct console console = {.stream = open_memstream(&printed, &size)};
	console_print(&console, (const uint8_t *)"a\0b\n", 4);
	console_end(&console);
	fclose(console.stream);
	assert_string_equal(printed, "a\\x00b\n");
	free(printed);
}

static void count_has_thousands_separators(void **state)
{
	(void)state;
	char text[TEXT_COUNT_SIZE];
	assert_string_equal(text_format_count(0, text), "0");
	assert_string_equal(text_format_count(999, text), "999");
	assert_string_equal(text_format_count(1000, text), "1,000");
	assert_string_equal(text_format_count(123456, text), "123,456");
	assert_string_equal(text_format_count(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_pass_as_they_are),
	        cmocka_unit_test(what_a_terminal_would_obey_is_escaped),
	        cmocka_unit_test(bytes_that_are_no_character_are_escaped),
	        cmocka_unit_test(line_that_was_begun_is_ended),
	        cmocka_unit_test(character_waits_for_its_rest),
	        cmocka_unit_test(zero_byte_is_escaped),
	        cmocka_unit_test(count_has_thousands_separators),
	};
	return cmocka_run_group_tests_name("text/console", tests, NULL, NULL);
}
