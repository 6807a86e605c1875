/* SPDX-License-Identifier: MIT */
/* Learning of the pause between requests. */
#include "acquire/dap/pause.h"
#include "test.h"

/* Streams to a device that needs this pause: it accepts the first request, and the second one if the pause is long
 * enough. Returns the last pause. */
static unsigned learn(unsigned needed, unsigned pause, unsigned streams, unsigned *early)
{
	*early = 0;
	for (unsigned i = 0; i < streams; i++) {
		const bool is_early = pause < needed;

		*early += is_early;
		pause = pause_next(pause, is_early, is_early ? 1 : 32);
	}
	return pause;
}

TEST(a_pause_settles_at_what_the_device_needs)
{
	unsigned early;

	for (unsigned needed = 1; needed <= PAUSE_MAX; needed = 3 * needed / 2 + 1) {
		const unsigned pause = learn(needed, 0, 1000, &early);

		assert_in_range(pause, needed - needed / 8, 2 * needed);
		assert_in_range(early, 1, 1000 / 8);
	}
}

TEST(a_long_pause_ends_when_the_device_becomes_faster)
{
	unsigned early;

	assert_in_range(learn(0, PAUSE_MAX, 150, &early), 0, 15);
}

TEST(no_pause_is_learned_from_a_device_busy_now_and_then)
{
	unsigned pause = 0;

	for (size_t taken = 3; taken < 100; taken++)
		pause = pause_next(pause, true, taken);
	assert_int_equal(pause, 0);
}

TEST(no_pause_is_learned_from_a_device_that_stays_busy)
{
	assert_int_equal(pause_next(0, true, 0), 0);
}

TEST(the_search_starts_again_after_the_longest_pause)
{
	unsigned early;

	assert_int_equal(learn(PAUSE_MAX + 1, PAUSE_MAX, 1, &early), 0);
	assert_true(learn(PAUSE_MAX + 1, 0, 1000, &early) <= PAUSE_MAX);
	assert_int_equal(early, 1000);
}
