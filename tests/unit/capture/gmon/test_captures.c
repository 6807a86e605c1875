/* SPDX-License-Identifier: MIT */
/* Conversion of captures to gmon.out, and of gmon.out to captures. */
#include "../decode.h"
#include "records.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define LOW 0x08000100

/* The capture that is converted. */
static struct fixture {
	struct capture capture;
	struct capture_block block;
	struct capture_cell cells[8];
	struct capture_arc arcs[2];
	char path[16];
} fixture;

static void make_dense(void)
{
	fixture = (struct fixture){
	        .path = "run.bprof",
	        .cells = {{LOW, LOW + 4, 5, CAPTURE_NO_CONTEXT, false},
	                  {LOW + 12, LOW + 14, 70000, CAPTURE_NO_CONTEXT, false}},
	        .arcs = {{LOW + 7, LOW + 9, 3, CAPTURE_NO_CONTEXT}, {0xFFFFFFFD, LOW + 1, 1, CAPTURE_NO_CONTEXT}},
	};
	fixture.block = (struct capture_block){
	        .header = {.order = orders[0], .clock_hz = 1000000, .period = 10000},
	        .ranges = {{LOW, LOW + 14}},
	        .range_count = 1,
	        .bin_size = 4,
	        .cells = fixture.cells,
	        .cell_count = 2,
	        .arcs = fixture.arcs,
	        .arc_count = 2,
	        .arc_capacity = 10,
	};
	fixture.capture = (struct capture){.path = fixture.path, .blocks = &fixture.block, .block_count = 1};
}

static void add(void)
{
	assert_success(gmon_add_capture(&gmon, &fixture.capture, &failure), &failure);
}

static void refuse_to_add(const char *words)
{
	size_t histograms = gmon.histogram_count, arcs = gmon.arc_count;

	assert_failure(gmon_add_capture(&gmon, &fixture.capture, &failure), &failure, words);
	assert_int_equal(gmon.histogram_count, histograms);
	assert_int_equal(gmon.arc_count, arcs);
}

EACH_TEST(NULL, free_files);

TEST(range_becomes_a_histogram_of_equal_bins)
{
	make_dense();
	add();
	assert_gmon(&gmon, "1 files\n100 seconds s\n8000100-8000110 5 0 0 70000\ncalls\n"
	                   "8000107>8000109 3\nfffffffd>8000101 1\n");
}

TEST(samples_are_counted_if_the_rate_is_unknown)
{
	const uint32_t unknown[][2] = {{0, 10000}, {1000000, 0}, {0, 0}};

	for (unsigned i = 0; i < 3; i++) {
		struct records rate_0 = begin_file(&orders[0], 1);

		put_histogram_of(&rate_0, LOW, LOW + 16, 4, 0, "seconds", 's');
		put(&rate_0, 0, 8);
		make_dense();
		fixture.block.header.clock_hz = unknown[i][0];
		fixture.block.header.period = unknown[i][1];
		decode(&rate_0, GMON_AUTO);
		add();
		decode(&rate_0, GMON_AUTO);
		assert_string_equal(gmon.unit.dimension, "samples");
		assert_true(gmon.unit.hertz >= 1 && gmon.unit.hertz <= 1);
		make_dense();
		refuse_to_add("sampled at 100 Hz, earlier captures at an unknown rate");
		gmon_free(&gmon);
	}
}

static void set_rate(uint32_t clock_hz, uint32_t period)
{
	make_dense();
	fixture.block.header.clock_hz = clock_hz;
	fixture.block.header.period = period;
}

TEST(rates_of_captures_are_compared_exactly)
{
	set_rate(10, 20);
	add();
	assert_true(gmon.unit.hertz >= 0.5 && gmon.unit.hertz <= 0.5);
	set_rate(1, 2);
	add();
	set_rate(10, 21);
	refuse_to_add("at 0.4761904762 Hz, earlier captures at 0.5 Hz");
	gmon_free(&gmon);
	set_rate(25000000, 2503);
	add();
	add();
	set_rate(25000001, 2503);
	refuse_to_add("at 9988.014782 Hz, earlier captures at 9988.014383 Hz");
}

TEST(blocks_of_one_capture_have_one_rate)
{
	make_dense();
	struct capture_block blocks[2] = {fixture.block, fixture.block};
	blocks[1].header.period++;
	fixture.capture.blocks = blocks;
	fixture.capture.block_count = 2;
	refuse_to_add("at 99.990001 Hz");
	blocks[1].header.period--;
	add();
	assert_int_equal(gmon.histogram_count, 1);
	assert_int_equal(gmon.histograms[0].bins[3], 140000);
}

/* A file has the rate of a capture in whole hertz; two captures whose rates round to it still differ. */
TEST(file_rate_matches_the_rounded_rate_of_a_capture)
{
	struct records whole = begin_file(&orders[0], 1), other = whole, slow = whole;

	put_histogram_of(&whole, LOW, LOW + 16, 4, 9988, "seconds", 's');
	put(&whole, 0, 8);
	put_histogram_of(&other, LOW, LOW + 16, 4, 9989, "seconds", 's');
	put(&other, 0, 8);
	put_histogram_of(&slow, LOW, LOW + 16, 4, 1, "seconds", 's');
	put(&slow, 0, 8);
	for (unsigned first = 0; first < 2; first++) {
		set_rate(25000000, 2503);
		if (first == 0)
			decode(&whole, GMON_AUTO);
		add();
		decode(&whole, GMON_AUTO);
		assert_true(gmon.unit.hertz > 9988.01 && gmon.unit.hertz < 9988.02);
		refuse(&other, GMON_AUTO, "at 9989 Hz, earlier captures at 9988.014383 Hz", NULL);
		set_rate(25000001, 2503);
		refuse_to_add("at 9988.014782 Hz");
		gmon_free(&gmon);
	}
	decode(&slow, GMON_AUTO);
	set_rate(10, 9);
	refuse_to_add("at 1.111111111 Hz, earlier captures at 1 Hz");
}

TEST(captures_and_files_add_up)
{
	struct records records = begin_file(&orders[0], 1);

	put_histogram(&records, LOW, LOW + 16, 4);
	for (unsigned i = 0; i < 4; i++)
		put(&records, 1, 2);
	make_dense();
	add();
	decode(&records, GMON_AUTO);
	add();
	assert_gmon(&gmon, "3 files\n100 seconds s\n8000100-8000110 11 1 1 140001\ncalls\n8000107>8000109 3\n"
	                   "fffffffd>8000101 1\n8000107>8000109 3\nfffffffd>8000101 1\n");
}

TEST(granules_become_bins_and_coarse_bins_are_left_out)
{
	make_dense();
	fixture.block.bin_size = 0;
	fixture.block.granule_size = 8;
	fixture.block.coarse_size = 64;
	fixture.block.ranges[0] = (struct capture_range){LOW + 4, LOW + 20};
	const struct capture_cell cells[] = {
	        {LOW, LOW + 8, 2, 0, false},
	        {LOW, LOW + 8, 3, 1, false},
	        {LOW + 4, LOW + 20, 100, CAPTURE_NO_CONTEXT, true},
	        {LOW + 16, LOW + 24, 4, 0, false},
	        {0xFEFFFFF8, 0xFF000000, 9, 0, false},
	};
	memcpy(fixture.cells, cells, sizeof cells);
	fixture.block.cell_count = 5;
	add();
	assert_gmon(&gmon,
	            "1 files\n100 seconds s\n8000100-8000118 5 0 4\ncalls\n8000107>8000109 3\nfffffffd>8000101 1\n");
}

TEST(captures_that_do_not_fit_gmon_are_refused)
{
	make_dense();
	add();
	fixture.block.header.clock_hz = 2000000;
	refuse_to_add("sampled at 200 Hz, earlier captures at 100 Hz");
	make_dense();
	fixture.block.ranges[1] = (struct capture_range){LOW + 14, LOW + 18};
	fixture.block.range_count = 2;
	refuse_to_add("share a bin");
	make_dense();
	fixture.block.ranges[0] = (struct capture_range){LOW + 8, LOW + 14};
	refuse_to_add("overlaps");
	make_dense();
	fixture.block.bin_size = 2;
	refuse_to_add("lie across bins of 2 bytes");
	make_dense();
	fixture.block.ranges[0].end = 0xFFFFFFFF;
	refuse_to_add("end of memory");
}

static void make_wide(uint64_t start)
{
	make_dense();
	fixture.block.bin_size = 1;
	fixture.block.ranges[0] = (struct capture_range){start, start + (32 << 20)};
	fixture.block.cells[0] = (struct capture_cell){start + 5, start + 6, 2, CAPTURE_NO_CONTEXT, false};
	fixture.block.cell_count = 1;
}

/* Allocating and adding all bins of each block would take hours. */
TEST(cost_of_adding_depends_on_samples_not_ranges)
{
	struct capture_block *blocks = release_later(calloc(CAPTURE_BLOCKS_MAX, sizeof *blocks), free);

	assert_non_null(blocks);
	make_wide(LOW);
	for (size_t i = 0; i < CAPTURE_BLOCKS_MAX; i++)
		blocks[i] = fixture.block;
	for (unsigned i = 0; i < 3; i++)
		add();
	fixture.capture.blocks = blocks;
	fixture.capture.block_count = CAPTURE_BLOCKS_MAX;
	for (unsigned i = 0; i < 3; i++)
		add();
	assert_int_equal(gmon.histogram_count, 1);
	assert_int_equal(gmon.histograms[0].bins[5], 2 * (3 + 3 * CAPTURE_BLOCKS_MAX));
	assert_int_equal(gmon.records.histograms, CAPTURE_BLOCKS_MAX);
}

TEST(total_size_of_ranges_is_bounded)
{
	make_wide(LOW);
	add();
	fixture.block.ranges[0] = (struct capture_range){LOW - 1, LOW};
	refuse_to_add("all ranges together are too wide");
	make_wide(LOW);
	add();
	gmon_free(&gmon);
	fixture.block.range_count = 2;
	fixture.block.ranges[1] = (struct capture_range){LOW + (32 << 20), LOW + (32 << 20) + 1};
	refuse_to_add("all ranges together are too wide");
}

static struct capture *convert(const struct capture_order *order)
{
	struct capture *capture = NULL;

	assert_success(gmon_to_capture("gmon.out", &gmon, order, &capture, &failure), &failure);
	assert_string_equal(capture->path, "gmon.out");
	return close_capture_later(capture);
}

TEST(gmon_becomes_a_capture_that_adds_up)
{
	for (unsigned i = 0; i < 4; i++) {
		struct gmon again = {0};
		struct records records = begin_file(&orders[i], 1);

		put_histogram(&records, LOW, LOW + 16, 4);
		for (unsigned bin = 0; bin < 4; bin++)
			put(&records, bin, 2);
		put_arc(&records, LOW + 5, LOW + 8, 9);
		put_arc(&records, LOW + 5, LOW + 9, 0);
		put_arc(&records, LOW + 5, 0, 4);
		decode(&records, GMON_AUTO);
		struct capture *capture = convert(&orders[i]);
		assert_int_equal(capture->block_count, 1);
		struct capture_block *block = &capture->blocks[0];
		assert_true(block->is_gmon);
		assert_int_equal(block->header.order.address_size, orders[i].address_size);
		assert_int_equal(block->header.clock_hz / block->header.period, 100);
		assert_int_equal(block->header.ticks, 6);
		assert_int_equal(block->cell_count, 3);
		assert_int_equal(block->cells[0].low, LOW + 4);
		assert_int_equal(block->cells[0].high, LOW + 8);
		assert_int_equal(block->arc_count, 1);
		assert_int_equal(block->arcs[0].count, 9);
		assert_int_equal(block->arcs_in_flight, 1);
		assert_int_equal(capture_sum_samples(block).balance, CAPTURE_ADDS_UP);
		assert_success(gmon_add_capture(&again, capture, &failure), &failure);
		assert_int_equal(again.histogram_count, 1);
		assert_memory_equal(again.histograms[0].bins, gmon.histograms[0].bins, 4 * sizeof(uint64_t));
		gmon_free(&again);
		gmon_free(&gmon);
	}
}

TEST(bins_of_fractional_bytes_are_widened)
{
	struct gmon again = {0};
	struct records records = begin_file(&orders[0], 1);

	put_histogram(&records, LOW, LOW + 10, 4);
	for (unsigned bin = 0; bin < 4; bin++)
		put(&records, 1, 2);
	decode(&records, GMON_AUTO);
	struct capture *capture = convert(&orders[0]);
	const uint64_t bounds[4][2] = {{0, 3}, {2, 5}, {5, 8}, {7, 10}};
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(capture->blocks[0].cells[i].low, LOW + bounds[i][0]);
		assert_int_equal(capture->blocks[0].cells[i].high, LOW + bounds[i][1]);
	}
	assert_failure(gmon_add_capture(&again, capture, &failure), &failure, "lie across bins of 3 bytes");
}

TEST(many_histograms_become_several_blocks)
{
	struct records records = begin_file(&orders[0], 1);

	for (unsigned i = 9; i > 0; i--) {
		put_histogram(&records, LOW + i * 0x100, LOW + i * 0x100 + 4, 1);
		put(&records, i, 2);
	}
	put_arc(&records, LOW, LOW + 8, 1);
	decode(&records, GMON_AUTO);
	struct capture *capture = convert(&orders[0]);
	uint64_t samples = 0;
	size_t arcs = 0;
	assert_int_equal(capture->block_count, 3);
	for (size_t i = 0; i < 3; i++) {
		samples += capture_sum_samples(&capture->blocks[i]).fine;
		arcs += capture->blocks[i].arc_count;
	}
	assert_int_equal(samples, 45);
	assert_int_equal(arcs, 1);
	assert_true(capture->blocks[0].cells[0].low < capture->blocks[0].cells[1].low);
}

TEST(empty_file_is_an_empty_capture)
{
	struct capture *capture = convert(&orders[2]);

	assert_int_equal(capture->block_count, 1);
	assert_int_equal(capture->blocks[0].cell_count, 0);
	assert_int_equal(capture->blocks[0].header.clock_hz, 0);
}

TEST(dimensions_other_than_seconds_are_refused)
{
	const struct {
		uint32_t hertz;
		const char *dimension, *refusal;
	} files[] = {
	        {100, "seconds", NULL},      {0, "seconds", NULL},
	        {1, "samples", NULL},        {100, "cycles", "stand for cycles, not seconds: bareprof gprof"},
	        {1, "cycles", "cycles"},     {100, "second", "second, "},
	        {100, "samples", "samples"}, {100, "", "nothing"},
	};

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		struct capture *capture = NULL;
		struct records records = begin_file(&orders[0], 1);

		put_histogram_of(&records, LOW, LOW + 4, 1, files[i].hertz, files[i].dimension, 's');
		put(&records, 1, 2);
		decode(&records, GMON_AUTO);
		enum status status = gmon_to_capture("gmon.out", &gmon, &orders[0], &capture, &failure);
		assert_int_equal(status, files[i].refusal == NULL ? STATUS_OK : STATUS_FAILED);
		if (files[i].refusal != NULL)
			assert_non_null(strstr(failure.message, files[i].refusal));
		else
			assert_int_equal(close_capture_later(capture)->blocks[0].header.clock_hz, i == 0 ? 100 : 0);
		gmon_free(&gmon);
	}
}

TEST(basic_blocks_are_reported)
{
	struct records records = begin_file(&orders[0], 1);

	put(&records, 2, 1);
	put(&records, 2, 4);
	for (unsigned i = 0; i < 2; i++) {
		put_address(&records, LOW);
		put_address(&records, 5);
	}
	decode(&records, GMON_AUTO);
	struct capture *capture = convert(&orders[0]);
	assert_int_equal(capture->blocks[0].basic_block_count, 2);
}
