/* SPDX-License-Identifier: MIT */
/* gmon.out in GNU's layout, and refused files. */
#include "records.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define LOW  0x08000100
#define HIGH 0x08000110

static struct records small_file(const struct capture_order *order, uint32_t version)
{
	struct records records = begin_file(order, version);

	put_histogram(&records, LOW, HIGH, 4);
	for (unsigned i = 0; i < 4; i++)
		put(&records, 0xFFFC + i, 2);
	put_arc(&records, LOW + 5, HIGH, UINT32_MAX);
	put_arc(&records, LOW, LOW + 8, 0);
	return records;
}

EACH_TEST(NULL, free_files);

TEST(file_decodes_the_same_in_every_order)
{
	for (unsigned i = 0; i < 4; i++) {
		struct records records = small_file(&orders[i], 1);

		decode_alone(&records, GMON_AUTO);
		assert_gmon(&gmon, "1 files\n100 seconds s\n8000100-8000110 65532 65533 65534 65535\n"
		                   "calls\n8000105>8000110 4294967295\n8000100>8000108 0\n");
	}
}

TEST(version_0_is_read)
{
	struct records records = small_file(&orders[1], 0);

	decode(&records, GMON_MAGIC);
	assert_int_equal(gmon.arc_count, 2);
}

TEST(unknown_versions_are_refused)
{
	struct records records = begin_file(&orders[0], 2);

	refuse(&records, GMON_AUTO, "offset 0x4", "version 0x2", NULL);
	records = begin_file(&orders[0], 1);
	records.order.big_endian = true;
	refuse(&records, GMON_AUTO, "offset 0x4", "ELF of this target", NULL);
}

TEST(file_without_required_magic_is_refused)
{
	struct records records = small_file(&orders[0], 1);

	records.bytes[0] = 'G';
	assert_false(gmon_is(records.bytes, records.size));
	refuse(&records, GMON_MAGIC, "offset 0x0", "gmon", NULL);
	assert_true(gmon_is((const uint8_t *)"gmon", 4));
	assert_false(gmon_is((const uint8_t *)"gmon", 3));
}

/* A file that ends after a record is valid. */
TEST(truncated_file_is_refused_except_between_records)
{
	for (unsigned i = 0; i < 4; i++) {
		struct records records = small_file(&orders[i], 1);
		unsigned address = orders[i].address_size, arc = 2 * address + 5;
		size_t histogram = 20 + 2 * address + 25 + 8;

		for (size_t size = 4; size < records.size; size++) {
			struct records cut = records;

			cut.size = size;
			if (size == 20 || size == histogram || size == histogram + arc)
				decode_alone(&cut, GMON_AUTO);
			else
				refuse(&cut, GMON_AUTO, "offset 0x", "cut", NULL);
		}
	}
}

TEST(unknown_records_are_refused)
{
	struct records records = begin_file(&orders[0], 1);

	put(&records, 3, 1);
	refuse(&records, GMON_AUTO, "offset 0x14", "kind 3", NULL);
}

TEST(impossible_counts_are_refused)
{
	struct records bins = begin_file(&orders[2], 1);

	put_histogram(&bins, LOW, HIGH, UINT32_MAX);
	put(&bins, 1, 2);
	refuse(&bins, GMON_AUTO, "offset 0x3d", "8589934590 bytes expected, 2 left", NULL);
	struct records blocks = begin_file(&orders[0], 1);
	put(&blocks, 2, 1);
	put(&blocks, UINT32_MAX, 4);
	put_address(&blocks, LOW);
	put_address(&blocks, 1);
	refuse(&blocks, GMON_AUTO, "offset 0x21", "basic block", NULL);
}

TEST(range_that_ends_before_it_starts_is_refused)
{
	struct records records = begin_file(&orders[0], 1);

	put_histogram(&records, HIGH, LOW, 0);
	refuse(&records, GMON_AUTO, "offset 0x14", "0x8000110..0x8000100", NULL);
	records = begin_file(&orders[0], 1);
	put_histogram(&records, LOW, LOW, 1);
	put(&records, 1, 2);
	refuse(&records, GMON_AUTO, "offset 0x14", NULL);
}

TEST(histogram_without_bins_is_ignored)
{
	struct records records = begin_file(&orders[0], 1);

	put_histogram(&records, LOW, HIGH, 0);
	decode(&records, GMON_AUTO);
	assert_gmon(&gmon, "1 files\n100 seconds s\n");
}

TEST(basic_blocks_are_read)
{
	for (unsigned i = 0; i < 4; i++) {
		struct records records = begin_file(&orders[i], 1);

		put(&records, 2, 1);
		put(&records, 2, 4);
		put_address(&records, LOW);
		put_address(&records, 7);
		put_address(&records, HIGH);
		put_address(&records, 0);
		decode_alone(&records, GMON_AUTO);
		assert_gmon(&gmon, "1 files\n8000100 7\n8000110 0\n");
	}
}

/* A file name for all; a count, an address, a file, a function and a line for each. */
TEST(basic_blocks_of_version_0_have_texts)
{
	struct records records = begin_file(&orders[0], 0);

	put(&records, 2, 1);
	put(&records, 1, 4);
	put_text(&records, "a.out", 6);
	put_address(&records, 7);
	put_address(&records, LOW);
	put_text(&records, "main.c", 7);
	put_text(&records, "", 1);
	put(&records, 42, 4);
	for (size_t size = 21; size < records.size; size++) {
		struct records less = records;

		less.size = size;
		refuse(&less, GMON_AUTO, "cut", NULL);
	}
	decode(&records, GMON_AUTO);
	assert_gmon(&gmon, "1 files\n8000100 7\n");
}

TEST(many_arcs_keep_their_order)
{
	const uint32_t count = 100000;
	const size_t size = 20 + (size_t)count * 13;
	uint8_t *bytes = release_later(calloc(1, size), free);
	struct records one = begin_file(&orders[0], 1);

	memcpy(bytes, one.bytes, 20);
	for (uint32_t i = 0; i < count; i++) {
		one.size = 0;
		put_arc(&one, i, 2 * i, i);
		memcpy(bytes + 20 + (size_t)i * 13, one.bytes, 13);
	}
	assert_success(gmon_decode("many", bytes, size, &orders[0], GMON_AUTO, &gmon, &failure), &failure);
	assert_int_equal(gmon.arc_count, count);
	for (uint32_t i = 0; i < count; i++)
		assert_true(gmon.arcs[i].from == i && gmon.arcs[i].self == 2 * i && gmon.arcs[i].count == i);
}
