/* SPDX-License-Identifier: MIT */
/* The line of an interval in the live view. */
#include "../profile/measured.h"
#include "top/header.h"

static struct profile *profile;

static int set_up(void **state)
{
	int result = firmware_set_up(firmware_create("top-header", 2, 16));

	firmware_calls(0, 1, 1);
	firmware_samples(1, 1000);
	return result;
}

EACH_TEST(set_up, NULL);

static const char *print_window(enum top_window window)
{
	const struct top_picture picture = {.milliseconds = 2000};
	struct printed *printed = printed_begin();

	assert_false(top_print_window(&picture, window, profile, printed->stream));
	return printed_text(printed);
}

TEST(interval_without_a_store_of_stacks_has_the_rate)
{
	profile = firmware_run(NULL);
	assert_string_equal(print_window(TOP_INTERVAL),
	                    "Interval  2.00 s: 1,000 samples (500/s), 10.000 s of target time");
}

TEST(interval_has_the_number_of_its_stacks)
{
	profile = firmware_run(NULL);
	measured_begin(profile);
	measured_stack(profile, "f0 f1", 10);
	assert_string_equal(print_window(TOP_INTERVAL),
	                    "Interval  2.00 s: 1,000 samples, 1 stack, 10.000 s of target time");
	assert_string_equal(print_window(TOP_SINCE_START),
	                    "Start     1,000 samples since the start, 1 stack, 10.000 s of target time");
}

TEST(interval_says_that_no_stack_was_kept_in_it)
{
	fixture.capture->blocks[0].slice_capacity = 8;
	profile = firmware_run(NULL);
	assert_string_equal(print_window(TOP_INTERVAL),
	                    "Interval  2.00 s: 1,000 samples, no stacks, 10.000 s of target time");
}
