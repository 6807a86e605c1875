/* SPDX-License-Identifier: MIT */
/* Chains of inlined functions, compared with addr2line. */
#include "test.h"
#include "workshop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INLINES_MAX 16

#define BUILD_ARM                                                                                    \
	"arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O2 -nostdlib -Wl,-e,outer -Wl,-Ttext=0x8000 " \
	"-Wl,--unresolved-symbols=ignore-all $FIRMWARE/nested.c "

/* The addr2line of binutils 2.40 cannot read the ranges of clang in DWARF 5. */
static int build(void **state)
{
	return workshop_open_with(
	        BUILD_ARM "-o $WORKSHOP/dwarf5.elf && " BUILD_ARM "-gdwarf-4 -o $WORKSHOP/dwarf4.elf && " BUILD_ARM
	                  "-gdwarf-2 -o $WORKSHOP/dwarf2.elf && "
	                  "clang --target=thumbv7m-none-eabi -gdwarf-4 -O2 -c -ffreestanding $FIRMWARE/nested.c -o "
	                  "$WORKSHOP/nested.o && arm-none-eabi-ld -e outer -Ttext=0x8000 "
	                  "--unresolved-symbols=ignore-all $WORKSHOP/nested.o -o $WORKSHOP/clang.elf && "
	                  "arm-none-eabi-strip -g -o $WORKSHOP/bare.elf $WORKSHOP/dwarf5.elf");
}

/* A line as addr2line prints it, "FUNCTION at FILE:LINE"; files have no folders. Without a line: "FUNCTION at ". */
static void describe(char *text, size_t size, const struct image_inline *entry)
{
	const char *slash = entry->file == NULL ? NULL : strrchr(entry->file, '/');

	if (entry->file == NULL)
		snprintf(text, size, "%s at ", entry->name);
	else
		snprintf(text, size, "%s at %s:%d", entry->name, slash == NULL ? entry->file : slash + 1, entry->line);
}

/* Asks for every second byte of every function. */
static FILE *ask_addr2line(const char *elf, const struct image *image)
{
	FILE *addresses = workshop_file("addresses", "w");

	for (size_t i = 0; i < image->function_count; i++)
		for (uint64_t at = image->functions[i].start; at < image->functions[i].end; at += 2)
			fprintf(addresses, "0x%" PRIx64 "\n", at);
	fflush(addresses);
	workshop_run("arm-none-eabi-addr2line -a -s -i -f -p -e $WORKSHOP/%s < $WORKSHOP/addresses > $WORKSHOP/answers",
	             elf);
	return workshop_file("answers", "r");
}

/* Reads a line without its prefix and discriminator. */
static void read_line(FILE *stream, char *line, size_t size)
{
	char text[512];

	assert_non_null(fgets(text, sizeof text, stream));
	const char *start = strncmp(text, "0x", 2) == 0 ? strchr(text, ' ') + 1 : text;
	const char *words = strstr(text, "(inlined by) ");
	start = words == NULL ? start : words + strlen("(inlined by) ");
	text[strcspn(text, "\n")] = '\0';
	char *discriminator = strstr(text, " (discriminator");
	if (discriminator != NULL)
		*discriminator = '\0';
	snprintf(line, size, "%s", start);
}

/* Code without a function in DWARF, such as assembly: only the line is compared, and not at the start of a function,
 * where image_line() returns the line of the function. */
static bool expect_line(const struct image *image, uint64_t address, const char *expected)
{
	const struct image_function *function = image_function_at(image, address);
	struct image_inline entry = {.name = ""};

	if (!image_line(image, address, &entry.file, &entry.line)) {
		assert_non_null(strstr(expected, ":?"));
		return false;
	}
	char found[256];
	describe(found, sizeof found, &entry);
	if (address != function->start)
		assert_non_null(strstr(expected, found));
	return true;
}

/* Compares all functions; returns the number of addresses with a line. *deepest: the length of the longest chain. */
static size_t compare_with_addr2line(const char *elf, size_t *deepest)
{
	struct image *image = workshop_image(elf);
	FILE *answers = ask_addr2line(elf, image);
	size_t known = 0;

	*deepest = 0;
	for (size_t i = 0; i < image->function_count; i++) {
		for (uint64_t at = image->functions[i].start; at < image->functions[i].end; at += 2) {
			struct image_inline inlines[INLINES_MAX];
			size_t count = image_inlines(image, at, inlines, INLINES_MAX);
			char found[256], expected[512];

			for (size_t j = 0; j < count; j++) {
				describe(found, sizeof found, &inlines[j]);
				read_line(answers, expected, sizeof expected);
				if (inlines[j].file == NULL && strstr(expected, ":?") != NULL)
					expected[strlen(found)] = '\0';
				assert_string_equal(found, expected);
			}
			if (count == 0)
				read_line(answers, expected, sizeof expected);
			known += count > 0 || expect_line(image, at, expected);
			*deepest = count > *deepest ? count : *deepest;
		}
	}
	assert_int_equal(fgetc(answers), EOF);
	return known;
}

ALL_TESTS(build, workshop_close);

TEST(inline_chains_match_addr2line)
{
	static const char *const elfs[] = {"dwarf5.elf", "dwarf4.elf", "dwarf2.elf", "clang.elf"};

	for (size_t i = 0; i < sizeof elfs / sizeof *elfs; i++) {
		size_t deepest;

		assert_true(compare_with_addr2line(elfs[i], &deepest) > 20);
		assert_int_equal(deepest, 3);
	}
}

TEST(lines_match_addr2line)
{
	static const char *const flags[] = {"-g -O2", "-g -Os -flto", "-g -gdwarf-4 -Og -ffunction-sections",
	                                    "-g -gz -O1"};
	size_t deepest;

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb %s -nostdlib -T $FIRMWARE/arm.ld "
		             "-o $WORKSHOP/arm.elf $FIRMWARE/arm.c $FIRMWARE/labels.S",
		             flags[i]);
		assert_true(compare_with_addr2line("arm.elf", &deepest) > 80);
	}
	workshop_run("clang --target=arm-none-eabi -mcpu=cortex-m3 -mthumb -g -O1 -c $FIRMWARE/lines_at_zero.c "
	             "-o $WORKSHOP/clang.o && arm-none-eabi-ld -Ttext=0x8000 -e main $WORKSHOP/clang.o "
	             "-o $WORKSHOP/zero.elf");
	assert_true(compare_with_addr2line("zero.elf", &deepest) > 40);
}

TEST(chains_are_truncated_to_the_capacity)
{
	struct image *image = workshop_image("dwarf5.elf");
	const struct image_function *outer = workshop_function(image, "outer");

	for (uint64_t address = outer->start; address < outer->end; address += 2) {
		struct image_inline all[INLINES_MAX], one = {.name = NULL};
		size_t count = image_inlines(image, address, all, INLINES_MAX);

		assert_int_equal(image_inlines(image, address, &one, 1), count > 0);
		assert_int_equal(image_inlines(image, address, &one, 0), 0);
		assert_true(count == 0 || (one.name == all[0].name && one.line == all[0].line));
	}
}

struct lines {
	const struct image *image;
	uint64_t end;
	size_t count;
};

static void add_line(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct lines *lines = context;
	struct image_inline first[INLINES_MAX], other[INLINES_MAX];
	size_t count = image_inlines(lines->image, low, first, INLINES_MAX);

	assert_true(low >= lines->end && low < high && count > 0);
	assert_int_equal(first[0].line, line);
	assert_string_equal(first[0].file, file);
	for (uint64_t address = low; address < high; address++) {
		assert_int_equal(image_inlines(lines->image, address, other, INLINES_MAX), count);
		for (size_t i = 0; i < count; i++)
			assert_string_equal(first[i].name, other[i].name);
	}
	lines->end = high;
	lines->count++;
}

TEST(each_line_has_one_chain)
{
	struct image *image = workshop_image("dwarf5.elf");
	struct lines lines = {.image = image};

	image_each_line(image, add_line, &lines);
	assert_true(lines.count > 0);
}

TEST(everything_is_unknown_without_dwarf)
{
	struct image *image = workshop_image("bare.elf");
	struct image_inline any;
	struct lines lines = {.image = image};

	assert_int_equal(image_inlines(image, workshop_function(image, "outer")->start, &any, 1), 0);
	image_each_line(image, add_line, &lines);
	assert_int_equal(lines.count, 0);
	assert_null(image_compilation_folder(image));
}

/* Entries that refer to themselves, or whose sibling is their parent. */
TEST(circular_references_in_dwarf_terminate)
{
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -nostdlib -Wl,-Ttext=0x8000 -Wl,-e,f -o $WORKSHOP/rings.elf "
	             "$FIRMWARE/rings.S");
	struct image *image = workshop_image("rings.elf");
	struct image_inline inlines[INLINES_MAX];
	assert_int_equal(image_inlines(image, 0x8000, inlines, INLINES_MAX), 2);
	assert_string_equal(inlines[0].name, "");
	assert_string_equal(inlines[1].name, "");
	/* Entries are read in the order of the section; references to siblings are ignored. */
	assert_int_equal(image_inlines(image, 0x8004, inlines, INLINES_MAX), 2);
}

/* Many levels of inlining, each within the one before; only a limited number is read. */
TEST(depth_of_inlining_is_limited)
{
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -nostdlib -Wl,-Ttext=0x8000 -Wl,-e,f -DLEVELS=100000 -o "
	             "$WORKSHOP/deep.elf $FIRMWARE/rings.S");
	struct image *image = workshop_image("deep.elf");
	static struct image_inline inlines[1000];
	size_t count = image_inlines(image, 0x8000, inlines, 1000);
	assert_in_range(count, 64, 200);
}

TEST(compilation_folder_is_known)
{
	struct image *image = workshop_image("dwarf5.elf");
	char *here = realpath(".", NULL);

	assert_string_equal(image_compilation_folder(image), here);
	free(here);
}
