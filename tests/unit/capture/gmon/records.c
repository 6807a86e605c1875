/* SPDX-License-Identifier: MIT */
/* See records.h. */
#include "records.h"
#include "test.h"

#include <stdio.h>
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

struct gmon gmon;

int free_files(void **state)
{
	gmon_free(&gmon);
	return 0;
}

void decode(const struct records *records, enum gmon_format format)
{
	assert_success(gmon_decode("test.out", records->bytes, records->size, &records->order, format, &gmon, &failure),
	               &failure);
}

void decode_alone(const struct records *records, enum gmon_format format)
{
	gmon_free(&gmon);
	decode(records, format);
}

static const char *describe(const struct gmon *described)
{
	struct printed *printed = printed_begin();
	FILE *stream = printed->stream;

	fprintf(stream, "%zu files\n", described->file_count);
	if (described->has_histogram)
		fprintf(stream, "%g %s %c\n", described->unit.hertz, described->unit.dimension,
		        described->unit.abbreviation);
	for (size_t i = 0; i < described->histogram_count; i++) {
		const struct gmon_histogram *histogram = &described->histograms[i];

		fprintf(stream, "%lx-%lx", histogram->low, histogram->high);
		for (size_t bin = 0; bin < histogram->bin_count; bin++)
			fprintf(stream, " %lu", histogram->bins[bin]);
		fputc('\n', stream);
	}
	if (described->has_arcs)
		fputs("calls\n", stream);
	for (size_t i = 0; i < described->arc_count; i++)
		fprintf(stream, "%lx>%lx %lu\n", described->arcs[i].from, described->arcs[i].self,
		        described->arcs[i].count);
	for (size_t i = 0; i < described->basic_block_count; i++)
		fprintf(stream, "%lx %lu\n", described->basic_blocks[i].address, described->basic_blocks[i].count);
	return printed_text(printed);
}

void assert_gmon(const struct gmon *described, const char *expected)
{
	assert_string_equal(describe(described), expected);
}

void refuse(const struct records *records, enum gmon_format format, ...)
{
	const char *before = describe(&gmon);

	assert_int_equal(
	        gmon_decode("test.out", records->bytes, records->size, &records->order, format, &gmon, &failure),
	        STATUS_FAILED);
	assert_gmon(&gmon, before);
	assert_contains(failure.message, "test.out: ");
	va_list words;
	va_start(words, format);
	for (const char *word; (word = va_arg(words, const char *)) != NULL;)
		assert_contains(failure.message, word);
	va_end(words);
}
