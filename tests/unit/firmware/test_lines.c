/* SPDX-License-Identifier: MIT */
/* Source lines of functions; lines of other addresses are compared with addr2line in test_inlines.c. */
#include "test.h"
#include "workshop.h"

#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);
	size_t end_length = strlen(end);

	return end_length <= length && strcmp(text + length - end_length, end) == 0;
}

ALL_TESTS(workshop_open, workshop_close);

/* The text of a line of a source, "" if there is none. */
static void read_source_line(const char *file, int line, char text[256])
{
	text[0] = '\0';
	FILE *source = fopen(file, "r");
	assert_non_null(source);
	for (int i = 1; i <= line && fgets(text, 256, source) != NULL; i++)
		;
	fclose(source);
}

/* Whether GCC lets the function begin on a source line with this text: its brace, or for a clone its declaration. */
static bool is_beginning(const char *text, const char *function)
{
	char name[64];

	snprintf(name, sizeof name, "%.*s(", (int)strcspn(function, "."), function);
	return text[0] == '{' || strstr(text, name) != NULL;
}

/* Counts the functions of C sources that do not begin on their line. */
static size_t count_misplaced_functions(const struct image *image, size_t *seen)
{
	size_t elsewhere = 0;

	*seen = 0;
	for (size_t i = 0; i < image->function_count; i++) {
		const char *file;
		int line;
		char text[256];

		if (!image_line(image, image->functions[i].start, &file, &line) || !ends_with(file, ".c"))
			continue;
		read_source_line(file, line, text);
		elsewhere += !is_beginning(text, image->functions[i].name);
		(*seen)++;
	}
	return elsewhere;
}

TEST(line_of_a_function_is_where_it_begins)
{
	static const char *const levels[] = {"-O0", "-Og", "-O1", "-O2 -ffunction-sections", "-Os", "-O2 -pg"};

	for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
		workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g %s -nostdlib -T $FIRMWARE/arm.ld "
		             "-o $WORKSHOP/begin.elf $FIRMWARE/arm.c $FIRMWARE/inlined.c $FIRMWARE/labels.S",
		             levels[i]);
		struct image *image = workshop_image("begin.elf");
		size_t seen;
		assert_int_equal(count_misplaced_functions(image, &seen), 0);
		assert_true(seen >= 8);
	}
}

static bool line_of(const struct image *image, const char *function, int *line)
{
	const struct image_function *found = workshop_function(image, function);

	assert_non_null(found);
	const char *file;
	return image_line(image, found->start, &file, line);
}

static int line_in_source(const char *text)
{
	FILE *source = fopen("tests/unit/firmware/firmware/lines_at_zero.c", "r");

	assert_non_null(source);
	char line[256];
	int number = 0;
	bool found = false;
	while (!found && fgets(line, sizeof line, source) != NULL) {
		number++;
		found = strstr(line, text) != NULL;
	}
	fclose(source);
	assert_true(found);
	return number;
}

TEST(lines_of_discarded_code_are_ignored)
{
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O1 -ffunction-sections -nostdlib -Wl,--gc-sections "
	             "-T $FIRMWARE/lines_at_zero.ld -o $WORKSHOP/zero.elf $FIRMWARE/lines_at_zero.c");
	struct image *image = workshop_image("zero.elf");
	assert_null(workshop_function(image, "unused"));
	/* The line is ambiguous, because rows of discarded code are at the same address: no line is better than a
	 * wrong one. */
	int line;
	assert_false(line_of(image, "near_zero", &line));
	assert_true(line_of(image, "farther_from_zero", &line));
	assert_int_equal(line, line_in_source("int farther_from_zero(") + 1);
	assert_true(line_of(image, "main", &line));
	assert_int_equal(line, line_in_source("int main(") + 1);
}

TEST(firmware_without_dwarf_has_no_lines)
{
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -nostdlib -T $FIRMWARE/arm.ld "
	             "-o $WORKSHOP/plain.elf $FIRMWARE/arm.c $FIRMWARE/labels.S");
	struct image *image = workshop_image("plain.elf");
	const char *file;
	int line;
	for (size_t i = 0; i < image->function_count; i++)
		assert_false(image_line(image, image->functions[i].start, &file, &line));
}
