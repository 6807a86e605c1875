/* SPDX-License-Identifier: MIT */
/* The time that calls carry into a cycle; test_cycles.c compares random cycles with a slow oracle. */
#include "../firmware.h"
#include "test.h"

/* Functions of the fixture; this many that all call each other are too many to solve. */
#define FUNCTIONS 700u

static int set_up(void **state)
{
	return firmware_set_up(firmware_create("solve_cycles", FUNCTIONS, 8));
}

EACH_TEST(set_up, NULL);

/* In samples, of 0.01 s each. */
static double time_of(const struct profile *profile, size_t caller, size_t callee)
{
	size_t arc = profile_find_arc(profile, caller, callee);

	assert_true(arc != PROFILE_NONE);
	return (profile->arcs[arc].self_time + profile->arcs[arc].child_time) * 100;
}

static void assert_arc_time(const struct profile *profile, size_t caller, size_t callee, double samples)
{
	double found = time_of(profile, caller, callee);

	if (!is_near(found, samples))
		fail_msg("f%zu -> f%zu: %.12f samples, expected %.12f", caller, callee, found, samples);
}

/* f1 evaluates, which takes 500 samples a call; f2 takes 1 and evaluates in one call of 100. */
static void call_an_evaluator(void)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 98);
	firmware_calls(1, 2, 2);
	firmware_calls(2, 1, 1);
	firmware_samples(1, 1000);
	firmware_samples(2, 100);
}

/* c2 = 1 + c1 / 100, c1 = 500 + c2. */
TEST(call_into_a_cycle_carries_what_its_function_costs)
{
	call_an_evaluator();
	struct profile *profile = firmware_run(NULL);
	assert_arc_time(profile, 0, 1, 500 + 600.0 / 99);
	assert_arc_time(profile, 0, 2, 98 * 600.0 / 99);
	assert_false(profile->cycles[0].is_too_large);
}

TEST(filtered_call_into_a_cycle_carries_what_its_function_costs)
{
	struct filters *filters = filters_create();
	const struct analysis_options options = {.filters = filters};

	assert_non_null(filters);
	call_an_evaluator();
	struct profile *profile = firmware_run(&options);
	assert_arc_time(profile, 0, 1, 500 + 600.0 / 99);
	filters_free(filters);
}

/* As GNU gprof prints it. */
TEST(calls_of_gmon_share_a_cycle_equally)
{
	uint64_t bins[3] = {0, 1000, 100};
	struct gmon_histogram histogram = {
	        .low = FIRMWARE_BASE, .high = firmware_start_of(3), .bins = bins, .bin_count = 3};
	struct gmon_arc arcs[] = {
	        {firmware_start_of(0) + 4, firmware_start_of(1), 1},
	        {firmware_start_of(0) + 4, firmware_start_of(2), 98},
	        {firmware_start_of(1) + 4, firmware_start_of(2), 2},
	        {firmware_start_of(2) + 4, firmware_start_of(1), 1},
	};
	const struct gmon gmon = {.histograms = &histogram, .histogram_count = 1, .arcs = arcs, .arc_count = 4};
	const struct analysis_options options = {.force = false};
	struct profile *profile = firmware_run_gmon(fixture.image, &gmon, &options);

	size_t arc = profile_find_arc(profile, 0, 1);
	assert_near_relative(profile->arcs[arc].self_time / profile->cycles[0].self_time, 1.0 / 99, 1e-10);
}

/* A billion calls within, and one from outside. */
TEST(rarely_entered_cycle_loses_no_time)
{
	firmware_calls(0, 1, 1);
	firmware_calls(1, 2, 1000000000);
	firmware_calls(2, 1, 999999999);
	firmware_samples(1, 600);
	firmware_samples(2, 400);
	assert_arc_time(firmware_run(NULL), 0, 1, 1000);
}

TEST(recursion_within_a_cycle_adds_no_time)
{
	call_an_evaluator();
	firmware_calls(1, 1, 1000);
	struct profile *profile = firmware_run(NULL);
	assert_arc_time(profile, 0, 1, 500 + 600.0 / 99);
}

/* c calls a, and has no recorded caller: its 30 samples, and the 80 of its two calls, have no caller. */
TEST(entering_calls_share_time_without_a_caller)
{
	static const char source[] = ".syntax unified\n.thumb\n.text\n"
	                             ".type main, %function\nmain: bl a\nbl b\nnop\n.size main, . - main\n"
	                             ".type a, %function\na: bl b\nnop\n.size a, . - a\n"
	                             ".type b, %function\nb: bl c\nnop\n.size b, . - b\n"
	                             ".type c, %function\nc: bl a\nnop\n.size c, . - c\n";
	const struct analysis_options options = {.static_calls = true};

	firmware_set_up(firmware_assemble("without-caller", source));
	struct capture *capture = fixture.capture;
	uint64_t main = fixture.image->functions[0].start, a = main + 10, b = a + 6, c = b + 6;

	firmware_sample(capture, a, b, 90);
	firmware_sample(capture, b, c, 60);
	firmware_sample(capture, c, c + 6, 30);
	firmware_arc(capture, main + 5, a, 1);
	firmware_arc(capture, main + 9, b, 1);
	firmware_arc(capture, a + 5, b, 1);
	firmware_arc(capture, c + 5, a, 2);
	struct profile *profile = firmware_run(&options);
	assert_int_equal(profile->cycle_count, 1);
	assert_arc_time(profile, firmware_node(profile, "main"), firmware_node(profile, "a"), 40 + 55);
	assert_arc_time(profile, firmware_node(profile, "main"), firmware_node(profile, "b"), 30 + 55);
}

TEST(cycle_too_large_to_solve_is_shared_by_calls)
{
	struct capture *capture = firmware_capture(2, FUNCTIONS * FUNCTIONS);
	const struct capture *const captures[] = {capture};

	for (unsigned i = 1; i < FUNCTIONS; i++)
		for (unsigned j = 1; j < FUNCTIONS; j++)
			firmware_arc(capture, firmware_start_of(i) + 5, firmware_start_of(j), 1 + (i ^ j) % 7);
	firmware_arc(capture, firmware_start_of(0) + 5, firmware_start_of(1), 1);
	firmware_arc(capture, firmware_start_of(0) + 5, firmware_start_of(2), 3);
	firmware_sample(capture, firmware_start_of(1), firmware_start_of(2), 1000);
	struct profile *profile = firmware_run_captures(captures, 1, NULL);
	assert_true(profile->cycles[0].is_too_large);
	assert_arc_time(profile, 0, 1, 250);
	assert_arc_time(profile, 0, 2, 750);
}

/* Each function of a chain returns to the one before after 2^63 calls of it: c18 would be f18's time times 2^1071. */
TEST(cycle_with_calls_too_rare_for_a_number_is_shared_by_calls)
{
	firmware_calls(0, 1, 1);
	for (unsigned i = 1; i < 18; i++) {
		firmware_calls(i, i + 1, 1);
		firmware_calls(i + 1, i, UINT64_C(1) << 63);
	}
	firmware_samples(1, 600);
	assert_arc_time(firmware_run(NULL), 0, 1, 600);
}
