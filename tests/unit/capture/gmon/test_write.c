/* SPDX-License-Identifier: MIT */
/* Profiles that do not fit gmon.out are refused, and the size of the file is bounded. */
#include "records.h"
#include "test.h"

#include <stdlib.h>

#define LOW  0x08000100
#define HIGH 0x08000108

struct written {
	uint8_t *bytes;
	size_t size;
};

static struct written encode(const struct gmon *profile, const struct capture_order *order)
{
	struct written written = {0};

	assert_success(gmon_encode("sum", profile, order, &written.bytes, &written.size, &failure), &failure);
	release_later(written.bytes, free);
	return written;
}

static void refuse_to_encode(const struct gmon *profile, const struct capture_order *order, const char *words)
{
	struct written written = {0};

	assert_failure(gmon_encode("sum", profile, order, &written.bytes, &written.size, &failure), &failure, words);
	assert_null(written.bytes);
}

TEST(output_has_the_bytes_of_version_1)
{
	for (unsigned i = 0; i < 4; i++) {
		uint64_t bins[2] = {10, 0xFFFF};
		struct gmon_histogram histogram = {LOW, HIGH, bins, 2};
		struct gmon_arc arc = {LOW + 4, HIGH, 2};
		struct gmon_basic_block block = {LOW, 3};
		const struct gmon profile = {.histograms = &histogram,
		                             .histogram_count = 1,
		                             .arcs = &arc,
		                             .arc_count = 1,
		                             .basic_blocks = &block,
		                             .basic_block_count = 1,
		                             .unit = {99.6, true, "seconds", 's'}};
		struct records expected = begin_file(&orders[i], 1);

		put_histogram(&expected, LOW, HIGH, 2);
		put(&expected, 10, 2);
		put(&expected, 0xFFFF, 2);
		put_arc(&expected, LOW + 4, HIGH, 2);
		put(&expected, 2, 1);
		put(&expected, 1, 4);
		put_address(&expected, LOW);
		put_address(&expected, 3);
		struct written written = encode(&profile, &orders[i]);
		assert_int_equal(written.size, expected.size);
		assert_memory_equal(written.bytes, expected.bytes, expected.size);
	}
}

/* Writes, and reads again into gmon. */
static void read_back(const struct gmon *profile, const struct capture_order *order)
{
	const struct written written = encode(profile, order);

	gmon_free(&gmon);
	assert_success(gmon_decode("again", written.bytes, written.size, order, GMON_MAGIC, &gmon, &failure), &failure);
}

EACH_TEST(NULL, free_files);

TEST(large_counts_are_split_into_several_records)
{
	const uint64_t counts[] = {0,       1,          0xFFFE,      0xFFFF,      0x10000,     0x1FFFE,   0x1FFFF,
	                           1000000, 0xFFFFFFFF, 0x100000000, 0x1FFFFFFFE, 0x1FFFFFFFF, 5000000000};

	for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
		uint64_t bins[2] = {counts[i] > 1000000 ? 1000000 : counts[i], 7};
		struct gmon_histogram histogram = {LOW, HIGH, bins, 2};
		struct gmon_arc arc = {LOW, HIGH, counts[i]};
		struct gmon_basic_block block = {LOW, counts[i]};
		const struct gmon profile = {.histograms = &histogram,
		                             .histogram_count = 1,
		                             .arcs = &arc,
		                             .arc_count = 1,
		                             .basic_blocks = &block,
		                             .basic_block_count = 1,
		                             .unit = {.hertz = 1000}};

		read_back(&profile, &orders[i % 4]);
		uint64_t calls = 0, entries = 0;

		for (size_t arc_index = 0; arc_index < gmon.arc_count; arc_index++)
			calls += gmon.arcs[arc_index].count;
		for (size_t index = 0; index < gmon.basic_block_count; index++)
			entries += gmon.basic_blocks[index].count;
		assert_int_equal(gmon.histogram_count, 1);
		assert_int_equal(gmon.histograms[0].bins[0], bins[0]);
		assert_int_equal(gmon.histograms[0].bins[1], 7);
		assert_int_equal(calls, counts[i]);
		assert_int_equal(entries, counts[i]);
		assert_int_equal(gmon.arc_count, counts[i] == 0 ? 1 : (counts[i] - 1) / UINT32_MAX + 1);
	}
}

TEST(counts_that_need_too_many_records_are_refused)
{
	uint64_t bins[2] = {UINT64_MAX, 0};
	struct gmon_histogram histogram = {LOW, HIGH, bins, 2};
	struct gmon_arc arc = {LOW, HIGH, UINT64_MAX};
	struct gmon_basic_block block = {LOW, UINT64_MAX};

	refuse_to_encode(&(struct gmon){.histograms = &histogram, .histogram_count = 1}, &orders[0],
	                 "sum: a bin holds too many samples");
	refuse_to_encode(&(struct gmon){.arcs = &arc, .arc_count = 1}, &orders[0], "sum: an arc with");
	refuse_to_encode(&(struct gmon){.basic_blocks = &block, .basic_block_count = 1}, &orders[0],
	                 "sum: a basic block");
}

/* A record with one bin is mostly header. */
TEST(size_of_records_for_one_full_bin_is_bounded)
{
	uint64_t bins[1] = {UINT64_C(2000000) * 0xFFFF};
	struct gmon_histogram histogram = {LOW, HIGH, bins, 1};

	refuse_to_encode(&(struct gmon){.histograms = &histogram, .histogram_count = 1}, &orders[0],
	                 "2000000 records of 1 bins");
	bins[0] /= 4;
	struct written written = encode(&(struct gmon){.histograms = &histogram, .histogram_count = 1}, &orders[0]);
	assert_int_equal(written.size, 20 + 500000 * 35);
}

TEST(total_size_of_full_bins_is_bounded)
{
	uint64_t bins[1] = {UINT64_C(1000000) * 0xFFFF};
	struct gmon_histogram histograms[] = {{LOW, LOW + 8, bins, 1}, {LOW + 8, HIGH, bins, 1}};
	struct gmon profile = {.histograms = histograms, .histogram_count = 2};

	refuse_to_encode(&profile, &orders[0], "1000000 records of 1 bins");
	profile.histogram_count = 1;
	encode(&profile, &orders[0]);
}

TEST(addresses_that_do_not_fit_are_refused)
{
	uint64_t bins[1] = {1}, far = 0x100000000;
	struct gmon_histogram histogram = {LOW, far, bins, 1};
	struct gmon_arc arc = {far, HIGH, 1};
	struct gmon_basic_block block = {far, 1};

	refuse_to_encode(&(struct gmon){.histograms = &histogram, .histogram_count = 1}, &orders[1], "0x100000000");
	refuse_to_encode(&(struct gmon){.arcs = &arc, .arc_count = 1}, &orders[1], "0x100000000");
	refuse_to_encode(&(struct gmon){.basic_blocks = &block, .basic_block_count = 1}, &orders[1], "0x100000000");
	read_back(&(struct gmon){.arcs = &arc, .arc_count = 1}, &orders[3]);
	assert_int_equal(gmon.arcs[0].from, far);
}

TEST(rates_are_rounded_to_whole_hertz)
{
	const struct {
		double hertz, written;
	} rates[] = {
	        {0, 0}, {1, 1}, {1.004, 1}, {99.5, 100}, {100.4999, 100}, {9988.01, 9988}, {4294967295.0, UINT32_MAX}};

	for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++) {
		uint64_t bins[1] = {1};
		struct gmon_histogram histogram = {LOW, HIGH, bins, 1};
		const struct gmon profile = {
		        .histograms = &histogram, .histogram_count = 1, .unit = {.hertz = rates[i].hertz}};

		read_back(&profile, &orders[0]);

		assert_true(gmon.unit.hertz >= rates[i].written && gmon.unit.hertz <= rates[i].written);
	}
}

TEST(rates_distorted_by_rounding_are_refused)
{
	const struct {
		double hertz;
		const char *word;
	} rates[] = {{0.5, "at 0.5 Hz"}, {0.01, "0.01"}, {1.006, "1.006"},
	             {64.5, "64.5"},     {98.5, "98.5"}, {1e10, "1e+10"}};

	for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++) {
		uint64_t bins[1] = {1};
		struct gmon_histogram histogram = {LOW, HIGH, bins, 1};
		struct gmon profile = {
		        .histograms = &histogram, .histogram_count = 1, .unit = {.hertz = rates[i].hertz}};

		refuse_to_encode(&profile, &orders[0], rates[i].word);
		profile.histogram_count = 0;
		read_back(&profile, &orders[0]);
	}
}
