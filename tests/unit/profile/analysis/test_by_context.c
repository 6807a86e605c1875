/* SPDX-License-Identifier: MIT */
/* Time is propagated within each context, and the whole is the sum of its contexts. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/split.h"
#include "test.h"

#include <math.h>

#define FUNCTIONS 12u
#define SIZE      16u

static int set_up(void **state)
{
	int result = firmware_set_up(firmware_create("by-context", FUNCTIONS, SIZE));

	fixture.capture->blocks[0].has_contexts = true;
	return result;
}

struct sample {
	uint32_t context;
	unsigned function;
	uint64_t count;
};

struct arc {
	uint32_t context;
	unsigned caller, callee;
	uint64_t count;
};

static void add_sample(struct sample sample)
{
	struct capture_block *block = &fixture.capture->blocks[0];
	uint64_t start = firmware_start_of(sample.function);

	firmware_sample(fixture.capture, start, start + 8, sample.count);
	block->cells[block->cell_count - 1].context = sample.context;
}

static void add_arc(struct arc arc)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	firmware_arc(fixture.capture, firmware_start_of(arc.caller) + 5, firmware_start_of(arc.callee) + 1, arc.count);
	block->arcs[block->arc_count - 1].context = arc.context;
}

/* The profile goes on using the array. */
/* The list ends at the first arc without a count. */
struct recording {
	struct sample samples[3];
	struct arc arcs[5];
};

static struct profile *analyse_recording(const struct recording *recording, const struct analysis_options *options)
{
	for (const struct sample *sample = recording->samples; sample->count > 0; sample++)
		add_sample(*sample);
	for (const struct arc *arc = recording->arcs; arc->count > 0; arc++)
		add_arc(*arc);
	return firmware_run(options);
}

static const struct analysis_options with_errors = {.total_errors = true};

/* The times that f1, f2 and f4 inherit from their callees. */
static void assert_child_times(const struct profile *profile, double f1, double f2, double f4)
{
	assert_near(profile->nodes[1].child_time, f1);
	assert_near(profile->nodes[2].child_time, f2);
	assert_near(profile->nodes[4].child_time, f4);
}

/* variance is that of a number of samples. 200 draws come within 30 %. */
static void assert_drawn(double variance, double samples)
{
	assert_true(fabs(variance * 1e4 / samples - 1) < 0.3);
}

/* f1 calls f3 once in one context, f2 calls it once in the other, where it takes three times as long. An average over
 * all calls would give half of the time to each. */
static const struct recording two_callers = {
        .samples = {{0, 3, 10}, {1, 3, 30}},
        .arcs = {{0, 1, 3, 1}, {1, 2, 3, 1}},
};

EACH_TEST(set_up, NULL);

TEST(time_goes_to_callers_in_its_context)
{
	struct profile *profile = analyse_recording(&two_callers, &with_errors);

	assert_child_times(profile, 0.1, 0.3, 0);
	assert_near(firmware_arc_of(profile, "f1", "f3")->self_time, 0.1);
	assert_near(firmware_arc_of(profile, "f2", "f3")->self_time, 0.3);
	assert_int_equal(profile->context_count, 2);
	assert_int_equal(profile->contexts[0].number, 1);
	assert_near(profile->contexts[0].time, 0.3);
	assert_int_equal(profile->contexts[1].calls, 1);
}

/* f2 has 30 of the 40 samples: its total has the variance of 30, and as a share of 0.75 that of 0.25 times 30 and 0.75
 * times 10. */
TEST(totals_of_a_context_have_its_own_errors)
{
	struct profile *profile = analyse_recording(&two_callers, &with_errors);

	assert_true(profile->has_total_variance);
	assert_drawn(profile->nodes[1].total_variance, 10);
	assert_drawn(profile->nodes[2].total_variance, 30);
	assert_drawn(profile->nodes[2].share_variance, 7.5);
	assert_near(profile->nodes[3].total_variance * 1e4, 40);
}

/* f3 goes on in a second context, in which nobody called it: its time there goes to its callers of all contexts, and
 * from them to theirs. */
TEST(time_in_a_context_without_calls_follows_all_calls)
{
	static const struct recording recording = {
	        .samples = {{0, 3, 10}, {1, 3, 30}},
	        .arcs = {{0, 1, 3, 5}, {2, 2, 3, 10}, {2, 4, 1, 1}},
	};
	struct profile *profile = analyse_recording(&recording, &with_errors);

	assert_child_times(profile, 0.1 + 0.1, 0.2, 0.1 + 0.1);
}

TEST(time_in_an_unknown_context_follows_all_calls)
{
	static const struct recording recording = {
	        .samples = {{0, 3, 10}, {CAPTURE_NO_CONTEXT, 3, 40}},
	        .arcs = {{0, 1, 3, 1}, {1, 2, 3, 3}},
	};
	struct profile *profile = analyse_recording(&recording, &with_errors);

	assert_child_times(profile, 0.1 + 0.1, 0.3, 0);
}

/* f3 calls f4 in one context, f4 calls f3 in the other: together a cycle, whose time in each context goes to those who
 * entered it there. */
TEST(parts_have_the_cycles_of_the_whole)
{
	static const struct recording recording = {
	        .samples = {{0, 4, 10}, {1, 3, 30}},
	        .arcs = {{0, 1, 3, 2}, {0, 3, 4, 2}, {1, 2, 4, 7}, {1, 4, 3, 7}},
	};
	struct profile *profile = analyse_recording(&recording, &with_errors);

	assert_int_equal(profile->cycle_count, 1);
	assert_near(profile->cycles[0].self_time, 0.4);
	assert_int_equal(profile->cycles[0].calls, 9);
	assert_child_times(profile, 0.1, 0.3, 0);
	assert_drawn(profile->cycles[0].total_variance, 40);
}

TEST(removed_arcs_carry_no_time_in_any_context)
{
	static const struct recording recording = {
	        .samples = {{0, 4, 10}, {1, 3, 30}},
	        .arcs = {{0, 1, 3, 9}, {0, 3, 4, 9}, {1, 4, 3, 1}, {1, 2, 3, 1}},
	};
	static const struct analysis_options options = {.cycle_max = 1};
	struct profile *profile = analyse_recording(&recording, &options);

	assert_int_equal(profile->removed_count, 1);
	assert_true(firmware_arc_of(profile, "f4", "f3")->is_removed);
	assert_child_times(profile, 0.1, 0.3, 0);
}

static unsigned random_below(unsigned limit)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33) % limit;
}

/* Calls go to functions further on, so that there are no cycles, whose members might differ from context to context;
 * all that is called is called in each of them. */
static void record_at_random(unsigned contexts)
{
	for (unsigned i = 0; i < 3 * contexts; i++)
		add_sample((struct sample){random_below(contexts), random_below(FUNCTIONS), 1 + random_below(50)});
	for (unsigned i = 0; i < 20; i++) {
		unsigned caller = random_below(FUNCTIONS - 1);
		unsigned callee = caller + 1 + random_below(FUNCTIONS - caller - 1);

		for (unsigned context = 0; context < contexts; context++)
			add_arc((struct arc){context, caller, callee, 1 + random_below(9)});
	}
}

static void forget(void)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	block->cell_count = block->arc_count = 0;
}

static void assert_sum_of_parts(const struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		double children = 0, variance = 0;

		for (size_t j = 0; j < profile->part_count; j++) {
			children += profile->parts[j].profile->nodes[i].child_time;
			variance += profile->parts[j].profile->nodes[i].total_variance;
		}
		assert_near(profile->nodes[i].child_time, children);
		assert_near(profile->nodes[i].total_variance, variance);
	}
}

/* Parts find their own cycles, and run all passes. */
TEST(whole_is_the_sum_of_its_parts)
{
	for (unsigned round = 0; round < 20; round++) {
		forget();
		record_at_random(2 + round);
		struct profile *profile = firmware_run(&with_errors);
		assert_success(analysis_split(profile, ANALYSIS_BY_CONTEXT, &with_errors, &failure), &failure);
		assert_sum_of_parts(profile);
	}
}

/* 300 contexts: the last of 256 parts is propagated as one. No time is lost. */
TEST(contexts_beyond_the_limit_are_propagated_together)
{
	for (unsigned i = 0; i < 300; i++) {
		add_sample((struct sample){i, 3, 300 - i});
		add_arc((struct arc){i, i % 2 + 1, 3, 1});
	}
	struct profile *profile = firmware_run(&with_errors);
	assert_int_equal(profile->context_count, 256);
	assert_true(profile->contexts[255].is_rest);
	assert_near(profile->nodes[1].child_time + profile->nodes[2].child_time, profile->nodes[3].self_time);
}

static void assert_same_bits(const struct profile *one, const struct profile *other)
{
	assert_int_equal(one->context_count, 0);
	assert_int_equal(one->node_count, other->node_count);
	for (size_t i = 0; i < one->node_count; i++) {
		const struct profile_node *a = &one->nodes[i], *b = &other->nodes[i];
		const double left[] = {a->self_time, a->child_time, a->total_variance, a->share_variance};
		const double right[] = {b->self_time, b->child_time, b->total_variance, b->share_variance};

		assert_memory_equal(left, right, sizeof left);
	}
	assert_int_equal(one->arc_count, other->arc_count);
	for (size_t i = 0; i < one->arc_count; i++)
		assert_memory_equal(&one->arcs[i].self_time, &other->arcs[i].self_time, 2 * sizeof(double));
}

/* Samples outside of all ranges have no context, and do not count as a second one. */
TEST(single_context_changes_nothing)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	record_at_random(1);
	record_at_random(1);
	block->header.samples_outside = 7;
	struct profile *filed = firmware_run(&with_errors);
	for (size_t i = 0; i < block->cell_count; i++)
		block->cells[i].context = CAPTURE_NO_CONTEXT;
	for (size_t i = 0; i < block->arc_count; i++)
		block->arcs[i].context = CAPTURE_NO_CONTEXT;
	block->has_contexts = false;
	struct profile *plain = firmware_run(&with_errors);
	assert_same_bits(filed, plain);
}

/* In a firmware with 30,000 functions each context costs six times as much as in one with 5,000. */
TEST(limit_of_contexts_falls_with_functions)
{
	struct image *image = firmware_create("by-context-many", 30000, 4);
	struct capture *capture = firmware_capture(100, 1);

	capture->blocks[0].has_contexts = true;
	for (uint32_t i = 0; i < 100; i++) {
		firmware_sample(capture, FIRMWARE_BASE, FIRMWARE_BASE + 4, i + 1);
		capture->blocks[0].cells[i].context = i;
	}
	struct profile *profile = firmware_analyse(image, capture);
	assert_in_range(profile->context_count, 20, 50);
	assert_true(profile->contexts[profile->context_count - 1].is_rest);
	assert_near(profile->total_time, 50.5);
}
