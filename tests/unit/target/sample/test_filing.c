/* SPDX-License-Identifier: MIT */
/* What was sampled becomes a capture whose shares are right within the errors that its counts tell of. */
#include "core.h"
#include "target/sample/filing.h"
#include "test.h"

#include <bareprof/block.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 200
/* A batch in each round of the core's program, on average: what kept step with it would see one place of it only. */
#define RATE   16000
#define SECOND UINT64_C(1000000000)
/* Hardly more than enough batches to tell how far they differ. */
#define MOMENT UINT64_C(35000000)

static const struct filing plain = {.source = "core:0", .time = 1, .seed = 1};
static struct error error;

static struct capture *file_batches(const struct batches *batches, const struct filing *filing)
{
	struct capture *capture;
	uint8_t *file;
	size_t size;

	assert_int_equal(filing_encode(batches, filing, &file, &size, &error), STATUS_OK);
	assert_int_equal(capture_decode("run.bprof", file, size, &capture, &error), STATUS_OK);
	free(file);
	return capture;
}

/* Of the core's program. */
static struct capture *sample_core(uint64_t nanoseconds, uint64_t seed)
{
	struct core core;
	struct batches batches;
	struct sampling_end end;
	struct filing filing = plain;

	core_init(&core);
	core.now = seed * 77777; /* the program is somewhere */
	filing.seed = seed;
	const struct sampling_plan plan = {
	        .nanoseconds = nanoseconds, .rate = RATE, .seed = seed, .cancel = -1, .stopwatch = &core.stopwatch};
	assert_true(batches_begin(&batches, &core_image));
	assert_int_equal(sampling_run(&core.target, &plan, &batches, &end, &error), STATUS_OK);
	struct capture *capture = file_batches(&batches, &filing);
	batches_free(&batches);
	return capture;
}

static uint64_t count_in(const struct capture *capture, uint64_t low, uint64_t high)
{
	uint64_t count = 0;

	for (size_t i = 0; i < capture->blocks[0].cell_count; i++)
		if (capture->blocks[0].cells[i].low >= low && capture->blocks[0].cells[i].low < high)
			count += capture->blocks[0].cells[i].count;
	return count;
}

static const struct {
	uint64_t low, high;
	double share;
} parts[] = {
        {CORE_WORK_START, CORE_FILTER_START, CORE_SHARE_WORK},
        {CORE_FILTER_START, CORE_CODE_END, CORE_SHARE_FILTER},
        {BAREPROF_PC_UNAVAILABLE, UINT64_C(1) << 32, CORE_SHARE_ASLEEP},
        {CORE_BOOT_ROM_PC, CORE_BOOT_ROM_PC + 2, CORE_SHARE_UNKNOWN},
};
#define PARTS (sizeof parts / sizeof parts[0])

/* Errors are square roots of counts. One of them holds in 68 of 100 cases, two in 95; that fewer do by chance alone in
 * 200 cases is as likely as 1 in 1000 and less. */
static void assert_right_within_errors(uint64_t nanoseconds, double useful)
{
	unsigned within_one[PARTS] = {0}, within_two[PARTS] = {0};
	double sum[PARTS] = {0}, error_sum[PARTS] = {0};

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct capture *capture = sample_core(nanoseconds, seed);
		double ticks = (double)capture->blocks[0].header.ticks;
		for (size_t i = 0; i < PARTS; i++) {
			double count = (double)count_in(capture, parts[i].low, parts[i].high);
			double deviation = fabs(count - parts[i].share * ticks);
			within_one[i] += deviation <= sqrt(count);
			within_two[i] += deviation <= 2 * sqrt(count);
			sum[i] += count / ticks;
			error_sum[i] += sqrt(count) / ticks;
		}
		capture_close(capture);
	}
	for (size_t i = 0; i < PARTS; i++) {
		assert_true(within_one[i] >= 116);
		assert_true(within_two[i] >= 180);
		/* Nor is the error of all seeds together larger than chance allows. */
		assert_true(fabs(sum[i] / SEEDS - parts[i].share) < 4 * error_sum[i] / SEEDS / sqrt(SEEDS));
		assert_true(error_sum[i] / SEEDS < useful);
	}
}

/* A second of 10,000 reads tells shares to two percent. */
TEST(shares_are_right_within_the_error_of_their_counts)
{
	assert_right_within_errors(SECOND, 0.02);
}

/* To ten percent where there are hardly enough of them. */
TEST(so_they_are_of_few_batches)
{
	assert_right_within_errors(MOMENT, 0.1);
}

TEST(samples_make_up_the_ticks_and_their_time_the_second)
{
	struct capture *capture = sample_core(SECOND, 3);
	const struct capture_block *block = &capture->blocks[0];

	assert_true(block->is_sampled);
	assert_true(block->has_tick_cost);
	assert_int_equal(block->tick_cost, 0);
	assert_int_equal(block->distances, CAPTURE_DISTANCES_RANDOM);
	assert_false(capture_is_sum(capture));
	assert_int_equal(capture_sum_samples(block).balance, CAPTURE_ADDS_UP);
	assert_int_equal(count_in(capture, 0, UINT64_C(1) << 32), block->header.ticks);
	double seconds = (double)block->header.ticks * block->header.period / block->header.clock_hz;
	assert_true(fabs(seconds - 1) < 0.02);
	assert_string_equal(capture->source, "core:0");
	assert_int_equal(block->range_count, 1);
	assert_int_equal(block->ranges[0].end, CORE_CODE_END);
	capture_close(capture);
}

/* Of reads in batches of 16 that never leave a function, each batch is one sample. */
TEST(batches_within_one_function_are_one_sample_each)
{
	struct batches batches;
	uint32_t words[16];

	assert_true(batches_begin(&batches, &core_image));
	for (unsigned i = 0; i < 1000; i++) {
		for (size_t j = 0; j < 16; j++)
			words[j] = (uint32_t)(i * 7919 % 10 == 0 ? CORE_WORK_START : CORE_FILTER_START);
		assert_true(batches_add(&batches, words, 16));
	}
	/* Less than 16 as counts of nine tenths vary less than as many independent events. */
	assert_in_range((uintmax_t)batches_design_effect(&batches), 14, 16);
	batches_free(&batches);
}

/* Half of each batch is asleep, more or less; the other half is within one of three functions, in turn. Each of these
 * is found by too few batches to be told by itself. */
TEST(functions_that_few_batches_found_count_together)
{
	static const uint32_t rare[] = {CORE_WORK_START, CORE_FILTER_START, CORE_BOOT_ROM_PC};
	struct batches batches;
	uint32_t words[16];

	assert_true(batches_begin(&batches, &core_image));
	for (unsigned i = 0; i < 80; i++) {
		for (size_t j = 0; j < 16; j++)
			words[j] = j < 7 + i % 3 ? BAREPROF_PC_UNAVAILABLE : rare[i / 3 % 3];
		assert_true(batches_add(&batches, words, 16));
	}
	/* Eight, but for what the share of a sixth takes from it. */
	assert_in_range((uintmax_t)(10 * batches_design_effect(&batches)), 45, 80);
	assert_true(fabs(batches_largest_share(&batches) - 0.5) < 0.01);
	batches_free(&batches);
}

/* As in a report, where they are one row. */
TEST(functions_of_the_recorder_are_one)
{
	struct image image = core_image;
	struct batches batches;
	const uint32_t words[] = {CORE_WORK_START, CORE_FILTER_START, CORE_FILTER_START, CORE_BOOT_ROM_PC};

	image.recorder_start = CORE_WORK_START;
	image.recorder_end = CORE_CODE_END;
	assert_true(batches_begin(&batches, &image));
	assert_true(batches_add(&batches, words, 4));
	assert_true(fabs(batches_largest_share(&batches) - 0.75) < 0.01);
	batches_free(&batches);
}

TEST(thirty_batches_are_enough_to_tell_how_they_differ)
{
	struct batches batches;
	const uint32_t words[] = {CORE_WORK_START, CORE_FILTER_START, CORE_FILTER_START, CORE_BOOT_ROM_PC};

	assert_true(batches_begin(&batches, &core_image));
	for (unsigned i = 1; i < 30; i++) {
		assert_true(batches_add(&batches, words, 4));
		assert_false(batches_are_enough(&batches));
		assert_int_equal(filing_samples(&batches), i);
	}
	assert_true(batches_add(&batches, words, 4));
	assert_true(batches_are_enough(&batches));
	assert_int_equal(filing_samples(&batches), 120);
	batches_free(&batches);
}

static double effect_on_independent_reads(uint32_t rare, uint32_t usual)
{
	struct batches batches;
	unsigned short random[] = {1, 2, 3};
	uint32_t words[16];

	assert_true(batches_begin(&batches, &core_image));
	for (unsigned i = 0; i < 1000; i++) {
		for (size_t j = 0; j < 16; j++)
			words[j] = erand48(random) < 0.1 ? rare : usual;
		assert_true(batches_add(&batches, words, 16));
	}
	double effect = batches_design_effect(&batches);
	batches_free(&batches);
	return effect;
}

TEST(independent_reads_are_a_sample_each)
{
	assert_true(effect_on_independent_reads(CORE_WORK_START, CORE_FILTER_START) < 1.2);
	assert_true(effect_on_independent_reads(CORE_WORK_START, CORE_BOOT_ROM_PC) < 1.2);
	assert_true(effect_on_independent_reads(BAREPROF_PC_UNAVAILABLE, CORE_BOOT_ROM_PC) < 1.2);
}

TEST(one_batch_is_the_worst_case)
{
	struct batches batches = {0};
	const uint32_t words[] = {CORE_WORK_START, CORE_FILTER_START, CORE_FILTER_START};

	assert_true(batches_begin(&batches, &core_image));
	assert_true(batches_add(&batches, words, 3));
	batches.nanoseconds = 1000;
	assert_int_equal(filing_samples(&batches), 1);
	struct capture *capture = file_batches(&batches, &plain);
	assert_int_equal(capture->blocks[0].header.ticks, 1);
	capture_close(capture);
	batches_free(&batches);
}

TEST(rare_samples_have_a_slower_clock)
{
	struct batches batches = {0};
	const uint32_t word = CORE_WORK_START;

	assert_true(batches_begin(&batches, &core_image));
	assert_true(batches_add(&batches, &word, 1));
	batches.nanoseconds = UINT64_C(3600000000000);
	struct capture *capture = file_batches(&batches, &plain);
	const struct capture_header *header = &capture->blocks[0].header;
	assert_int_equal(header->period / header->clock_hz, 3600);
	capture_close(capture);
	batches_free(&batches);
}

TEST(only_the_build_that_was_compared_is_named)
{
	struct batches batches;
	struct filing filing = plain;
	const uint32_t word = CORE_WORK_START;

	assert_true(batches_begin(&batches, &core_image));
	assert_true(batches_add(&batches, &word, 1));
	struct capture *capture = file_batches(&batches, &filing);
	assert_int_equal(capture->blocks[0].header.identity_kind, 0);
	capture_close(capture);
	filing.is_same_build = true;
	capture = file_batches(&batches, &filing);
	assert_int_equal(capture->blocks[0].header.identity_size, 2);
	assert_memory_equal(capture->blocks[0].header.identity, core_image.build_id, 2);
	capture_close(capture);
	batches_free(&batches);
}

TEST(more_pieces_of_code_than_ranges_are_joined_where_they_are_closest)
{
	struct image_code code[] = {{.address = 0x100, .size = 0x10},
	                            {.address = 0x1000, .size = 0x10},
	                            {.address = 0x1020, .size = 0x10},
	                            {.address = 0x8000, .size = 0x10},
	                            {.address = 0x20000000, .size = 0x10}};
	struct image image = core_image;
	struct batches batches;
	const uint32_t word = CORE_WORK_START;

	image.code = code;
	image.code_count = 5;
	assert_true(batches_begin(&batches, &image));
	assert_true(batches_add(&batches, &word, 1));
	struct capture *capture = file_batches(&batches, &plain);
	assert_int_equal(capture->blocks[0].range_count, 4);
	assert_int_equal(capture->blocks[0].ranges[1].start, 0x1000);
	assert_int_equal(capture->blocks[0].ranges[1].end, 0x1030);
	assert_int_equal(capture->blocks[0].ranges[3].end, 0x20000010);
	capture_close(capture);
	batches_free(&batches);
}
