/* SPDX-License-Identifier: MIT */
/* A profile split by context or by core: its parts are profiles that add up to it. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/split.h"
#include "test.h"

#include <stdlib.h>

/* Ten functions of 16 bytes. */
static int set_up(void **state)
{
	return firmware_set_up(firmware_create("parts", 10, 16));
}

static void sample_of(struct capture *capture, uint32_t context, unsigned function, uint64_t count)
{
	uint64_t low = FIRMWARE_BASE + 16 * function;

	firmware_sample(capture, low, low + 8, count);
	capture->blocks[0].cells[capture->blocks[0].cell_count - 1].context = context;
}

static void arc_of(struct capture *capture, uint32_t context, unsigned caller, unsigned callee, uint64_t count)
{
	firmware_arc(capture, FIRMWARE_BASE + 16 * caller + 5, FIRMWARE_BASE + 16 * callee + 1, count);
	capture->blocks[0].arcs[capture->blocks[0].arc_count - 1].context = context;
}

static struct profile *split(unsigned by)
{
	struct profile *profile = firmware_run(NULL);

	assert_success(analysis_split(profile, by, &(struct analysis_options){0}, &failure), &failure);
	return profile;
}

EACH_TEST(set_up, NULL);

TEST(parts_are_ordered_by_time_and_add_up)
{
	sample_of(fixture.capture, 0, 1, 5);
	sample_of(fixture.capture, 1, 1, 20);
	sample_of(fixture.capture, CAPTURE_NO_CONTEXT, 2, 90);
	sample_of(fixture.capture, 7, 3, 10);
	fixture.capture->blocks[0].header.samples_outside = 3;
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	static const struct {
		uint32_t number;
		double samples;
	} expected[] = {{1, 20}, {7, 10}, {0, 5}, {CAPTURE_NO_CONTEXT, 93}};
	double sum = 0;
	assert_int_equal(profile->part_count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(profile->parts[i].number, expected[i].number);
		assert_near(profile->parts[i].profile->total_samples, expected[i].samples);
		sum += profile->parts[i].profile->total_time;
	}
	assert_near(sum, profile->total_time);
}

/* 300 contexts, the later the more samples, and what has none: 254 contexts, the rest and none are 256 parts. */
TEST(contexts_beyond_the_limit_share_a_part)
{
	double sum = 0;

	for (unsigned i = 0; i < 300; i++)
		sample_of(fixture.capture, i, i % 10, i + 1);
	arc_of(fixture.capture, 0, 1, 3, 9);
	fixture.capture->blocks[0].header.samples_outside = 7;
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	assert_int_equal(profile->part_count, 256);
	assert_int_equal(profile->parts[0].number, 299);
	assert_int_equal(profile->parts[253].number, 46);
	const struct profile_part *rest = &profile->parts[254], *none = &profile->parts[255];
	assert_true(rest->is_rest);
	assert_near(rest->profile->total_samples, 46 * 47 / 2); /* 1 to 46, of the contexts 0 to 45 */
	assert_int_equal(rest->profile->nodes[3].calls, 9);
	assert_int_equal(none->number, CAPTURE_NO_CONTEXT);
	assert_near(none->profile->total_samples, 7);
	for (size_t i = 0; i < profile->part_count; i++)
		sum += profile->parts[i].profile->total_samples;
	assert_near(sum, profile->total_samples);
}

TEST(parts_have_the_nodes_of_the_whole)
{
	/* Rows of code outside functions, which the parts reach in another order, and more of them than are kept apart.
	 */
	for (unsigned i = 0; i < 3000; i++) {
		uint64_t page = 0x10000000 + (uint64_t)i * 4096;

		firmware_sample(fixture.capture, page, page + 2, 1);
		fixture.capture->blocks[0].cells[i].context = i % 2;
	}
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	for (size_t part = 0; part < 2; part++) {
		const struct profile *of_part = profile->parts[part].profile;

		assert_int_equal(of_part->node_count, profile->node_count);
		for (size_t i = 0; i < profile->node_count; i++)
			assert_ptr_equal(of_part->nodes[i].name, profile->nodes[i].name);
	}
	for (size_t i = 0; i < profile->node_count; i++)
		assert_near(profile->nodes[i].self_samples - profile->parts[0].profile->nodes[i].self_samples,
		            profile->parts[1].profile->nodes[i].self_samples);
}

/* f1 calls f3 once in one context, f2 calls it once in the other, where it takes three times as long. */
TEST(time_is_propagated_within_a_context)
{
	sample_of(fixture.capture, 0, 3, 10);
	sample_of(fixture.capture, 1, 3, 30);
	arc_of(fixture.capture, 0, 1, 3, 1);
	arc_of(fixture.capture, 1, 2, 3, 1);
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	assert_near(profile->nodes[1].child_time, 0.2);
	assert_near(profile->parts[0].profile->nodes[2].child_time, 0.3);
	assert_near(profile->parts[1].profile->nodes[1].child_time, 0.1);
	assert_int_equal(profile->parts[1].profile->nodes[3].calls, 1);
}

static void name_contexts(struct capture *capture, size_t count)
{
	capture->blocks[0].contexts = calloc(count, sizeof(struct capture_context));
	capture->blocks[0].context_count = count;
	capture->blocks[0].has_contexts = true;
}

/* The last one ran nothing that was sampled or called. */
TEST(contexts_have_their_switches)
{
	name_contexts(fixture.capture, 4);
	struct capture_context *contexts = fixture.capture->blocks[0].contexts;
	sample_of(fixture.capture, 0, 3, 30);
	sample_of(fixture.capture, 1, 3, 20);
	arc_of(fixture.capture, 1, 2, 3, 1);
	sample_of(fixture.capture, 9, 3, 10);
	sample_of(fixture.capture, CAPTURE_NO_CONTEXT, 3, 10);
	contexts[0].switches = 5;
	contexts[1].switches = CAPTURE_UNKNOWN;
	contexts[3].switches = 7;
	static const struct {
		uint32_t number;
		uint64_t switches;
	} expected[] = {
	        {0, 5}, {1, CAPTURE_UNKNOWN}, {9, CAPTURE_UNKNOWN}, {3, 7}, {CAPTURE_NO_CONTEXT, CAPTURE_UNKNOWN}};
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	assert_int_equal(profile->part_count, 5);
	assert_int_equal(profile->context_count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(profile->parts[i].number, expected[i].number);
		assert_int_equal(profile->parts[i].switches, expected[i].switches);
		assert_int_equal(profile->contexts[i].switches, expected[i].switches);
	}
}

/* 255 of 300 contexts have a part of their own. */
TEST(switches_of_the_rest_add_up_unless_any_is_unknown)
{
	name_contexts(fixture.capture, 300);
	for (unsigned i = 0; i < 300; i++) {
		sample_of(fixture.capture, i, 1, i + 1);
		fixture.capture->blocks[0].contexts[i].switches = i < 45 ? 2 : 1000;
	}
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	assert_true(profile->parts[255].is_rest);
	assert_int_equal(profile->parts[255].switches, 90);
	fixture.capture->blocks[0].contexts[44].switches = CAPTURE_UNKNOWN;
	profile = split(ANALYSIS_BY_CONTEXT);
	assert_int_equal(profile->parts[255].switches, CAPTURE_UNKNOWN);
}

TEST(one_core_is_one_part)
{
	sample_of(fixture.capture, 0, 3, 10);
	sample_of(fixture.capture, 1, 4, 10);
	fixture.capture->blocks[0].header.core = 3;
	struct profile *profile = split(ANALYSIS_BY_CORE);
	assert_int_equal(profile->part_count, 1);
	assert_int_equal(profile->parts[0].core, 3);
	assert_near(profile->parts[0].profile->total_samples, 20);
}

/* The same context on two cores, and one that only one of them has. */
TEST(split_by_both_has_each_context_of_each_core)
{
	static struct capture_block blocks[2];
	static const struct {
		unsigned core;
		uint32_t number;
		double samples;
	} expected[] = {{0, 5, 20}, {0, 1, 10}, {2, 1, 10}};
	struct capture *capture = fixture.capture;
	struct capture_block *own = capture->blocks;

	sample_of(capture, 1, 3, 10);
	sample_of(capture, 5, 4, 20);
	blocks[0] = blocks[1] = *own;
	blocks[1].header.core = 2;
	blocks[1].cell_count = 1;
	capture->blocks = blocks;
	capture->block_count = 2;
	struct profile *profile = split(ANALYSIS_BY_CONTEXT | ANALYSIS_BY_CORE);
	assert_int_equal(profile->part_count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct profile_part *part = &profile->parts[i];

		assert_true(part->of_core && part->of_context);
		assert_int_equal(part->core, expected[i].core);
		assert_int_equal(part->number, expected[i].number);
		assert_near(part->profile->total_samples, expected[i].samples);
	}
	capture->blocks = own;
	capture->block_count = 1;
}

/* 300 contexts on each core: the parts with the most samples, then one of all others. */
TEST(rest_of_a_split_by_both_is_last)
{
	static struct capture_block blocks[2];
	struct capture *capture = fixture.capture;
	struct capture_block *own = capture->blocks;
	double sum = 0;

	for (unsigned i = 0; i < 300; i++)
		sample_of(capture, i, i % 10, i + 1);
	blocks[0] = blocks[1] = *own;
	blocks[1].header.core = 1;
	capture->blocks = blocks;
	capture->block_count = 2;
	struct profile *profile = split(ANALYSIS_BY_CONTEXT | ANALYSIS_BY_CORE);
	assert_int_equal(profile->part_count, 256);
	for (size_t i = 0; i < 256; i++)
		sum += profile->parts[i].profile->total_samples;
	assert_near(sum, profile->total_samples);
	assert_true(profile->parts[255].is_rest);
	assert_int_equal(profile->parts[0].core, 0);
	assert_int_equal(profile->parts[254].core, 1);
	capture->blocks = own;
	capture->block_count = 1;
}

TEST(two_splits_add_their_parts)
{
	sample_of(fixture.capture, 0, 3, 10);
	sample_of(fixture.capture, 1, 4, 20);
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	assert_success(analysis_split(profile, ANALYSIS_BY_CORE, &(struct analysis_options){0}, &failure), &failure);
	assert_int_equal(profile->part_count, 3);
	assert_true(profile->parts[1].of_context && !profile->parts[1].of_core);
	assert_true(profile->parts[2].of_core && !profile->parts[2].of_context);
	assert_near(profile->parts[2].profile->total_samples, 30);
}

TEST(parts_have_the_time_unit_of_the_whole)
{
	sample_of(fixture.capture, 0, 3, 10);
	fixture.capture->blocks[0].header.clock_hz = 0;
	struct profile *profile = split(ANALYSIS_BY_CONTEXT);
	assert_int_equal(profile->parts[0].profile->time_unit, PROFILE_SAMPLES);
	assert_near(profile->parts[0].profile->total_time, 10);
}
