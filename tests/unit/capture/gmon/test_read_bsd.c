/* SPDX-License-Identifier: MIT */
/* gmon.out in BSD's layouts, and refused files. */
#include "records.h"
#include "test.h"

#define LOW  0x08000100
#define HIGH 0x08000110

/* The header of 4.4BSD for bins of bin_size bytes; only FreeBSD sets width, in others it is 0. */
static struct records begin_44(const struct capture_order *order, uint32_t bins, uint32_t bin_size, int32_t width)
{
	struct records records = {.order = *order};

	put_address(&records, LOW);
	put_address(&records, HIGH);
	put(&records, 2 * order->address_size + 24 + bins * bin_size, 4);
	put(&records, 0x00051879, 4);
	put(&records, 250, 4);
	put(&records, (uint32_t)width, 4);
	put(&records, 0, 8);
	return records;
}

static void put_bsd_arc(struct records *records, uint64_t from, uint64_t self, uint64_t count)
{
	put_address(records, from);
	put_address(records, self);
	put_address(records, count);
}

static struct records old_file(const struct capture_order *order)
{
	struct records records = {.order = *order};

	put_address(&records, LOW);
	put_address(&records, HIGH);
	put(&records, 2 * order->address_size + 4 + 4 * 2, 4);
	for (unsigned i = 0; i < 4; i++)
		put(&records, 10 + i, 2);
	put_bsd_arc(&records, LOW + 4, LOW + 8, 77);
	return records;
}

EACH_TEST(NULL, free_files);

TEST(old_header_is_read)
{
	const enum gmon_format formats[] = {GMON_BSD, GMON_AUTO};

	for (unsigned i = 0; i < 8; i++) {
		struct records records = old_file(&orders[i % 4]);

		decode_alone(&records, formats[i / 4]);
		/* It has no rate. */
		assert_gmon(&gmon, "1 files\n0 seconds s\n8000100-8000110 10 11 12 13\ncalls\n8000104>8000108 77\n");
	}
}

TEST(header_of_44bsd_is_read)
{
	const enum gmon_format formats[] = {GMON_BSD_44, GMON_AUTO};

	for (unsigned i = 0; i < 8; i++) {
		struct records records = begin_44(&orders[i % 4], 8, 2, 0);

		for (unsigned bin = 0; bin < 8; bin++)
			put(&records, bin, 2);
		put_bsd_arc(&records, LOW + 4, LOW + 8, 77);
		decode_alone(&records, formats[i / 4]);
		assert_gmon(&gmon,
		            "1 files\n250 seconds s\n8000100-8000110 0 1 2 3 4 5 6 7\ncalls\n8000104>8000108 77\n");
	}
}

TEST(counter_width_follows_the_freebsd_header)
{
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned size = 1; size <= 8; size *= 2) {
			struct records records = begin_44(&orders[i], 2, size, (int32_t)size * 8);
			uint64_t max = UINT64_MAX >> (64 - 8 * size);

			put(&records, 1, size);
			put(&records, max, size);
			decode_alone(&records, GMON_AUTO);
			assert_int_equal(gmon.histograms[0].bin_count, 2);
			assert_int_equal(gmon.histograms[0].bins[0], 1);
			assert_int_equal(gmon.histograms[0].bins[1], max);
		}
	}
}

/* Kernels subtract their estimated overhead, so counts can be negative. */
TEST(negative_counts_are_ignored)
{
	for (unsigned size = 1; size <= 8; size *= 2) {
		struct records records = begin_44(&orders[1], 2, size, -(int32_t)size * 8);

		put(&records, 5, size);
		put(&records, (uint64_t)-3, size);
		decode_alone(&records, GMON_BSD_44);
		assert_gmon(&gmon, "1 files\n250 seconds s\n8000100-8000110 5 0\ncalls\n");
	}
}

TEST(unknown_counter_widths_are_refused)
{
	struct records records = begin_44(&orders[0], 0, 2, 24);

	refuse(&records, GMON_AUTO, "offset 0x14", "24 bits", NULL);
	records = begin_44(&orders[0], 0, 2, INT32_MIN);
	refuse(&records, GMON_AUTO, "offset 0x14", NULL);
}

TEST(other_version_is_refused_if_44bsd_is_required)
{
	struct records records = old_file(&orders[0]);

	put_bsd_arc(&records, 1, 2, 3);
	refuse(&records, GMON_BSD_44, "offset 0xc", "0x51879", NULL);
}

TEST(impossible_sizes_are_refused)
{
	struct records records = begin_44(&orders[0], 0, 2, 0);

	records.bytes[8] = 31;
	refuse(&records, GMON_AUTO, "offset 0x8", "31 bytes, expected 32", NULL);
	records.bytes[8] = 33;
	refuse(&records, GMON_AUTO, "offset 0x8", "33 bytes", NULL);
	records.bytes[8] = 34;
	refuse(&records, GMON_AUTO, "cut", NULL);
	records.bytes[11] = 0xFF;
	refuse(&records, GMON_AUTO, "cut", NULL);
}

TEST(truncated_file_is_refused_except_between_records)
{
	for (unsigned i = 0; i < 4; i++) {
		struct records records = old_file(&orders[i]);

		for (size_t size = 0; size < records.size; size++) {
			struct records cut = records;

			cut.size = size;
			if (size == 2 * orders[i].address_size + 4 + 8)
				decode_alone(&cut, GMON_BSD);
			else
				refuse(&cut, GMON_BSD, "cut", NULL);
		}
	}
}
