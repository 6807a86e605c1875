/* SPDX-License-Identifier: MIT */
/* Distances between samples: random, with a given mean, within bounds. */
#include "arena.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

#define DRAWS 65536u

static int begin(void **state)
{
	arena_begin(8, 16);
	bareprof_init();
	return 0;
}

EACH_TEST(begin, NULL);

TEST(distances_stay_within_a_quarter_of_the_period)
{
	static const uint32_t periods[] = {512, 513, 1000, 1023, 16007, 0x1000000, 0xC0000000};

	for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
		const uint32_t quarter = periods[i] / 4;
		uint32_t shortest = UINT32_MAX;
		uint32_t longest = 0;

		for (unsigned draw = 0; draw < DRAWS; draw++) {
			const uint32_t distance = bareprof_dither(periods[i]);

			shortest = distance < shortest ? distance : shortest;
			longest = distance > longest ? distance : longest;
		}
		assert_in_range(shortest, periods[i] - quarter, periods[i] - quarter / 2);
		assert_in_range(longest, periods[i] + quarter / 2, periods[i] + quarter);
	}
}

/* The standard deviation of one distance is 1/sqrt(12) of half a period, that of the sum grows with the root of
 * `draws`. */
static void assert_mean_is(uint32_t period, uint32_t draws)
{
	int64_t sum = 0;

	for (uint32_t draw = 0; draw < draws; draw++)
		sum += (int64_t)bareprof_dither(period) - period;
	assert_true((double)llabs(sum) < 4 * (period / 2.0 / 3.4641) * sqrt(draws));
}

/* Half of the steps alone have a mean half a step too low: in 2^24 draws that would be 60 sigma. */
TEST(mean_distance_equals_the_period)
{
	assert_mean_is(512 * 100, DRAWS);
	assert_mean_is(512, 1u << 24);
}

/* A distance does not predict any of the next 64. */
TEST(distances_are_independent_of_those_before)
{
	static int32_t deviations[DRAWS];
	const double variance = 256.0 * 256 / 12;

	for (unsigned draw = 0; draw < DRAWS; draw++)
		deviations[draw] = (int32_t)bareprof_dither(512) - 512;
	for (unsigned lag = 1; lag <= 64; lag++) {
		double product = 0;

		for (unsigned draw = lag; draw < DRAWS; draw++)
			product += (double)deviations[draw] * deviations[draw - lag];
		/* The sum of DRAWS products is normal with DRAWS times the square of the variance; 64 lags. */
		assert_true(product * product < 4.5 * 4.5 * variance * variance * DRAWS);
	}
}

TEST(no_sequence_of_distances_repeats)
{
	static uint32_t first[16];
	unsigned same = 0;

	for (unsigned i = 0; i < 16; i++)
		first[i] = bareprof_dither(1u << 20);
	for (unsigned draw = 0; draw < 1u << 22; draw++) {
		same = bareprof_dither(1u << 20) == first[same] ? same + 1 : 0;
		assert_true(same < 8);
	}
}

TEST(a_short_period_is_returned_unchanged)
{
	for (uint32_t period = 0; period < 512; period++)
		assert_int_equal(bareprof_dither(period), period);
}

TEST(dither_before_init_returns_the_period_and_touches_no_memory)
{
	for (uint32_t seed = 1; seed <= 100; seed++) {
		arena_begin(8, 16);
		arena_fill_random(seed);
		arena_remember();
		assert_int_equal(bareprof_dither(16007), 16007);
		assert_true(arena_is_as_remembered());
	}
}

/* Starts, stops and resets by a host must not repeat a sequence of distances. */
TEST(a_reset_continues_the_random_numbers)
{
	uint32_t before[4];
	bool differs = false;

	for (unsigned i = 0; i < 4; i++)
		before[i] = bareprof_dither(1u << 20);
	bareprof_reset();
	arena_finish_reset();
	for (unsigned i = 0; i < 4; i++)
		differs |= bareprof_dither(1u << 20) != before[i];
	assert_true(differs);
}
