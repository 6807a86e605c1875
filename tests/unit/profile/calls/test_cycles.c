/* SPDX-License-Identifier: MIT */
/*
 * Cycles and propagation on random call graphs against a slow oracle of another kind: components by the closure of
 * "calls", totals by repeating the recurrence until it stands still, within cycles too.
 */
#include "../firmware.h"
#include "test.h"

#include <math.h>

#define FUNCTIONS 24
#define SIZE      16

static uint32_t random_state;

/* Numerical Recipes' generator: the tests are the same everywhere. */
static uint32_t random_below(uint32_t bound)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(random_state >> 1) * bound >> 31);
}

struct graph {
	uint64_t calls[FUNCTIONS][FUNCTIONS];
	uint64_t samples[FUNCTIONS];
	bool reaches[FUNCTIONS][FUNCTIONS];
};

static struct capture *random_capture(struct graph *graph)
{
	unsigned arcs = 1 + random_below(2 * FUNCTIONS);
	struct capture *capture = firmware_capture(FUNCTIONS, arcs);

	*graph = (struct graph){0};
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		graph->samples[i] = random_below(3) == 0 ? 0 : random_below(1000);
		if (graph->samples[i] > 0)
			firmware_sample(capture, firmware_start_of(i), firmware_start_of(i) + SIZE, graph->samples[i]);
	}
	for (unsigned i = 0; i < arcs; i++) {
		unsigned caller = random_below(FUNCTIONS), callee = random_below(FUNCTIONS);
		uint64_t count = 1 + random_below(50);

		graph->calls[caller][callee] += count;
		firmware_arc(capture, firmware_start_of(caller) + 5, firmware_start_of(callee) + 3, count);
	}
	return capture;
}

static void close_reachability(struct graph *graph)
{
	for (unsigned i = 0; i < FUNCTIONS; i++)
		for (unsigned j = 0; j < FUNCTIONS; j++)
			graph->reaches[i][j] = i == j || graph->calls[i][j] > 0;
	for (unsigned k = 0; k < FUNCTIONS; k++)
		for (unsigned i = 0; i < FUNCTIONS; i++)
			for (unsigned j = 0; j < FUNCTIONS; j++)
				graph->reaches[i][j] =
				        graph->reaches[i][j] || (graph->reaches[i][k] && graph->reaches[k][j]);
}

static bool same_component(const struct graph *graph, size_t i, size_t j)
{
	return graph->reaches[i][j] && graph->reaches[j][i];
}

/* Calls into the component of callee from outside it. */
static double outside_calls(const struct graph *graph, size_t callee)
{
	double calls = 0;

	for (unsigned i = 0; i < FUNCTIONS; i++)
		for (unsigned j = 0; j < FUNCTIONS; j++)
			if (same_component(graph, j, callee) && !same_component(graph, i, j))
				calls += (double)graph->calls[i][j];
	return calls;
}

static double all_calls(const struct graph *graph, size_t callee)
{
	double calls = 0;

	for (unsigned i = 0; i < FUNCTIONS; i++)
		calls += (double)graph->calls[i][callee];
	return calls;
}

/* totals[i] by T_r = S_r + sum of T_e * C_e^r / C_e, for recursion and in cycles too. Nobody inherits the time of a
 * component that is not called from outside, where the recurrence has no end. */
static void solve(const struct graph *graph, double *totals)
{
	double calls[FUNCTIONS], change = 1;

	for (unsigned i = 0; i < FUNCTIONS; i++) {
		totals[i] = 0;
		calls[i] = outside_calls(graph, i) > 0 ? all_calls(graph, i) : INFINITY;
	}
	while (change > 1e-13) {
		change = 0;
		for (unsigned i = 0; i < FUNCTIONS; i++) {
			double total = (double)graph->samples[i] * 0.01;

			for (unsigned j = 0; j < FUNCTIONS; j++)
				total += totals[j] * (double)graph->calls[i][j] / calls[j];
			change = fmax(change, fabs(total - totals[i]) / (1 + total));
			totals[i] = total;
		}
	}
}

/* The time that function i inherits from callees outside its component. */
static double time_of_children(const struct graph *graph, const double *totals, size_t i)
{
	double time = 0;

	for (unsigned j = 0; j < FUNCTIONS; j++)
		if (graph->calls[i][j] > 0 && !same_component(graph, i, j))
			time += totals[j] * (double)graph->calls[i][j] / all_calls(graph, j);
	return time;
}

static void check_components(const struct graph *graph, const struct profile *profile)
{
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		bool in_cycle = false;

		for (unsigned j = 0; j < FUNCTIONS; j++) {
			bool together = i != j && same_component(graph, i, j);

			in_cycle = in_cycle || together;
			if (together)
				assert_int_equal(profile->nodes[i].cycle, profile->nodes[j].cycle);
			if (together)
				assert_int_equal(profile->nodes[i].order, profile->nodes[j].order);
			if (graph->calls[i][j] > 0 && !same_component(graph, i, j))
				assert_true(profile->nodes[i].order > profile->nodes[j].order);
			if (!together && i != j && profile->nodes[i].cycle != PROFILE_NONE)
				assert_true(profile->nodes[i].cycle != profile->nodes[j].cycle);
		}
		assert_int_equal(profile->nodes[i].cycle != PROFILE_NONE, in_cycle);
	}
}

static void check_times(const struct graph *graph, const struct profile *profile)
{
	double totals[FUNCTIONS];

	solve(graph, totals);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		double children = time_of_children(graph, totals, i);

		if (!is_near(profile->nodes[i].child_time, children))
			fail_msg("f%u: child time %.12f, expected %.12f", i, profile->nodes[i].child_time, children);
		assert_near(profile->nodes[i].self_time, (double)graph->samples[i] * 0.01);
	}
}

/* The time that reaches roots, and cycles without callers, is the total time. */
static void check_conservation(const struct graph *graph, const struct profile *profile)
{
	double roots = 0;

	for (unsigned i = 0; i < FUNCTIONS; i++)
		if (!(outside_calls(graph, i) > 0))
			roots += profile_node_total(&profile->nodes[i]);
	assert_near(profile->total_time, roots);
}

static void check_cycles(const struct graph *graph, const struct profile *profile)
{
	for (size_t c = 0; c < profile->cycle_count; c++) {
		const struct profile_cycle *cycle = &profile->cycles[c];
		uint64_t internal = 0;

		assert_true(cycle->member_count > 1);
		for (size_t i = 0; i < cycle->member_count; i++)
			for (size_t j = 0; j < cycle->member_count; j++)
				internal += i != j ? graph->calls[cycle->members[i]][cycle->members[j]] : 0;
		assert_int_equal(cycle->internal_calls, internal);
		assert_true(fabs((double)cycle->calls - outside_calls(graph, cycle->members[0])) < 0.5);
	}
}

TEST(random_graphs_agree_with_the_slow_oracle)
{
	struct image *image = firmware_create("random", FUNCTIONS, SIZE);

	assert_int_equal(image->function_count, FUNCTIONS);
	for (random_state = 1; random_state < 2000; random_state++) {
		uint32_t seed = random_state;
		struct graph graph;
		struct capture *capture = random_capture(&graph);
		struct profile *profile = firmware_analyse(image, capture);

		close_reachability(&graph);
		check_components(&graph, profile);
		check_times(&graph, profile);
		check_conservation(&graph, profile);
		check_cycles(&graph, profile);
		random_state = seed;
	}
}

/* A walk with recursion would need a stack frame for each. */
TEST(a_chain_of_200000_calls_is_not_too_deep)
{
	const unsigned count = 200000;
	struct image *image = firmware_create("chain", count, 2);
	struct capture *capture = firmware_capture(1, count);

	assert_int_equal(image->function_count, count);
	for (unsigned i = 0; i + 1 < count; i++)
		firmware_arc(capture, FIRMWARE_BASE + 2 * i + 2, FIRMWARE_BASE + 2 * i + 2, 1);
	firmware_sample(capture, FIRMWARE_BASE + 2 * (count - 1), FIRMWARE_BASE + 2 * count, 100);
	struct profile *profile = firmware_analyse(image, capture);
	assert_int_equal(profile->arc_count, count - 1);
	assert_int_equal(profile->cycle_count, 0);
	assert_true(fabs(profile->nodes[0].child_time - 1.0) < 1e-9);
}

TEST(one_ring_of_200000_functions_is_one_cycle)
{
	const unsigned count = 200000;
	struct image *image = firmware_create("ring", count, 2);
	struct capture *capture = firmware_capture(1, count);

	for (unsigned i = 0; i < count; i++)
		firmware_arc(capture, FIRMWARE_BASE + 2 * i + 2, FIRMWARE_BASE + 2 * ((i + 1) % count), 1);
	struct profile *profile = firmware_analyse(image, capture);
	assert_int_equal(profile->cycle_count, 1);
	assert_int_equal(profile->cycles[0].member_count, count);
	assert_int_equal(profile->cycles[0].internal_calls, count);
}
