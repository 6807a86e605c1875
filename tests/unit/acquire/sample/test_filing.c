/* SPDX-License-Identifier: MIT */
/* Captures of samples: shares are right within the errors that follow from their counts. */
#include "acquire/sample/filing.h"
#include "core.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <math.h>
#include <stdlib.h>

#define SEEDS 200
/* On average a batch for each run of the core's program: regular samples would always hit the same place. */
#define RATE   16000
#define SECOND UINT64_C(1000000000)
/* Hardly more batches than needed to estimate how much they differ. */
#define MOMENT UINT64_C(35000000)

static const struct filing plain = {.source = "core:0", .time = 1, .seed = 1};
static struct batches batches; /* of core_image */

static int begin(void **state)
{
	return batches_begin(&batches, &core_image) ? 0 : -1;
}

static int end(void **state)
{
	batches_free(&batches);
	return 0;
}

static struct capture *file_batches(const struct filing *filing)
{
	struct capture *capture;
	uint8_t *file;
	size_t size;

	assert_success(filing_encode(&batches, filing, &file, &size, &failure), &failure);
	assert_success(capture_decode("run.bprof", file, size, &capture, &failure), &failure);
	free(file);
	return close_capture_later(capture);
}

/* Samples the core's program. */
static struct capture *sample_core(uint64_t nanoseconds, uint64_t seed)
{
	struct core core;
	struct sampling_end ended;
	struct filing filing = plain;

	core_init(&core);
	core.now = seed * 77777; /* anywhere in the program */
	filing.seed = seed;
	const struct sampling_plan plan = {.sampler = &sampler_pcsr,
	                                   .nanoseconds = nanoseconds,
	                                   .rate = RATE,
	                                   .seed = seed,
	                                   .cancel = -1,
	                                   .clock = &core_clock};
	batches_free(&batches);
	assert_true(batches_begin(&batches, &core_image));
	assert_success(sampling_run(&core.target, &plan, &batches, &ended, &failure), &failure);
	return file_batches(&filing);
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

/* Errors are square roots of counts. 68 of 100 deviations are within one error, 95 within two. The limits for 200 cases
 * below are missed by chance with a probability of less than 1 in 1000. */
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
	}
	for (size_t i = 0; i < PARTS; i++) {
		assert_true(within_one[i] >= 116);
		assert_true(within_two[i] >= 180);
		/* The mean over all seeds has a smaller error. */
		assert_true(fabs(sum[i] / SEEDS - parts[i].share) < 4 * error_sum[i] / SEEDS / sqrt(SEEDS));
		assert_true(error_sum[i] / SEEDS < useful);
	}
}

EACH_TEST(begin, end);

/* A second gives shares to two percent, */
TEST(shares_are_right_within_the_error_of_their_counts)
{
	assert_right_within_errors(SECOND, 0.02);
}

/* and a few batches to ten percent. */
TEST(shares_of_few_batches_are_right_within_their_error)
{
	assert_right_within_errors(MOMENT, 0.1);
}

TEST(samples_add_up_to_the_ticks_and_the_sampled_time)
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
}

/* If no batch of 16 reads leaves its function, each batch is one sample. */
TEST(each_batch_within_one_function_is_one_sample)
{
	uint32_t words[16];

	for (unsigned i = 0; i < 1000; i++) {
		for (size_t j = 0; j < 16; j++)
			words[j] = (uint32_t)(i * 7919 % 10 == 0 ? CORE_WORK_START : CORE_FILTER_START);
		assert_true(batches_add(&batches, words, 16));
	}
	/* Less than 16, as a count that is nine tenths of all varies less than as many independent events. */
	assert_in_range((uintmax_t)batches_design_effect(&batches), 14, 16);
}

/* Half of each batch is asleep, more or less; the other half is in one of three functions, in turn. Each function is in
 * too few batches for an estimate of its own. */
TEST(functions_in_few_batches_count_together)
{
	static const uint32_t rare[] = {CORE_WORK_START, CORE_FILTER_START, CORE_BOOT_ROM_PC};
	uint32_t words[16];

	for (unsigned i = 0; i < 80; i++) {
		for (size_t j = 0; j < 16; j++)
			words[j] = j < 7 + i % 3 ? BAREPROF_PC_UNAVAILABLE : rare[i / 3 % 3];
		assert_true(batches_add(&batches, words, 16));
	}
	/* Eight, less the variance that a share of a sixth lacks. */
	assert_in_range((uintmax_t)(10 * batches_design_effect(&batches)), 45, 80);
	assert_true(fabs(batches_largest_share(&batches) - 0.5) < 0.01);
}

/* A report shows them as one row, too. */
TEST(functions_of_the_recorder_count_as_one)
{
	struct image image = core_image;
	const uint32_t words[] = {CORE_WORK_START, CORE_FILTER_START, CORE_FILTER_START, CORE_BOOT_ROM_PC};

	image.recorder = &(struct image_range){CORE_WORK_START, CORE_CODE_END};
	image.recorder_count = 1;
	batches.image = &image;
	assert_true(batches_add(&batches, words, 4));
	assert_true(fabs(batches_largest_share(&batches) - 0.75) < 0.01);
}

TEST(thirty_batches_are_enough_to_estimate_their_variance)
{
	const uint32_t words[] = {CORE_WORK_START, CORE_FILTER_START, CORE_FILTER_START, CORE_BOOT_ROM_PC};

	for (unsigned i = 1; i < 30; i++) {
		assert_true(batches_add(&batches, words, 4));
		assert_false(batches_are_enough(&batches));
		assert_int_equal(filing_samples(&batches), i);
	}
	assert_true(batches_add(&batches, words, 4));
	assert_true(batches_are_enough(&batches));
	assert_int_equal(filing_samples(&batches), 120);
}

TEST(each_independent_read_is_one_sample)
{
	static const uint32_t pairs[][2] = {{CORE_WORK_START, CORE_FILTER_START},
	                                    {CORE_WORK_START, CORE_BOOT_ROM_PC},
	                                    {BAREPROF_PC_UNAVAILABLE, CORE_BOOT_ROM_PC}};

	for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++) {
		unsigned short random[] = {1, 2, 3};
		uint32_t words[16];
		end(NULL);
		begin(NULL);
		for (unsigned i = 0; i < 1000; i++) {
			for (size_t j = 0; j < 16; j++)
				words[j] = pairs[pair][erand48(random) < 0.1 ? 0 : 1];
			assert_true(batches_add(&batches, words, 16));
		}
		assert_true(batches_design_effect(&batches) < 1.2);
	}
}

TEST(single_batch_is_worth_one_sample)
{
	const uint32_t words[] = {CORE_WORK_START, CORE_FILTER_START, CORE_FILTER_START};

	assert_true(batches_add(&batches, words, 3));
	batches.nanoseconds = 1000;
	assert_int_equal(filing_samples(&batches), 1);
	struct capture *capture = file_batches(&plain);
	assert_int_equal(capture->blocks[0].header.ticks, 1);
}

TEST(rare_samples_have_a_slower_clock)
{
	const uint32_t word = CORE_WORK_START;

	assert_true(batches_add(&batches, &word, 1));
	batches.nanoseconds = UINT64_C(3600000000000);
	struct capture *capture = file_batches(&plain);
	const struct capture_header *header = &capture->blocks[0].header;
	assert_int_equal(header->period / header->clock_hz, 3600);
}

TEST(build_id_is_recorded_only_if_it_was_compared)
{
	struct filing filing = plain;
	const uint32_t word = CORE_WORK_START;

	assert_true(batches_add(&batches, &word, 1));
	struct capture *capture = file_batches(&filing);
	assert_int_equal(capture->blocks[0].header.identity_kind, 0);
	filing.is_same_build = true;
	capture = file_batches(&filing);
	assert_int_equal(capture->blocks[0].header.identity_size, 2);
	assert_memory_equal(capture->blocks[0].header.identity, core_image.build_id, 2);
}

TEST(excess_pieces_of_code_are_joined_to_the_closest)
{
	struct image_code code[] = {{.address = 0x100, .size = 0x10},
	                            {.address = 0x1000, .size = 0x10},
	                            {.address = 0x1020, .size = 0x10},
	                            {.address = 0x8000, .size = 0x10},
	                            {.address = 0x20000000, .size = 0x10}};
	struct image image = core_image;
	const uint32_t word = CORE_WORK_START;

	image.code = code;
	image.code_count = 5;
	batches.image = &image;
	assert_true(batches_add(&batches, &word, 1));
	struct capture *capture = file_batches(&plain);
	assert_int_equal(capture->blocks[0].range_count, 4);
	assert_int_equal(capture->blocks[0].ranges[1].start, 0x1000);
	assert_int_equal(capture->blocks[0].ranges[1].end, 0x1030);
	assert_int_equal(capture->blocks[0].ranges[3].end, 0x20000010);
}
