/* SPDX-License-Identifier: MIT */
/* Time by region of memory: every function in one region, sums, and errors. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/regions.h"
#include "test.h"

#define FUNCTIONS 8u
#define SIZE      16u

static int set_up(void **state)
{
	return firmware_set_up(firmware_create("regions", FUNCTIONS, SIZE));
}

/* f0 to f2 and the first half of f3 are fast, f4 and f5 are slow, the rest is elsewhere. */
static const struct image_region two_regions[] = {
        {"fast", FIRMWARE_BASE, FIRMWARE_BASE + 3 * SIZE + SIZE / 2},
        {"slow", FIRMWARE_BASE + 4 * SIZE, FIRMWARE_BASE + 6 * SIZE},
};

static const struct profile *find(const struct image_region *regions, size_t count)
{
	struct profile *profile = firmware_run(NULL);

	assert_success(analysis_find_regions(profile, regions, count, &failure), &failure);
	return profile;
}

static double sum_of_times(const struct profile *profile)
{
	double sum = 0;

	for (size_t i = 0; i < profile->region_count; i++)
		sum += profile->regions[i].time;
	return sum;
}

EACH_TEST(set_up, NULL);

TEST(function_belongs_to_the_region_where_it_begins)
{
	firmware_samples(3, 100);
	firmware_samples(4, 10);
	firmware_samples(6, 1);
	const struct profile *profile = find(two_regions, 2);
	assert_int_equal(profile->region_count, 3);
	assert_int_equal(profile_region_of(profile, &profile->nodes[3]), 0);
	assert_int_equal(profile_region_of(profile, &profile->nodes[4]), 1);
	assert_int_equal(profile_region_of(profile, &profile->nodes[6]), 2);
	assert_near(profile->regions[0].time, 1);
	assert_near(profile->regions[1].time, 0.1);
	assert_near(profile->regions[2].time, 0.01);
	assert_int_equal(profile->regions[0].function_count, 4);
	assert_int_equal(profile->regions[0].function_bytes, 4 * SIZE);
	assert_int_equal(profile->regions[1].function_count, 2);
	assert_int_equal(profile->regions[2].function_count, 2);
	assert_null(profile->regions[2].name);
}

TEST(end_of_a_region_is_not_in_it)
{
	const struct image_region regions[] = {{"a", firmware_start_of(1), firmware_start_of(2)},
	                                       {"b", firmware_start_of(2), firmware_start_of(3)}};

	for (unsigned i = 0; i < 4; i++)
		firmware_samples(i, 1);
	const struct profile *profile = find(regions, 2);
	const size_t expected[] = {2, 0, 1, 2};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(profile_region_of(profile, &profile->nodes[i]), expected[i]);
}

/* Also samples outside all code, those that only a coarse bin counted, and the sampling interrupt's time. */
TEST(times_of_regions_add_up_to_all_time)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	firmware_samples(0, 100);
	firmware_samples(5, 200);
	firmware_sample(fixture.capture, firmware_start_of(FUNCTIONS) + 0x1000, firmware_start_of(FUNCTIONS) + 0x1010,
	                50);
	block->header.samples_outside = 30;
	block->header.ticks += 30;
	block->has_tick_cost = true;
	block->tick_cost = 2 * block->header.ticks;
	const struct profile *profile = find(two_regions, 2);
	assert_near(profile->total_time, 3.8);
	assert_near(sum_of_times(profile), profile->total_time);
	assert_near(profile->regions[0].time, 0.8);
	assert_near(profile->regions[1].time, 1.6);
	assert_near(profile->regions[2].recorder_time, 0.76);
}

TEST(code_without_a_symbol_is_in_a_region)
{
	const struct image_region ram = {"ram", 0x20000000, 0x20010000};

	firmware_samples(0, 100);
	firmware_sample(fixture.capture, 0x20000000, 0x20000010, 50);
	const struct profile *profile = find(&ram, 1);
	assert_near(profile->regions[0].time, 0.5);
	assert_int_equal(profile->regions[0].function_count, 0);
	assert_near(profile->regions[1].time, 1);
}

TEST(coarse_bin_over_a_border_is_in_no_region)
{
	const struct image_region regions[] = {{"a", 0x20000000, 0x20000040}, {"b", 0x20000040, 0x20000080}};
	const struct profile_node across = {.kind = PROFILE_TABLE_FULL, .address = 0x20000030, .end = 0x20000050};
	const struct profile_node within = {.kind = PROFILE_TABLE_FULL, .address = 0x20000030, .end = 0x20000040};
	const struct profile *profile = find(regions, 2);

	assert_int_equal(profile_region_of(profile, &across), 2);
	assert_int_equal(profile_region_of(profile, &within), 0);
}

TEST(errors_are_those_of_counting)
{
	firmware_samples(0, 100);
	firmware_samples(1, 300);
	firmware_samples(4, 250);
	const struct profile *profile = find(two_regions, 2);
	assert_near(profile->regions[0].variance * 1e4, 400);
	assert_near(profile->regions[1].variance * 1e4, 250);
	assert_true(profile->regions[2].variance <= 0);
}

/* Which of f1 and f2 ran is in doubt, which memory is not; the other bin covers functions of both regions. */
TEST(bin_within_one_region_is_not_in_doubt)
{
	const struct image_region regions[] = {{"a", firmware_start_of(0), firmware_start_of(4)},
	                                       {"b", firmware_start_of(4), firmware_start_of(6)}};

	for (unsigned i = 1; i <= 4; i++)
		firmware_arc(fixture.capture, firmware_start_of(0) + 5, firmware_start_of(i) + 1, 1);
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	const struct profile *profile = find(regions, 2);
	assert_true(profile->nodes[1].self_variance * 1e4 > 1000);
	firmware_sample(fixture.capture, firmware_start_of(3), firmware_start_of(5), 400);
	profile = find(regions, 2);
	double doubt = (400.0 * 400 / 2 - 400) / 4;
	assert_near(profile->regions[0].variance * 1e4, 600 + doubt);
	assert_near(profile->regions[1].variance * 1e4, 200 + doubt);
}

/* No call says that f1 or f2 ran, but one of them did. */
TEST(only_shared_functions_of_a_region_are_not_in_doubt)
{
	const struct image_region regions[] = {{"a", firmware_start_of(0), firmware_start_of(4)},
	                                       {"b", firmware_start_of(4), firmware_start_of(6)}};

	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	firmware_samples(5, 100);
	const struct profile *profile = find(regions, 2);
	assert_true(profile->nodes[1].is_only_shared);
	assert_near(profile->regions[0].variance * 1e4, 400);
}

/* One segment, one section. */
TEST(without_a_choice_regions_are_those_of_the_image)
{
	firmware_samples(0, 100);
	const struct profile *profile = find(NULL, 0);
	assert_int_equal(profile->region_count, 2);
	assert_string_equal(profile->regions[0].name, ".text");
	assert_int_equal(profile->regions[0].start, FIRMWARE_BASE);
	assert_near(profile->regions[0].time, 1);
}
