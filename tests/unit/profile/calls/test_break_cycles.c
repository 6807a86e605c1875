/* SPDX-License-Identifier: MIT */
/*
 * Breaking cycles on random call graphs: no component is larger than asked for, by another way of finding components;
 * the cost is never above that of the obvious greedy way, and near the minimum where all ways can be tried.
 */
#include "../firmware.h"
#include "profile/analysis.h"
#include "test.h"

#include <stdlib.h>
#include <time.h>

#define FUNCTIONS 64u
#define SIZE      4u
#define ARCS_MAX  512u

static struct graph {
	struct image *image;
	struct gmon_arc arcs[ARCS_MAX];
	struct gmon gmon;
	struct profile *profile;
	uint32_t random;
} graph;

static int set_up(void **state)
{
	graph = (struct graph){
	        .image = firmware_create("breaking", FUNCTIONS, SIZE),
	        .gmon.arcs = graph.arcs,
	        .random = 1,
	};
	return 0;
}

static int tear_down(void **state)
{
	profile_free(graph.profile);
	return 0;
}

/* Numerical Recipes' generator: the tests are the same everywhere. */
static uint32_t below(uint32_t bound)
{
	graph.random = graph.random * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(graph.random >> 1) * bound >> 31);
}

static void calls(unsigned caller, unsigned callee, uint64_t count)
{
	graph.arcs[graph.gmon.arc_count++] =
	        (struct gmon_arc){FIRMWARE_BASE + SIZE * caller + 2, FIRMWARE_BASE + SIZE * callee, count};
}

/* Kinds of call graphs. Numbers of calls are below count_max; by a power law, few arcs have nearly all calls. */
enum kind { UNIFORM, POWER_LAW, LAYERED, PLANTED, WITH_INTERRUPTS, KIND_COUNT };

static uint64_t power_law(uint32_t count_max)
{
	return count_max / (1 + below(count_max));
}

/* An arc of a kind: a layered graph has one arc in eight that leads back; a planted cycle is a ring of eight functions;
 * all handlers are called by one function, and call into all others. */
static void add_arc(enum kind kind, unsigned functions, uint32_t count_max)
{
	uint32_t a = below(functions), b = below(functions), low = a < b ? a : b, high = a < b ? b : a;
	uint64_t count = kind == UNIFORM ? below(count_max) : power_law(count_max);

	if (kind == LAYERED || kind == PLANTED) {
		bool is_back = below(8) == 0;

		calls(is_back ? high : low, is_back ? low : high, count);
	}
	if (kind == PLANTED)
		calls(a, a / 8 * 8 + (a + 1) % 8, count);
	if (kind == WITH_INTERRUPTS)
		calls(a < 8 ? 0 : a, a < 8 ? a : b, count);
	if (kind == UNIFORM || kind == POWER_LAW)
		calls(a, b, count);
}

static void random_graph(enum kind kind, unsigned functions, unsigned arcs, uint32_t count_max)
{
	graph.gmon.arc_count = 0;
	while (graph.gmon.arc_count < arcs)
		add_arc(kind, functions, count_max);
}

/* A profile of the calls, its cycles broken. */
static struct profile *run(size_t cycle_max)
{
	const struct analysis_options options = {.cycle_max = cycle_max};

	profile_free(graph.profile);
	graph.profile = NULL;
	assert_success(analysis_run_gmon(graph.image, &graph.gmon, &options, &graph.profile, &failure), &failure);
	return graph.profile;
}

/* --- Components, by the closure of "calls": who is in one with whom is a bit in a row of 64. */

static void close_calls(const struct profile *profile, const bool *is_removed, uint64_t *reached)
{
	for (unsigned i = 0; i < FUNCTIONS; i++)
		reached[i] = UINT64_C(1) << i;
	for (size_t i = 0; i < profile->arc_count; i++)
		if (!is_removed[i])
			reached[profile->arcs[i].caller] |= UINT64_C(1) << profile->arcs[i].callee;
	for (unsigned k = 0; k < FUNCTIONS; k++)
		for (unsigned i = 0; i < FUNCTIONS; i++)
			if ((reached[i] >> k & 1) != 0)
				reached[i] |= reached[k];
}

static size_t component_size(const uint64_t *reached, size_t function)
{
	size_t size = 0;

	for (unsigned i = 0; i < FUNCTIONS; i++)
		size += (reached[function] >> i & 1) != 0 && (reached[i] >> function & 1) != 0;
	return size;
}

static size_t largest_component(const struct profile *profile, const bool *is_removed, uint64_t *reached)
{
	size_t largest = 0;

	close_calls(profile, is_removed, reached);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		size_t size = component_size(reached, i);

		largest = size > largest ? size : largest;
	}
	return largest;
}

static bool is_within(const struct profile_arc *arc, const uint64_t *reached)
{
	return arc->caller != arc->callee && (reached[arc->callee] >> arc->caller & 1) != 0;
}

/* The obvious way: removes the lightest arc of a component that is too large, the last of several, until none is. */
static uint64_t cost_of_greedy(const struct profile *profile, size_t cycle_max)
{
	bool is_removed[ARCS_MAX] = {false};
	uint64_t reached[FUNCTIONS], cost = 0;

	while (largest_component(profile, is_removed, reached) > cycle_max) {
		size_t lightest = SIZE_MAX;

		for (size_t i = 0; i < profile->arc_count; i++) {
			const struct profile_arc *arc = &profile->arcs[i];

			if (!is_removed[i] && is_within(arc, reached) &&
			    component_size(reached, arc->caller) > cycle_max &&
			    (lightest == SIZE_MAX || arc->count <= profile->arcs[lightest].count))
				lightest = i;
		}
		is_removed[lightest] = true;
		cost += profile->arcs[lightest].count;
	}
	return cost;
}

/* The minimum cost: all sets of arcs are tried. */
static uint64_t cost_min(const struct profile *profile, size_t cycle_max)
{
	uint64_t reached[FUNCTIONS], min = UINT64_MAX;

	for (uint32_t set = 0; set < UINT32_C(1) << profile->arc_count; set++) {
		bool is_removed[ARCS_MAX];
		uint64_t cost = 0;

		for (size_t i = 0; i < profile->arc_count; i++) {
			is_removed[i] = (set >> i & 1) != 0;
			cost += is_removed[i] ? profile->arcs[i].count : 0;
		}
		if (cost < min && largest_component(profile, is_removed, reached) <= cycle_max)
			min = cost;
	}
	return min;
}

/* Checks that the removed arcs are consistent, and enough; returns their cost. */
static uint64_t check(const struct profile *profile, size_t cycle_max)
{
	bool is_removed[ARCS_MAX];
	uint64_t reached[FUNCTIONS], of_callee[FUNCTIONS] = {0}, cost = 0;
	size_t count = 0;

	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];

		is_removed[i] = arc->is_removed;
		if (!arc->is_removed)
			continue;
		assert_int_not_equal(arc->caller, arc->callee);
		assert_true(arc->self_time <= 0 && arc->child_time <= 0);
		of_callee[arc->callee] += arc->count;
		cost += arc->count;
		count++;
	}
	assert_int_equal(profile->removed_count, count);
	assert_true(largest_component(profile, is_removed, reached) <= cycle_max);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		size_t cycle = profile->nodes[i].cycle;

		assert_int_equal(profile->nodes[i].removed_calls, of_callee[i]);
		assert_int_equal(cycle == PROFILE_NONE ? 1 : profile->cycles[cycle].member_count,
		                 component_size(reached, i));
	}
	return cost;
}

/* Every arc that is gone has to be: with it alone back, a component would be too large. */
static void check_that_none_is_wasted(const struct profile *profile, size_t cycle_max)
{
	bool is_removed[ARCS_MAX];
	uint64_t reached[FUNCTIONS];

	for (size_t i = 0; i < profile->arc_count; i++)
		is_removed[i] = profile->arcs[i].is_removed;
	for (size_t i = 0; i < profile->arc_count; i++) {
		if (!is_removed[i])
			continue;
		is_removed[i] = false;
		assert_true(largest_component(profile, is_removed, reached) > cycle_max);
		is_removed[i] = true;
	}
}

EACH_TEST(set_up, tear_down);

TEST(small_graphs_come_near_the_minimum_cost)
{
	uint64_t sum = 0, min_sum = 0;
	unsigned exact = 0, all = 0;

	for (unsigned round = 0; round < 120; round++) {
		unsigned functions = 3 + below(4);

		random_graph(UNIFORM, functions, 4 + below(9), 20);
		for (size_t cycle_max = 1; cycle_max <= 3; cycle_max++) {
			const struct profile *profile = run(cycle_max);
			uint64_t cost = check(profile, cycle_max), min = cost_min(profile, cycle_max);

			check_that_none_is_wasted(profile, cycle_max);
			assert_true(cost <= cost_of_greedy(profile, cycle_max));
			assert_true(cost <= 2 * min);
			sum += cost;
			min_sum += min;
			exact += cost == min;
			all++;
		}
	}
	assert_true(exact * 100 >= all * 98);
	assert_true((double)sum <= 1.03 * (double)min_sum);
}

TEST(large_graphs_lose_no_more_than_greedy_removal)
{
	static const uint32_t count_max[] = {1, 2, 50, 1000000};
	static const size_t cycle_max[] = {1, 2, 3, 7, 20};

	for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
		uint64_t sum = 0, greedy_sum = 0;

		for (unsigned round = 0; round < 24; round++) {
			random_graph(kind, FUNCTIONS, 100 + below(300), count_max[round % 4]);
			for (size_t i = 0; i < sizeof cycle_max / sizeof *cycle_max; i++) {
				const struct profile *profile = run(cycle_max[i]);
				uint64_t cost = check(profile, cycle_max[i]);
				uint64_t greedy = cost_of_greedy(profile, cycle_max[i]);

				check_that_none_is_wasted(profile, cycle_max[i]);
				assert_true(cost <= greedy);
				sum += cost;
				greedy_sum += greedy;
			}
		}
		assert_true((double)sum < 0.7 * (double)greedy_sum);
	}
}

TEST(small_cycles_are_left_alone)
{
	calls(0, 1, 5);
	calls(1, 2, 5);
	calls(2, 0, 1);
	calls(3, 4, 5);
	calls(4, 3, 1);
	assert_int_equal(run(3)->removed_count, 0);
	assert_int_equal(graph.profile->cycle_count, 2);
	assert_int_equal(run(2)->removed_count, 1);
	assert_int_equal(graph.profile->cycle_count, 1);
	assert_int_equal(run(1)->removed_count, 2);
	assert_int_equal(graph.profile->cycle_count, 0);
	assert_int_equal(run(0)->removed_count, 0);
}

TEST(recursion_is_never_removed)
{
	calls(0, 0, 1);
	calls(0, 1, 9);
	calls(1, 1, 1);
	calls(1, 0, 3);
	const struct profile *profile = run(1);
	check(profile, 1);
	assert_int_equal(profile->removed_count, 1);
	assert_int_equal(profile->nodes[0].removed_calls, 3);
	assert_int_equal(profile->nodes[1].self_calls, 1);
}

/* Even if many of them are removed. */
TEST(arcs_without_calls_are_removed_first)
{
	for (unsigned i = 1; i <= 20; i++) {
		calls(0, i, 1);
		calls(i, 21, 1);
	}
	for (unsigned i = 1; i <= 20; i++)
		calls(21, i, 0);
	calls(21, 22, 1);
	calls(22, 0, 0);
	const struct profile *profile = run(1);
	assert_int_equal(check(profile, 1), 0);
	assert_int_equal(profile->removed_count, 21);
}

/* All cycles go through the one arc from f9 to f0. */
TEST(of_equal_costs_the_cut_with_fewer_arcs_wins)
{
	for (unsigned i = 1; i <= 8; i++) {
		calls(0, i, 0);
		calls(i, 9, 7);
	}
	calls(9, 0, 0);
	const struct profile *profile = run(1);
	assert_int_equal(check(profile, 1), 0);
	assert_int_equal(profile->removed_count, 1);
}

/* The time of f1 is all f0's, none is kept for the call that was removed. */
TEST(time_of_a_broken_cycle_goes_to_remaining_calls)
{
	uint64_t bins[FUNCTIONS] = {[1] = 100, [2] = 60};
	struct gmon_histogram histogram = {
	        .low = FIRMWARE_BASE,
	        .high = FIRMWARE_BASE + FUNCTIONS * SIZE,
	        .bins = bins,
	        .bin_count = FUNCTIONS,
	};

	graph.gmon.histograms = &histogram;
	graph.gmon.histogram_count = 1;
	calls(0, 1, 2);
	calls(1, 2, 10);
	calls(2, 1, 6);
	const struct profile *profile = run(1);
	check(profile, 1);
	assert_int_equal(profile->nodes[1].removed_calls, 6);
	assert_int_equal(profile->nodes[1].calls, 8);
	assert_true(profile->nodes[0].child_time > 159.999 && profile->nodes[0].child_time < 160.001);
	assert_true(profile->nodes[2].child_time <= 0);
}

TEST(the_same_arcs_are_removed_on_every_run)
{
	bool is_removed[ARCS_MAX];

	random_graph(UNIFORM, FUNCTIONS, 400, 3);
	const struct profile *profile = run(2);
	for (size_t i = 0; i < profile->arc_count; i++)
		is_removed[i] = profile->arcs[i].is_removed;
	profile = run(2);
	for (size_t i = 0; i < profile->arc_count; i++)
		assert_int_equal(is_removed[i], profile->arcs[i].is_removed);
}

/* A ring with many arcs across it: the search ends before each arc is decided. */
TEST(cycle_of_thousands_of_functions_takes_bounded_time)
{
	enum { COUNT = 6000, ARCS = 34000 };
	struct gmon gmon = {.arcs = release_later(calloc(ARCS, sizeof *gmon.arcs), free)};
	struct image *image = firmware_create("breaking-large", COUNT, SIZE);
	const struct analysis_options options = {.cycle_max = 7};

	assert_non_null(gmon.arcs);
	for (uint32_t i = 0; i < ARCS; i++) {
		uint32_t caller = i < COUNT ? i : below(COUNT);
		uint32_t callee = i < COUNT ? (i + 1) % COUNT : below(COUNT);

		gmon.arcs[gmon.arc_count++] = (struct gmon_arc){FIRMWARE_BASE + SIZE * caller + 2,
		                                                FIRMWARE_BASE + SIZE * callee, power_law(100000)};
	}
	clock_t start = clock();
	const struct profile *profile = firmware_run_gmon(image, &gmon, &options);
	assert_time(start, 100);
	assert_in_range(profile->removed_count, 1, ARCS / 2);
	for (size_t i = 0; i < profile->cycle_count; i++)
		assert_true(profile->cycles[i].member_count <= options.cycle_max);
}
