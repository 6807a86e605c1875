/* SPDX-License-Identifier: MIT */
/* See records.h. */
#include "records.h"
#include "test.h"

#include <string.h>

const struct capture_order orders[4] = {{false, 4}, {true, 4}, {false, 8}, {true, 8}};

void put(struct records *records, uint64_t value, unsigned size)
{
	assert_true(records->size + size <= sizeof records->bytes);
	for (unsigned i = 0; i < size; i++) {
		unsigned byte = records->order.big_endian ? size - 1 - i : i;
		records->bytes[records->size++] = (uint8_t)(value >> (8 * byte));
	}
}

void put_address(struct records *records, uint64_t value)
{
	put(records, value, records->order.address_size);
}

void put_text(struct records *records, const char *text, size_t size)
{
	assert_true(records->size + size <= sizeof records->bytes);
	size_t length = strnlen(text, size);
	memcpy(records->bytes + records->size, text, length);
	memset(records->bytes + records->size + length, 0, size - length);
	records->size += size;
}

struct records begin_file(const struct capture_order *order, uint32_t version)
{
	struct records records = {.order = *order};
	put_text(&records, "gmon", 4);
	put(&records, version, 4);
	put_text(&records, "", 12);
	return records;
}

void put_histogram_of(struct records *records, uint64_t low, uint64_t high, uint32_t bin_count, uint32_t hertz,
                      const char *dimension, char abbreviation)
{
	put(records, 0, 1);
	put_address(records, low);
	put_address(records, high);
	put(records, bin_count, 4);
	put(records, hertz, 4);
	put_text(records, dimension, 15);
	put(records, (uint8_t)abbreviation, 1);
}

void put_histogram(struct records *records, uint64_t low, uint64_t high, uint32_t bin_count)
{
	put_histogram_of(records, low, high, bin_count, 100, "seconds", 's');
}

void put_arc(struct records *records, uint64_t from, uint64_t self, uint32_t count)
{
	put(records, 1, 1);
	put_address(records, from);
	put_address(records, self);
	put(records, count, 4);
}

void decode(const struct records *records, enum gmon_format format, struct gmon *gmon)
{
	struct error error = {.message = ""};
	enum status status =
	        gmon_decode("test.out", records->bytes, records->size, &records->order, format, gmon, &error);
	assert_string_equal(error.message, "");
	assert_int_equal(status, STATUS_OK);
}

void refuse(const struct records *records, enum gmon_format format, struct gmon *gmon, ...)
{
	struct error error = {.message = ""};
	const struct gmon before = *gmon;
	assert_int_equal(gmon_decode("test.out", records->bytes, records->size, &records->order, format, gmon, &error),
	                 STATUS_FAILED);
	assert_int_equal(gmon->histogram_count, before.histogram_count);
	assert_int_equal(gmon->arc_count, before.arc_count);
	assert_int_equal(gmon->basic_block_count, before.basic_block_count);
	assert_int_equal(gmon->file_count, before.file_count);
	assert_int_equal(gmon->has_histogram, before.has_histogram);
	assert_non_null(strstr(error.message, "test.out: "));
	va_list words;
	va_start(words, gmon);
	for (const char *word; (word = va_arg(words, const char *)) != NULL;)
		if (strstr(error.message, word) == NULL)
			fail_msg("'%s' does not contain '%s'", error.message, word);
	va_end(words);
}
