/* SPDX-License-Identifier: MIT */
/* A report of the sum equals a report of all its captures: in total, by context and by core. */
#include "runs.h"

#include "../../profile/firmware.h"
#include "profile/analysis.h"
#include "profile/split.h"
#include "test.h"

#include <string.h>

#define RUNS_MAX 12

/* If functions share cells, one large cell is more uncertain than many small ones. */
static void assert_same_nodes(const struct profile *left, const struct profile *right, bool has_shared_cells)
{
	assert_int_equal(left->node_count, right->node_count);
	for (size_t i = 0; i < left->node_count; i++) {
		const struct profile_node *a = &left->nodes[i];
		const struct profile_node *b = &right->nodes[firmware_node(right, a->name)];

		assert_int_equal(a->kind, b->kind);
		assert_near(a->self_samples, b->self_samples);
		assert_near(a->self_time, b->self_time);
		assert_near(a->child_time, b->child_time);
		if (!has_shared_cells)
			assert_near(a->self_variance, b->self_variance);
		assert_int_equal(a->calls, b->calls);
		assert_int_equal(a->self_calls, b->self_calls);
	}
}

static void assert_same_arcs(const struct profile *left, const struct profile *right)
{
	assert_int_equal(left->arc_count, right->arc_count);
	for (size_t i = 0; i < left->arc_count; i++) {
		const struct profile_arc *a = &left->arcs[i];
		size_t caller = firmware_node(right, left->nodes[a->caller].name);
		size_t callee = firmware_node(right, left->nodes[a->callee].name), found = 0;

		for (size_t j = 0; j < right->arc_count; j++) {
			const struct profile_arc *b = &right->arcs[j];

			if (b->caller != caller || b->callee != callee)
				continue;
			found++;
			assert_int_equal(a->count, b->count);
			assert_near(a->self_time, b->self_time);
			assert_near(a->child_time, b->child_time);
		}
		assert_int_equal(found, 1);
	}
}

static void assert_same_profile(const struct profile *left, const struct profile *right, bool has_shared_cells)
{
	assert_int_equal(left->time_unit, right->time_unit);
	assert_int_equal(left->identity, right->identity);
	assert_near(left->total_time, right->total_time);
	assert_near(left->total_samples, right->total_samples);
	assert_int_equal(left->cycle_count, right->cycle_count);
	assert_same_nodes(left, right, has_shared_cells);
	assert_same_arcs(left, right);
}

static void assert_same_losses(const struct profile_losses *left, const struct profile_losses *right)
{
	assert_int_equal(left->ticks, right->ticks);
	assert_int_equal(left->ticks_missed_known, right->ticks_missed_known);
	if (left->ticks_missed_known)
		assert_int_equal(left->ticks_missed, right->ticks_missed);
	assert_int_equal(left->samples_outside, right->samples_outside);
	assert_int_equal(left->samples_table_full, right->samples_table_full);
	assert_int_equal(left->samples_shared, right->samples_shared);
	assert_int_equal(left->arcs_dropped, right->arcs_dropped);
	assert_int_equal(left->arcs_in_flight, right->arcs_in_flight);
	assert_int_equal(left->saturated, right->saturated);
	assert_int_equal(left->skew_known, right->skew_known);
	if (left->skew_known)
		assert_int_equal(left->skew, right->skew);
	assert_int_equal(left->sections_skipped, right->sections_skipped);
	assert_int_equal(left->resets, right->resets);
}

static struct profile *analyse(const struct image *image, struct capture *const *captures, size_t count)
{
	struct profile *profile = NULL;

	assert_success(analysis_run(image, (const struct capture *const *)captures, count,
	                            &(struct analysis_options){.force = true}, &profile, &failure),
	               &failure);
	return profile;
}

static void assert_same_parts(struct profile *left, struct profile *right, bool has_shared_cells)
{
	assert_int_equal(left->part_count, right->part_count);
	assert_true(left->part_count > 0);
	for (size_t i = 0; i < left->part_count; i++) {
		const struct profile_part *a = &left->parts[i], *b = NULL;

		for (size_t j = 0; j < right->part_count; j++)
			if (right->parts[j].core == a->core && right->parts[j].number == a->number &&
			    strcmp(right->parts[j].name, a->name) == 0)
				b = &right->parts[j];
		assert_non_null(b);
		assert_int_equal(a->switches, b->switches);
		assert_same_profile(a->profile, b->profile, has_shared_cells);
	}
}

static void compare(const struct image *image, struct capture *const *captures, size_t count, struct capture *sum,
                    bool has_shared_cells)
{
	const unsigned splits[] = {ANALYSIS_BY_CONTEXT, ANALYSIS_BY_CORE};

	for (unsigned i = 0; i < 2; i++) {
		struct profile *apart = analyse(image, captures, count), *merged = analyse(image, &sum, 1);

		assert_same_profile(apart, merged, has_shared_cells);
		assert_same_losses(&apart->losses, &merged->losses);
		assert_success(analysis_split(apart, splits[i], &(struct analysis_options){0}, &failure), &failure);
		assert_success(analysis_split(merged, splits[i], &(struct analysis_options){0}, &failure), &failure);
		assert_same_parts(apart, merged, has_shared_cells);
		profile_free(apart);
		profile_free(merged);
	}
}

/* Fails if samples and ticks of a block contradict each other. */
static void assert_adds_up(const struct capture *capture)
{
	for (size_t i = 0; i < capture->block_count; i++)
		assert_int_not_equal(capture_sum_samples(&capture->blocks[i]).balance, CAPTURE_DOES_NOT_ADD_UP);
}

static void check_runs(const struct image *image, unsigned granule_size)
{
	struct capture *captures[RUNS_MAX];

	for (uint32_t seed = 1; seed <= 40; seed++) {
		size_t count = 1 + seed % RUNS_MAX;

		for (size_t i = 0; i < count; i++) {
			captures[i] = random_run(seed * 100 + (uint32_t)i, granule_size);
			assert_adds_up(captures[i]);
		}
		struct capture *sum = merge_runs(captures, count, false);
		assert_adds_up(sum);
		compare(image, captures, count, sum, granule_size > 16);
	}
}

static struct image *image;

static int set_up(void **state)
{
	image = firmware_create("merge", 8, 32);
	return 0;
}

ALL_TESTS(set_up, NULL);
TEST(report_of_summed_bins_equals_that_of_captures)
{
	check_runs(image, 0);
}

TEST(report_of_summed_granules_equals_that_of_captures)
{
	check_runs(image, 16);
}

TEST(report_of_shared_granules_equals_that_of_captures)
{
	check_runs(image, 64);
}

TEST(report_of_both_stores_equals_that_of_captures)
{
	struct capture *captures[RUNS_MAX];

	for (uint32_t i = 0; i < RUNS_MAX; i++)
		captures[i] = random_run(7000 + i, i % 2 == 0 ? 16 : 0);
	struct capture *sum = merge_runs(captures, RUNS_MAX, false);
	compare(image, captures, RUNS_MAX, sum, false);
}
