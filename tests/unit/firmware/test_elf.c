/* SPDX-License-Identifier: MIT */
/* Truncated and damaged ELFs, and other files. Under the sanitizers these tests also detect reads out of bounds. */
#include "base/file/file.h"
#include "firmware/identity.h"
#include "test.h"
#include "workshop.h"

#include "../../random.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *bytes;
static size_t size;

static int build(void **state)
{
	char path[WORKSHOP_PATH_MAX];

	if (workshop_open(state) != 0 ||
	    system("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O2 -nostdlib -Wl,--build-id -T $FIRMWARE/arm.ld "
	           "-o $WORKSHOP/arm.elf $FIRMWARE/arm.c $FIRMWARE/labels.S") != 0)
		return -1;
	workshop_path(path, "arm.elf");
	return file_read(path, &bytes, &size, &failure) == STATUS_OK ? 0 : -1;
}

static int clean(void **state)
{
	free(bytes);
	return workshop_close(state);
}

static uint8_t *copy_of(const uint8_t *data, size_t length)
{
	uint8_t *copy = malloc(length + 1);

	assert_non_null(copy);
	memcpy(copy, data, length);
	return copy;
}

static void refuses(const uint8_t *data, size_t length, const char *words)
{
	struct image *image;

	assert_failure(image_decode("fw.elf", copy_of(data, length), length, &image, &failure), &failure, words);
	assert_null(image);
	assert_memory_equal(failure.message, "fw.elf: ", 8);
}

ALL_TESTS(build, clean);

TEST(whole_file_is_accepted)
{
	struct image *image;

	assert_success(image_decode("fw.elf", copy_of(bytes, size), size, &image, &failure), &failure);
	assert_true(image->function_count > 10);
	image_close(image);
}

TEST(files_that_are_not_elf_are_refused)
{
	refuses((const uint8_t *)"", 0, "not an ELF file");
	refuses((const uint8_t *)"\177EL", 3, "not an ELF file");
	refuses((const uint8_t *)":10000000", 9, "not an ELF file");
	refuses((const uint8_t *)"\177ELF", 4, "ELF header at offset 0 is truncated or damaged");
}

TEST(file_truncated_anywhere_is_refused)
{
	for (size_t length = 0; length < size; length += length < 64 || length > size - 64 ? 1 : 37) {
		/* A separate copy, so that the sanitizers detect reads beyond the end. */
		uint8_t *cut = malloc(length + 1);

		assert_non_null(cut);
		memcpy(cut, bytes, length);
		refuses(cut, length, length < 4 ? "not an ELF" : length < 52 ? "truncated or" : "is it truncated?");
		free(cut);
	}
}

/* A changed copy; the caller frees. */
static uint8_t *with_byte(size_t offset, uint8_t value)
{
	uint8_t *copy = copy_of(bytes, size);

	copy[offset] = value;
	return copy;
}

static void refuses_with_byte(size_t offset, uint8_t value, const char *words)
{
	uint8_t *copy = with_byte(offset, value);

	refuses(copy, size, words);
	free(copy);
}

TEST(wrong_header_fields_are_refused)
{
	refuses_with_byte(4, 3, "truncated or damaged");       /* class */
	refuses_with_byte(4, 2, "fw.elf");                     /* the other class */
	refuses_with_byte(5, 3, "truncated or damaged");       /* byte order */
	refuses_with_byte(16, 1, "ELF type 1 at offset 16");   /* ET_REL */
	refuses_with_byte(0x2E, 41, "section headers of 41 "); /* e_shentsize */
	refuses_with_byte(0x23, 0x7F, "is it truncated?");     /* e_shoff */
	refuses_with_byte(0x31, 0x7F, "is it truncated?");     /* e_shnum */
}

static void query_everything(const struct image *image)
{
	uint64_t value = image_code_crc(image);

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		const char *file;
		int line;

		assert_true(function->start < function->end);
		assert_ptr_equal(image_function_at(image, function->end - 1), function);
		if (image_line(image, function->start, &file, &line))
			assert_true(line > 0 && file != NULL);
	}
	image_symbol(image, "bareprof_block", &value);
}

TEST(flipped_bits_are_refused_or_read_safely)
{
	uint32_t seed = 42;
	size_t refused = 0;

	for (int round = 0; round < 3000; round++) {
		uint8_t *copy = with_byte(0, bytes[0]);
		/* Half of the flips hit the file header and the tables at the end of the file. */
		size_t window = round % 2 == 0 ? size : 2048;
		size_t base = round % 4 == 1 ? size - window : 0;

		for (uint32_t flips = 1 + random_next(&seed) % 8; flips > 0; flips--)
			copy[base + random_next(&seed) % window] ^= (uint8_t)(1u << random_next(&seed) % 8);
		struct image *image;
		if (image_decode("fw.elf", copy, size, &image, &failure) == STATUS_OK)
			query_everything(image);
		else
			refused += failure.message[0] != '\0';
		image_close(image);
	}
	assert_in_range(refused, 100, 2900);
}
