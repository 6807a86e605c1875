/* SPDX-License-Identifier: MIT */
/* The time of the sampling interrupt: taken from the code that it interrupted, given to the recorder. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/lines.h"
#include "profile/split.h"
#include "test.h"

#include <math.h>

#define SIZE     16u
#define RECORDER (FIRMWARE_BASE + 4 * SIZE)

/* f0 to f3 of 16 bytes each, then the recorder's code. A sample is 0.01 s. */
static const char layout[] = "\t.syntax unified\n\t.text\n\t.altmacro\n"
                             "\t.macro function n\n\t.global f\\n\n\t.type f\\n, %function\n\t.thumb_func\nf\\n:\n"
                             "\t.space 16\n\t.size f\\n, 16\n\t.endm\n"
                             "\tfunction 0\n\tfunction 1\n\tfunction 2\n\tfunction 3\n"
                             "\t.global bareprof_code_start\nbareprof_code_start:\n"
                             "\t.global recorder\n\t.type recorder, %function\n\t.thumb_func\nrecorder:\t.space 16\n"
                             "\t.size recorder, 16\n\t.global bareprof_code_end\nbareprof_code_end:\n";

static int set_up(void **state)
{
	return firmware_set_up(firmware_assemble("handler", layout));
}

static uint64_t start_of(unsigned function)
{
	return FIRMWARE_BASE + function * SIZE;
}

static void samples(struct capture *capture, unsigned function, uint64_t count)
{
	firmware_sample(capture, start_of(function), start_of(function) + 8, count);
}

static void samples_of(struct capture *capture, uint32_t context, unsigned function, uint64_t count)
{
	samples(capture, function, count);
	capture->blocks[0].cells[capture->blocks[0].cell_count - 1].context = context;
}

/* Call it after all samples were added. */
static void cost(struct capture *capture, uint64_t units)
{
	capture->blocks[0].has_tick_cost = true;
	capture->blocks[0].tick_cost = units * capture->blocks[0].header.ticks;
}

static struct profile *analyse_one(void)
{
	return firmware_run(&(struct analysis_options){.total_errors = true});
}

static struct profile *analyse_with_cost(uint64_t units)
{
	cost(fixture.capture, units);
	return analyse_one();
}

static double self_of(const struct profile *profile, const char *name)
{
	return profile->nodes[firmware_node(profile, name)].self_time;
}

EACH_TEST(set_up, NULL);

TEST(cost_of_ticks_moves_from_code_to_recorder)
{
	samples(fixture.capture, 0, 300);
	samples(fixture.capture, 4, 100);
	struct profile *profile = analyse_with_cost(2); /* of a period of 10 */
	assert_near(self_of(profile, "f0"), 300 * 0.008);
	assert_near(self_of(profile, "<bareprof>"), 100 * 0.008 + 400 * 0.002);
	assert_near(profile->handler_time, 400 * 0.002);
	assert_near(profile_recorder_time(profile), self_of(profile, "<bareprof>"));
	assert_near(profile->total_time, 4);
	assert_near(profile->total_samples, 400);
	assert_near(profile->nodes[firmware_node(profile, "<bareprof>")].self_samples, 100);
}

TEST(recorder_without_samples_has_a_row)
{
	samples(fixture.capture, 0, 100);
	struct profile *profile = analyse_with_cost(1);
	assert_near(self_of(profile, "<bareprof>"), 100 * 0.001);
}

/* Outside, in a coarse bin, in the secure world, asleep: all of them were interrupted. */
TEST(samples_outside_functions_also_cost_interrupts)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	firmware_sample(fixture.capture, 0x20000, 0x20100, 10);
	block->cells[0].is_coarse = true;
	firmware_sample(fixture.capture, 0xFEFFFFFE, 0xFF000000, 20);
	firmware_sample(fixture.capture, 0xFFFFFFFF, 0x100000000, 30);
	block->header.samples_outside = 40;
	block->header.ticks += 40;
	struct profile *profile = analyse_with_cost(5);
	assert_near(self_of(profile, "<0x20000-0x200ff, table full>"), 0.05);
	assert_near(self_of(profile, "<secure>"), 0.1);
	assert_near(self_of(profile, "<asleep or unavailable>"), 0.15);
	assert_near(self_of(profile, "<outside the sampled ranges>"), 0.2);
	assert_near(self_of(profile, "<bareprof>"), 0.5);
}

TEST(the_time_of_the_interrupt_has_no_counting_error)
{
	samples(fixture.capture, 0, 300);
	samples(fixture.capture, 4, 100);
	struct profile *profile = analyse_with_cost(2);
	const struct profile_node *recorder = &profile->nodes[firmware_node(profile, "<bareprof>")];
	assert_near(profile->nodes[0].self_variance, 300 * 0.008 * 0.008);
	assert_near(recorder->self_variance, 100 * 0.008 * 0.008);
	assert_near(recorder->total_variance, 100 * 0.008 * 0.008);
}

/* As a part of the firmware's time, n of N samples vary as n * (1 - n / N), of 0.008 s each. The recorder's time is
 * 1.25 R + 0.25 N with R samples of its own, compared with N: R and N vary independently. */
TEST(shares_vary_like_shares_of_samples)
{
	samples(fixture.capture, 0, 3000);
	samples(fixture.capture, 1, 2000);
	samples(fixture.capture, 4, 5000);
	firmware_arc(fixture.capture, start_of(2) + 5, start_of(0) + 1, 1);
	struct profile *profile = analyse_with_cost(2);
	const double square = 0.008 * 0.008;
	assert_near(profile->nodes[0].share_variance, 3000 * 0.4 * square);
	assert_near(profile->nodes[firmware_node(profile, "<bareprof>")].share_variance,
	            (1.25 * 1.25 * 5000 + (1.5 - 0.25) * (1.5 - 0.25) * 5000) * square);
	/* f2 inherits it from f0 in each of 200 draws, so its error has one of 10 %. */
	assert_true(fabs(profile->nodes[2].share_variance / (3000 * 0.4 * square) - 1) < 0.3);
	assert_true(fabs(profile->nodes[2].total_variance / (3000 * square) - 1) < 0.3);
}

/* An acknowledge function that is instrumented is called by the recorder. */
TEST(recorder_with_calls_has_the_error_of_its_samples)
{
	samples(fixture.capture, 0, 3000);
	samples(fixture.capture, 4, 5000);
	firmware_arc(fixture.capture, RECORDER + 5, start_of(0) + 1, 1);
	struct profile *profile = analyse_with_cost(2);
	const struct profile_node *recorder = &profile->nodes[firmware_node(profile, "<bareprof>")];
	assert_true(fabs(recorder->total_variance / (8000 * 0.008 * 0.008) - 1) < 0.3);
	/* 1.25 * (5000 + 3000) samples, compared with 3000 that are a part of them. */
	double others = 10000.0 / 3000 - 1.25;
	double expected = (1.25 * 1.25 * 5000 + others * others * 3000) * 0.008 * 0.008;
	assert_true(fabs(recorder->share_variance / expected - 1) < 0.3);
}

TEST(callers_inherit_the_time_that_filters_leave)
{
	samples(fixture.capture, 1, 100);
	samples(fixture.capture, 4, 100);
	firmware_arc(fixture.capture, start_of(0) + 5, start_of(1) + 1, 7);
	struct profile *profile = analyse_with_cost(2);
	assert_near(profile_node_total(&profile->nodes[0]), 0.8);
	assert_near(profile_node_total(&profile->nodes[0]) + profile_recorder_time(profile), profile->total_time);
}

/* 100 samples at a cost of 1 of 10 units, 100 at 4 of 20. */
TEST(each_capture_has_its_own_cost)
{
	struct capture *slow = firmware_capture(4, 1), *unknown = firmware_capture(4, 1);
	const struct capture *captures[] = {fixture.capture, slow, unknown};

	slow->blocks[0].header.period = 20;
	samples(fixture.capture, 0, 100);
	samples(slow, 0, 100);
	samples(unknown, 0, 100);
	cost(fixture.capture, 1);
	cost(slow, 4);
	struct profile *profile = firmware_run_captures(captures, 2, NULL);
	assert_near(self_of(profile, "f0"), 0.9 + 1.6);
	assert_near(self_of(profile, "<bareprof>"), 0.1 + 0.4);
	assert_int_equal(profile_handler(profile), CAPTURE_HANDLER_KNOWN);
	profile = firmware_run_captures(captures, 3, NULL);
	assert_near(self_of(profile, "f0"), 0.9 + 1.6 + 1);
	assert_near(self_of(profile, "<bareprof>"), 0.1 + 0.4);
	assert_int_equal(profile_handler(profile), CAPTURE_HANDLER_UNKNOWN);
}

TEST(impossible_cost_is_ignored)
{
	samples(fixture.capture, 0, 100);
	struct profile *profile = analyse_with_cost(10);
	assert_near(self_of(profile, "f0"), 1);
	assert_near(profile->handler_time, 0);
	assert_int_equal(profile_handler(profile), CAPTURE_HANDLER_IMPOSSIBLE);
}

TEST(without_a_clock_samples_have_fractions)
{
	samples(fixture.capture, 0, 100);
	fixture.capture->blocks[0].header.clock_hz = 0;
	struct profile *profile = analyse_with_cost(2);
	assert_int_equal(profile->time_unit, PROFILE_SAMPLES);
	assert_near(self_of(profile, "f0"), 80);
	assert_near(self_of(profile, "<bareprof>"), 20);
	fixture.capture->blocks[0].header.period = 0;
	profile = analyse_one();
	assert_near(self_of(profile, "f0"), 100);
	assert_int_equal(profile_handler(profile), CAPTURE_HANDLER_UNKNOWN);
}

TEST(ignored_cost_stays_with_the_code)
{
	samples(fixture.capture, 0, 100);
	cost(fixture.capture, 2);
	struct profile *profile = firmware_run(&(struct analysis_options){.ignores_handler = true});
	assert_near(self_of(profile, "f0"), 1);
	assert_near(profile->handler_time, 0);
}

static void assert_parts_add_up(const struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		double sum = 0;

		for (size_t part = 0; part < profile->part_count; part++)
			sum += profile->parts[part].profile->nodes[i].self_time;
		assert_near(sum, profile->nodes[i].self_time);
	}
}

static void split(struct profile *profile, unsigned by)
{
	assert_success(analysis_split(profile, by, &(struct analysis_options){0}, &failure), &failure);
}

/* The interrupt's time is that of the context that it interrupted. */
TEST(parts_add_up_to_the_whole)
{
	samples_of(fixture.capture, 0, 0, 100);
	samples_of(fixture.capture, 1, 0, 50);
	samples_of(fixture.capture, 1, 4, 30);
	samples_of(fixture.capture, CAPTURE_NO_CONTEXT, 2, 7);
	fixture.capture->blocks[0].header.samples_outside = 13;
	fixture.capture->blocks[0].header.ticks += 13;
	struct profile *profile = analyse_with_cost(3);
	split(profile, ANALYSIS_BY_CONTEXT);
	assert_int_equal(profile->part_count, 3);
	assert_near(profile->parts[0].profile->handler_time, 0.3);
	assert_near(profile->parts[1].profile->handler_time, 0.24);
	assert_near(profile->parts[2].profile->handler_time, 0.06);
	assert_near(profile_recorder_time(profile->parts[1].profile), 0.24 + 0.21);
	assert_parts_add_up(profile);
	profile = analyse_one();
	split(profile, ANALYSIS_BY_CORE);
	assert_parts_add_up(profile);
}

TEST(lines_add_up_to_the_whole)
{
	double sum = 0, of_recorder = 0;

	samples(fixture.capture, 0, 100);
	struct profile *profile = analyse_with_cost(3);
	assert_success(analysis_find_lines(profile, &failure), &failure);
	for (size_t i = 0; i < profile->line_count; i++) {
		sum += profile->lines[i].self_time;
		if (profile->nodes[profile->lines[i].node].kind == PROFILE_BAREPROF)
			of_recorder += profile->lines[i].self_time;
	}
	assert_near(sum, profile->total_time);
	assert_near(of_recorder, 0.3);
}

TEST(the_worst_distances_of_blocks_with_samples_count)
{
	struct capture *others[] = {firmware_capture(1, 1), firmware_capture(1, 1), firmware_capture(1, 1)};
	const struct capture *captures[] = {fixture.capture, others[0], others[1], others[2]};
	static const enum capture_distances distances[] = {CAPTURE_DISTANCES_RANDOM, CAPTURE_DISTANCES_FIXED,
	                                                   CAPTURE_DISTANCES_UNKNOWN};

	samples(fixture.capture, 0, 1);
	fixture.capture->blocks[0].distances = CAPTURE_DISTANCES_RANDOM;
	for (unsigned i = 0; i < 3; i++) {
		others[i]->blocks[0].distances = distances[i];
		if (i != 1)
			samples(others[i], 0, 1);
	}
	for (unsigned count = 1; count <= 4; count++) {
		struct profile *profile = firmware_run_captures(captures, count, NULL);

		assert_int_equal(profile_distances(profile),
		                 count < 4 ? CAPTURE_DISTANCES_RANDOM : CAPTURE_DISTANCES_UNKNOWN);
	}
	samples(others[1], 0, 1);
	struct profile *profile = firmware_run_captures(captures, 4, NULL);
	assert_int_equal(profile_distances(profile), CAPTURE_DISTANCES_FIXED);
}
