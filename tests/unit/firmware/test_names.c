/* SPDX-License-Identifier: MIT */
/* Long names of functions, sections and files. */
#include "line_writer.h"
#include "test.h"

#include <string.h>

#define LONG 2000

/* Fills length bytes with copies of unit. */
static void fill(char name[LONG + 1], const char *unit, size_t length)
{
	for (size_t i = 0; i < length; i++)
		name[i] = unit[i % strlen(unit)];
	name[length] = '\0';
}

/* An ELF whose code, function and source file have these names. */
static struct image *image_named(const char *name)
{
	struct line_writer files = {.bytes = NULL};
	struct line_writer program = {.bytes = NULL};
	struct line_writer lines = {.bytes = NULL};

	line_writer_bytes(&files, "", 1);
	line_writer_bytes(&files, name, strlen(name) + 1);
	line_writer_bytes(&files, "\0\0\0", 4);
	line_writer_sequence(&program, 0x1000, 8, 7);
	line_writer_table(&lines, &files, &program);
	return line_writer_image(name, &lines, 0, NULL);
}

static void expect_names(const char *name, const char *expected)
{
	struct image *image = image_named(name);
	const char *file;
	int line;
	uint64_t value;

	assert_string_equal(image->functions[0].name, expected);
	assert_string_equal(image->code[0].name, expected);
	assert_true(image_line(image, 0x1000, &file, &line));
	assert_string_equal(file, expected);
	/* Searches still use its full name. */
	assert_true(image_symbol(image, name, &value));
}

TEST(name_of_the_maximum_length_is_kept)
{
	char name[LONG + 1];

	fill(name, "a", IMAGE_NAME_MAX);
	expect_names(name, name);
}

TEST(longer_name_is_cut_and_marked)
{
	static const size_t lengths[] = {IMAGE_NAME_MAX + 1, LONG};

	for (size_t i = 0; i < 2; i++) {
		char name[LONG + 1];
		char expected[LONG + 1];

		fill(name, "a", lengths[i]);
		fill(expected, "a", IMAGE_NAME_MAX - strlen(IMAGE_NAME_CUT));
		strcat(expected, IMAGE_NAME_CUT);
		expect_names(name, expected);
	}
}

TEST(name_is_not_cut_within_a_character)
{
	char name[LONG + 1];
	char expected[LONG + 1];

	/* 1,021 bytes are 255 of these and a quarter. */
	fill(name, "\xF0\x9F\x90\x8C", LONG);
	fill(expected, "\xF0\x9F\x90\x8C", 1020);
	strcat(expected, IMAGE_NAME_CUT);
	expect_names(name, expected);
}
