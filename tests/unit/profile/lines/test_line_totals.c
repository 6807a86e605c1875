/* SPDX-License-Identifier: MIT */
/* Measured total times of source lines. */
#include "../measured.h"
#include "layout.h"
#include "profile/lines.h"

static struct profile *profile;

/* 0.3 s on line 10, 0.1 s on line 20, 1 s on line 50. */
static int set_up(void **state)
{
	int result = firmware_set_up(firmware_assemble("line-totals", lines_layout));

	firmware_sample(fixture.capture, 0x8000, 0x8002, 30);
	firmware_sample(fixture.capture, 0x8006, 0x8008, 10);
	firmware_sample(fixture.capture, 0x8010, 0x8012, 100);
	profile = firmware_run(NULL);
	assert_success(analysis_find_lines(profile, &failure), &failure);
	measured_begin(profile);
	return result;
}

EACH_TEST(set_up, NULL);

static void find_totals(void)
{
	assert_success(analysis_find_line_totals(profile, &failure), &failure);
}

/* A total of 0: the line has none. */
static void assert_total(int line, double expected)
{
	const struct profile_line_total *total = profile_find_line_total(profile, "src/code.c", line);

	if (!is_near(total == NULL ? 0 : total->time, expected))
		fail_msg("line %d: %f, not %f", line, total == NULL ? 0 : total->time, expected);
}

static void assert_variance(int line, double expected)
{
	const struct profile_line_total *total = profile_find_line_total(profile, "src/code.c", line);

	assert_non_null(total);
	if (!is_near(total->variance, expected))
		fail_msg("line %d: variance %f, not %f", line, total->variance, expected);
}

TEST(lines_of_calls_have_the_time_of_their_stacks)
{
	measured_stack(profile, "f0@8003 f1", 0.6);
	measured_stack(profile, "f0@800f f1", 0.4);
	find_totals();
	assert_total(10, 0.6);
	assert_total(30, 0.4);
	assert_total(50, 1);
	assert_total(20, 0);
}

/* Line 50 has only samples. Line 10 is on the stack of the first stratum, perhaps of the second, and has 30 samples. */
TEST(errors_of_lines_are_of_counts_and_of_stacks)
{
	measured_stack(profile, "f0@8003 f1", 0.6);
	measured_stack(profile, "f0@800f f1", 0.4);
	find_totals();
	assert_variance(50, 0.6 * 0.02 + 0.4 * 0.02);
	assert_variance(10, 0.6 * 0.02 + 0.6 * 0.6 * 0.75 * 0.25 + 0.5 * 0.4 * 0.4 / 2 + 30 * 0.01 * 0.01);
}

TEST(time_of_a_recursive_line_counts_once_per_stack)
{
	measured_stack(profile, "f0@8003 f0@8001 f0@8003 f1@8011 f1", 0.5);
	find_totals();
	assert_total(10, 0.5);
	assert_total(50, 0.5);
}

TEST(lines_of_the_sampled_function_share_it_by_all_samples)
{
	measured_stack(profile, "f1@8011 f0@8000", 0.4);
	find_totals();
	assert_total(10, 0.3);
	assert_total(20, 0.1);
	assert_total(50, 0.4);
}

TEST(sampled_line_that_is_also_a_call_counts_once)
{
	measured_stack(profile, "f0@8003 f0", 0.2);
	measured_stack(profile, "f0", 0.2);
	measured_stack(profile, "f1", 1);
	find_totals();
	assert_total(10, 0.2 + 0.2 * 0.75);
	assert_total(20, 0.1);
	assert_total(50, 1);
}

TEST(code_without_a_line_has_no_total)
{
	measured_stack(profile, "f1@8015 f0", 0.4);
	find_totals();
	assert_total(50, 0);
	assert_total(10, 0.3);
}

TEST(estimated_profile_has_no_totals_of_lines)
{
	profile->measurement = NULL;
	find_totals();
	assert_int_equal(profile->line_total_count, 0);
}
