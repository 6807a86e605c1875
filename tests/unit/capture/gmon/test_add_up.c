/* SPDX-License-Identifier: MIT */
/* Addition of several gmon.out files to one profile. */
#include "records.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define LOW  0x08000100
#define HIGH 0x08000110
#define NEXT 0x08000200

static const struct capture_order *const order = &orders[0];

static void put_bins(struct records *records, uint32_t bins, uint16_t count)
{
	for (uint32_t i = 0; i < bins; i++)
		put(records, count, 2);
}

static struct records one_histogram(uint64_t low, uint64_t high, uint32_t bins, uint16_t count)
{
	struct records records = begin_file(order, 1);

	put_histogram(&records, low, high, bins);
	put_bins(&records, bins, count);
	return records;
}

EACH_TEST(NULL, free_files);

TEST(equal_histograms_add_up_beyond_16_bits)
{
	struct records records = one_histogram(LOW, HIGH, 4, 0xFFFF);

	put_histogram(&records, LOW, HIGH, 4);
	put_bins(&records, 4, 40000);
	decode(&records, GMON_AUTO);
	decode(&records, GMON_AUTO);
	assert_gmon(&gmon, "2 files\n100 seconds s\n8000100-8000110 211070 211070 211070 211070\n");
}

TEST(histograms_keep_the_order_in_which_they_were_seen)
{
	struct records records = begin_file(order, 1);
	const uint64_t lows[] = {NEXT, LOW, NEXT, LOW};

	for (unsigned i = 0; i < 4; i++) {
		put_histogram(&records, lows[i], lows[i] + 16, 4);
		put_bins(&records, 4, (uint16_t)(1 << i));
	}
	decode(&records, GMON_AUTO);
	struct records third = one_histogram(0x100, 0x110, 4, 9);
	decode(&third, GMON_AUTO);
	decode(&records, GMON_AUTO);
	assert_gmon(&gmon, "3 files\n100 seconds s\n8000200-8000210 10 10 10 10\n8000100-8000110 20 20 20 20\n"
	                   "100-110 9 9 9 9\n");
}

TEST(bins_stop_at_64_bits)
{
	struct records records = {.order = *order};

	put_address(&records, LOW);
	put_address(&records, HIGH);
	put(&records, 32 + 8, 4);
	put(&records, 0x00051879, 4);
	put(&records, 100, 4);
	put(&records, 64, 4);
	put(&records, 0, 8);
	put(&records, UINT64_MAX - 1, 8);
	decode(&records, GMON_BSD_44);
	decode(&records, GMON_BSD_44);
	assert_int_equal(gmon.histograms[0].bins[0], UINT64_MAX);
}

TEST(arcs_follow_one_another)
{
	for (uint32_t file = 0; file < 100; file++) {
		struct records records = begin_file(order, 1);

		for (uint32_t i = 0; i <= file % 7; i++)
			put_arc(&records, file, i, 1);
		decode(&records, GMON_AUTO);
	}
	size_t at = 0;
	for (uint32_t file = 0; file < 100; file++)
		for (uint32_t i = 0; i <= file % 7; i++, at++)
			assert_true(gmon.arcs[at].from == file && gmon.arcs[at].self == i);
	assert_int_equal(gmon.arc_count, at);
}

TEST(partly_overlapping_histograms_are_refused)
{
	const uint64_t others[][2] = {
	        {LOW + 4, HIGH}, {LOW, HIGH - 4}, {LOW - 8, LOW + 8}, {LOW + 8, HIGH + 8}, {LOW - 4, HIGH + 4}};

	for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
		uint32_t bins = (uint32_t)(others[i][1] - others[i][0]) / 4;
		struct records first = one_histogram(LOW, HIGH, 4, 1), both = first;
		struct records second = one_histogram(others[i][0], others[i][1], bins, 1);

		put_histogram(&both, others[i][0], others[i][1], bins);
		put_bins(&both, bins, 1);
		gmon_free(&gmon);
		refuse(&both, GMON_AUTO, "offset 0x", "overlaps", NULL);
		decode_alone(&first, GMON_AUTO);
		refuse(&second, GMON_AUTO, "offset 0x14", "overlaps", NULL);
		assert_int_equal(gmon.histograms[0].bins[0], 1);
	}
}

TEST(adjacent_histograms_are_accepted)
{
	struct records first = one_histogram(LOW, HIGH, 4, 1), second = one_histogram(HIGH, HIGH + 8, 2, 1);

	decode(&first, GMON_AUTO);
	decode(&second, GMON_AUTO);
	assert_int_equal(gmon.histogram_count, 2);
}

TEST(different_scales_are_refused)
{
	struct records first = one_histogram(LOW, HIGH, 4, 1);

	decode(&first, GMON_AUTO);
	struct records finer = one_histogram(NEXT, NEXT + 16, 8, 1), same = one_histogram(LOW, HIGH, 5, 1);
	refuse(&finer, GMON_AUTO, "offset 0x14", "bins of 2 bytes", "of 4", "different scales", NULL);
	refuse(&same, GMON_AUTO, "different scales", NULL);
	/* An odd byte at the end makes no difference to the scale. */
	struct records odd = one_histogram(NEXT, NEXT + 17, 4, 1);
	decode(&odd, GMON_AUTO);
}

/* With 1024 bins, one more is within GNU gprof's tolerance of scales: adding must not read past the end. */
TEST(equal_ranges_with_different_bins_are_refused)
{
	struct records first = one_histogram(LOW, LOW + 2, 1024, 1), second = one_histogram(LOW, LOW + 2, 1025, 1);

	decode(&first, GMON_AUTO);
	refuse(&second, GMON_AUTO, "1025", "overlaps", "1024", NULL);
}

TEST(different_rates_and_dimensions_are_refused)
{
	struct records first = one_histogram(LOW, HIGH, 4, 1);
	const struct {
		uint32_t hertz;
		const char *dimension;
		char abbreviation;
		const char *word;
	} others[] = {{101, "seconds", 's', "101 Hz"}, {100, "cycles", 's', "dimension"}, {100, "seconds", 'c', "dim"}};

	for (unsigned i = 0; i < 3; i++) {
		struct records other = begin_file(order, 1), both = first;

		put_histogram_of(&other, NEXT, NEXT + 16, 4, others[i].hertz, others[i].dimension,
		                 others[i].abbreviation);
		put_bins(&other, 4, 1);
		put_histogram_of(&both, NEXT, NEXT + 16, 4, others[i].hertz, others[i].dimension,
		                 others[i].abbreviation);
		put_bins(&both, 4, 1);
		gmon_free(&gmon);
		refuse(&both, GMON_AUTO, "offset 0x", others[i].word, NULL);
		decode_alone(&first, GMON_AUTO);
		refuse(&other, GMON_AUTO, others[i].word, NULL);
	}
}

TEST(file_without_histogram_accepts_any_rate)
{
	struct records arcs = begin_file(order, 1), histogram = one_histogram(LOW, HIGH, 4, 1);

	put_arc(&arcs, LOW, HIGH, 1);
	decode(&arcs, GMON_AUTO);
	decode(&histogram, GMON_AUTO);
	decode(&arcs, GMON_AUTO);
	assert_int_equal(gmon.arc_count, 2);
	assert_true(gmon.unit.hertz > 99.9);
}

/* Each occurs twice, far apart: comparing all pairs would take hours. */
TEST(many_histograms_are_added_up)
{
	const uint32_t count = 200000;
	const size_t record = 1 + 8 + 8 + 16 + 2, size = 20 + 2 * (size_t)count * record;
	uint8_t *bytes = release_later(calloc(1, size), free), *at = bytes + 20;
	struct records one = begin_file(order, 1);

	memcpy(bytes, one.bytes, 20);
	for (uint32_t i = 0; i < 2 * count; i++, at += record) {
		one.size = 0;
		put_histogram(&one, 4 * (uint64_t)(i % count), 4 * (uint64_t)(i % count) + 4, 1);
		put(&one, i % 1000, 2);
		memcpy(at, one.bytes, record);
	}
	assert_success(gmon_decode("many", bytes, size, order, GMON_AUTO, &gmon, &failure), &failure);
	assert_int_equal(gmon.histogram_count, count);
	for (uint32_t i = 0; i < count; i++)
		assert_true(gmon.histograms[i].low == 4 * (uint64_t)i && gmon.histograms[i].bins[0] == 2 * (i % 1000));
}
