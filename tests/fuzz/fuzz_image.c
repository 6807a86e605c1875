/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as a firmware ELF, with all queries and all divisions of its code. */
#include "fuzz.h"

#include "firmware/calls/calls.h"
#include "firmware/calls/code_map.h"
#include "firmware/identity.h"
#include "firmware/image.h"

#include <string.h>

static void touch_function(void *context, const struct image_function *function, enum image_spurious_caller reason)
{
	(void)reason;
	*(uint64_t *)context += function->start;
}

/* Finds calls and blocks with the mapping symbols, sections and functions of the ELF. */
static void find_calls(const struct image *image)
{
	struct calls calls;
	struct error error;
	struct code_map *map = code_map_create(image);

	require(map != NULL && calls_find(image, &calls, &error) == STATUS_OK);
	code_map_free(map);
	for (size_t i = 1; i < calls.count; i++)
		require(calls.items[i].site >= calls.items[i - 1].site);
	calls_free(&calls);
}

/* The guarantees of image.h for functions. */
static void check_functions(const struct image *image)
{
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		bool follows = i == 0 || image->functions[i - 1].end <= function->start;

		require(function->start < function->end && follows && strlen(function->name) <= IMAGE_NAME_MAX &&
		        image_function_at(image, function->start) == function &&
		        image_function_at(image, function->end - 1) == function);
		require(function->first <= i && image->functions[function->first].first == function->first);
		if (function->inlined_into != IMAGE_NOT_INLINED)
			require(function->inlined_into < image->function_count &&
			        image->functions[function->inlined_into].first == function->inlined_into);
	}
}

static void check_line(const char *file, int line)
{
	require(line > 0 && strlen(file) <= IMAGE_NAME_MAX);
}

static void check_inlines(const struct image *image, uint64_t address)
{
	struct image_inline inlines[8];
	size_t count = image_inlines(image, address, inlines, 8);

	require(count <= 8);
	for (size_t i = 0; i < count; i++) {
		require(strlen(inlines[i].name) <= IMAGE_NAME_MAX);
		if (inlines[i].file != NULL)
			check_line(inlines[i].file, inlines[i].line);
	}
}

struct lines {
	const struct image *image;
	uint64_t end; /* of the previous line */
	size_t count;
	const char *names[16]; /* the first functions that DWARF names */
	size_t name_count;
};

/* Lines are in ascending order and do not overlap. */
static void add_line(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct lines *lines = context;
	struct image_inline innermost;

	require(low < high && low >= lines->end);
	check_line(file, line);
	lines->end = high;
	if (lines->count++ < 1000)
		check_inlines(lines->image, low);
	if (lines->name_count < sizeof lines->names / sizeof *lines->names &&
	    image_inlines(lines->image, low, &innermost, 1) == 1)
		lines->names[lines->name_count++] = innermost.name;
}

static void check_divisions(struct image *image)
{
	static const struct image_division divisions[] = {
	        {.rule = IMAGE_BY_SYMBOL},
	        {.rule = IMAGE_BY_SYMBOL, .no_static = true, .lines = true},
	        {.rule = IMAGE_BY_LINE, .functions_only = true},
	        {.rule = IMAGE_BY_SIZE, .lines = true},
	};

	for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++) {
		struct error error = {.message = ""};

		require(image_divide(image, &divisions[i], &error) == STATUS_OK || error.message[0] != '\0');
		check_functions(image);
		find_calls(image);
	}
}

static size_t count_functions(const struct image *image)
{
	size_t count = 0;

	for (size_t i = 0; i < image->function_count; i++)
		count += image->functions[i].inlined_into == IMAGE_NOT_INLINED && image->functions[i].first == i;
	return count;
}

/* Splitting adds split functions and removes none. */
static void check_split(struct image *image, const struct lines *lines)
{
	struct error error;
	size_t count = count_functions(image);

	require(image_split_inlined(image, lines->names, lines->name_count, &error) == STATUS_OK);
	check_functions(image);
	find_calls(image);
	require(count_functions(image) == count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *image;
	struct error error = {.message = ""};

	if (image_decode("fuzz.elf", copy_of(data, size), size, &image, &error) != STATUS_OK) {
		require(error.message[0] != '\0' && image == NULL);
		return 0;
	}
	check_functions(image);
	find_calls(image);
	uint64_t sum = image_code_crc(image);
	image_find_spurious_callers(image, touch_function, &sum);
	for (size_t i = 0; i < image->function_count && i < 1000; i++) {
		const char *file;
		int line;

		check_inlines(image, image->functions[i].start);
		if (image_line(image, image->functions[i].start, &file, &line))
			check_line(file, line);
	}
	struct lines lines = {.image = image};
	image_each_line(image, add_line, &lines);
	image_compilation_folder(image);
	check_divisions(image);
	check_split(image, &lines);
	image_symbol(image, "bareprof_block", &sum);
	image_close(image);
	return 0;
}
