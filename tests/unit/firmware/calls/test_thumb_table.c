/* SPDX-License-Identifier: MIT */
/*
 * The targets of TBB and TBH, by encodings of the Armv7-M ARM (A7.7.185), including tables that no compiler generates.
 */
#include "firmware/calls/decoder.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE         0x1000u
#define TEXT_SIZE    256
#define TARGETS_MAX  4096
#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const struct decoder decoder_thumb;

struct targets {
	uint64_t items[TARGETS_MAX];
	size_t count;
};

static void add_target(void *context, uint64_t target)
{
	struct targets *targets = context;

	assert_in_range(targets->count, 0, TARGETS_MAX - 1);
	targets->items[targets->count++] = target;
}

/* The targets of a jump at BASE, where the code begins. */
static void find_targets(const uint8_t *bytes, size_t size, struct targets *targets)
{
	struct image_code code = {.name = ".text", .address = BASE, .size = size, .bytes = bytes};
	const struct image image = {.address_size = 4, .code = &code, .code_count = 1};
	const struct code_place place = {&image, bytes, size, BASE};

	targets->count = 0;
	decoder_thumb.each_table_target(&place, add_target, targets);
}

#define TBB "dfe800f0"
#define TBH "dfe810f0"

struct example {
	const char *title, *code, *targets;
};

/* Compares the targets as text, "1006 1008". The code has memory of exactly its size, so that a sanitizer detects reads
 * beyond it. */
static void expect(const struct example *example)
{
	struct targets targets;
	char text[TEXT_SIZE] = "";
	size_t size = strlen(example->code) / 2;
	uint8_t *bytes = malloc(size);

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(sscanf(example->code + 2 * i, "%2hhx", &bytes[i]), 1);
	find_targets(bytes, size, &targets);
	free(bytes);
	for (size_t i = 0; i < targets.count; i++)
		snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%s%" PRIx64, i > 0 ? " " : "",
		         targets.items[i]);
	if (strcmp(text, example->targets) != 0)
		fail_msg("%s: found '%s', expected '%s'", example->title, text, example->targets);
}

static void expect_all(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect(&examples[i]);
}

TEST(table_ends_where_its_nearest_target_begins)
{
	static const struct example examples[] = {
	        {"TBB, an entry and padding", TBB "010000bf", "1006"},
	        {"TBB, the third target is the nearest", TBB "0403020500bf", "100c 100a 1008 100e"},
	        {"TBB [PC, R7]", "dfe807f00100", "1006"},
	        {"TBH", TBH "0200030000bf", "1008 100a"},
	        {"TBH, a target far away", TBH "0001020000bf", "1204 1008"},
	};

	expect_all(examples, COUNT(examples));
}

TEST(other_instructions_have_no_table)
{
	static const struct example examples[] = {
	        {"TBB [R1, R0], whose table is elsewhere", "d1e800f00100", ""},
	        {"LDREXB", "dfe8400f0100", ""},
	        {"MOV PC, R0", "874600bf0100", ""},
	};

	expect_all(examples, COUNT(examples));
}

TEST(target_within_the_table_ends_it)
{
	static const struct example examples[] = {
	        {"TBB, to the table itself", TBB "00010101", ""},
	        {"TBB, from the third entry to itself", TBB "04040101", "100c 100c"},
	        {"TBH, from the second entry to itself", TBH "02000100", "1008"},
	        {"TBH, all zeros", TBH "0000000000000000", ""},
	};

	expect_all(examples, COUNT(examples));
}

TEST(table_ends_with_the_code)
{
	static const struct example examples[] = {
	        {"half a TBB", "dfe8", ""},           {"three bytes of a TBB", "dfe800", ""},
	        {"TBB, no entry", TBB, ""},           {"TBB, two entries", TBB "7fff", "1102 1202"},
	        {"TBH, half an entry", TBH "7f", ""}, {"TBH, an entry and a half", TBH "ffff01", "21002"},
	};

	expect_all(examples, COUNT(examples));
}

/* An address is looked up in the section that starts last before it, here .overlay, which ends before the jump. */
TEST(jump_after_the_end_of_a_nested_section_has_no_table)
{
	static const uint8_t bytes[] = {0x00, 0xBF, 0x00, 0xBF, 0xDF, 0xE8, 0x00, 0xF0, 0x01, 0x00};
	struct image_code code[] = {
	        {.name = ".text", .address = BASE, .size = sizeof bytes, .bytes = bytes},
	        {.name = ".overlay", .address = BASE + 2, .size = 2, .bytes = bytes},
	};
	const struct image image = {.address_size = 4, .code = code, .code_count = COUNT(code)};
	const struct code_place place = {&image, bytes + 4, sizeof bytes - 4, BASE + 4};
	struct targets targets = {.count = 0};

	decoder_thumb.each_table_target(&place, add_target, &targets);
	assert_int_equal(targets.count, 0);
}

/* Hostile code may have such a jump at each word, with all code after it for its table. */
TEST(tables_end_after_1024_entries)
{
	static uint8_t code[0x10000];
	struct targets targets;

	memset(code, 0xFF, sizeof code);
	memcpy(code, "\xDF\xE8\x10\xF0", 4);
	find_targets(code, sizeof code, &targets);
	assert_int_equal(targets.count, 1024);
	memcpy(code, "\xDF\xE8\x00\xF0", 4);
	find_targets(code, sizeof code, &targets);
	assert_int_equal(targets.count, 2 * 0xFF);
}
