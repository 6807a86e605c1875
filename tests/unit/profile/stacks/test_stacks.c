/* SPDX-License-Identifier: MIT */
/* Estimated stacks of random call graphs, compared with exact propagation. */
#include "profile/stacks/stacks.h"

#include "base/array.h"
#include "test.h"

#include "../../../random.h"

#include <math.h>
#include <stdlib.h>

/* A call graph and its exact times; a unit is a node or a pair of nodes that form a cycle. */
struct fixture {
	struct stacks_graph graph;
	uint64_t *samples;
	double *self_times;
	size_t *cycles;
	struct stacks_arc *arcs;
	double *calls;       /* by arc */
	double *totals;      /* by node: of its unit */
	double whole;        /* all samples */
	uint64_t *inclusive; /* by node: samples of stacks with its unit, as expanded */
	struct stacks stacks;
	struct scratch scratch;
	uint32_t random;
};

static uint32_t below(struct fixture *fixture, uint32_t bound)
{
	return random_next(&fixture->random) % bound;
}

static void create(struct fixture *fixture, size_t node_count, size_t arc_count)
{
	struct scratch *scratch = &fixture->scratch;

	fixture->samples = scratch_array(scratch, node_count, sizeof *fixture->samples);
	fixture->self_times = scratch_array(scratch, node_count, sizeof *fixture->self_times);
	fixture->cycles = scratch_array(scratch, node_count, sizeof *fixture->cycles);
	fixture->arcs = scratch_array(scratch, arc_count, sizeof *fixture->arcs);
	fixture->calls = scratch_array(scratch, arc_count, sizeof *fixture->calls);
	fixture->totals = scratch_array(scratch, node_count, sizeof *fixture->totals);
	fixture->inclusive = scratch_array(scratch, node_count, sizeof *fixture->inclusive);
	assert_false(scratch->is_short_of_memory);
	fixture->graph = (struct stacks_graph){node_count,      fixture->self_times, fixture->samples,
	                                       fixture->cycles, fixture->arcs,       0};
}

static void release(struct fixture *fixture)
{
	stacks_free(&fixture->stacks);
	scratch_free(&fixture->scratch);
}

/* Every 16th pair of nodes is a cycle. Later nodes are called by earlier ones, a few thousand times at most. */
static void add_calls(struct fixture *fixture, size_t arc_count)
{
	size_t nodes = fixture->graph.node_count;

	for (size_t i = 0; i + 1 < nodes; i += 32)
		fixture->cycles[i] = fixture->cycles[i + 1] = i / 32 + 1;
	while (fixture->graph.arc_count < arc_count) {
		size_t caller = below(fixture, (uint32_t)nodes - 1);
		size_t callee = caller + 1 + below(fixture, (uint32_t)(nodes - caller - 1));

		if (fixture->cycles[caller] != 0 && fixture->cycles[caller] == fixture->cycles[callee])
			continue;
		fixture->calls[fixture->graph.arc_count] = 1 + below(fixture, 1u << below(fixture, 12));
		fixture->arcs[fixture->graph.arc_count++] = (struct stacks_arc){caller, callee, 0};
	}
}

static size_t partner_of(const struct fixture *fixture, size_t node)
{
	return fixture->cycles[node] == 0 ? node : (node % 32 == 0 ? node + 1 : node - 1);
}

/* Gives each unit's time to its callers, last nodes first: O(nodes * arcs). */
static void propagate(struct fixture *fixture)
{
	for (size_t node = 0; node < fixture->graph.node_count; node++)
		fixture->totals[node] =
		        fixture->self_times[node] +
		        (partner_of(fixture, node) != node ? fixture->self_times[partner_of(fixture, node)] : 0);
	for (size_t node = fixture->graph.node_count; node-- > 0;) {
		size_t first = partner_of(fixture, node);
		double calls = 0;

		if (first > node)
			continue; /* a cycle is done when its first node comes */
		first = fixture->cycles[node] == 0 ? node : first;
		if (fixture->cycles[node] != 0 && node % 32 != 1)
			continue;
		for (size_t i = 0; i < fixture->graph.arc_count; i++)
			if (fixture->arcs[i].callee == node || fixture->arcs[i].callee == first)
				calls += fixture->calls[i];
		for (size_t i = 0; i < fixture->graph.arc_count; i++) {
			struct stacks_arc *arc = &fixture->arcs[i];

			if (arc->callee != node && arc->callee != first)
				continue;
			arc->time = fixture->totals[node] * fixture->calls[i] / calls;
			fixture->totals[arc->caller] += arc->time;
			if (partner_of(fixture, arc->caller) != arc->caller)
				fixture->totals[partner_of(fixture, arc->caller)] += arc->time;
		}
	}
}

static void sample(struct fixture *fixture, uint32_t max)
{
	for (size_t node = 0; node < fixture->graph.node_count; node++) {
		fixture->samples[node] = below(fixture, 4) == 0 ? below(fixture, max) : 0;
		fixture->self_times[node] = (double)fixture->samples[node];
		fixture->whole += fixture->self_times[node];
	}
}

static bool is_unit_of(const struct fixture *fixture, size_t left, size_t right)
{
	return left == right || partner_of(fixture, left) == right;
}

/* Adds the samples of a stack to the units on it, each once. */
static void add_inclusive(struct fixture *fixture, size_t frame)
{
	const struct stacks_frame *frames = fixture->stacks.frames;
	uint64_t samples = frames[frame].samples[0];
	size_t inner = SIZE_MAX;

	for (; frame != STACKS_ROOT; frame = frames[frame].parent) {
		size_t node = frames[frame].node;

		assert_true(node < fixture->graph.node_count);
		if (inner != SIZE_MAX && is_unit_of(fixture, inner, node)) {
			inner = node;
			continue;
		}
		fixture->inclusive[node] += samples;
		if (partner_of(fixture, node) != node)
			fixture->inclusive[partner_of(fixture, node)] += samples;
		inner = node;
	}
}

static double worst_inclusive_error(struct fixture *fixture)
{
	double worst = 0;

	for (size_t i = 1; i < fixture->stacks.count; i++)
		add_inclusive(fixture, i);
	for (size_t node = 0; node < fixture->graph.node_count; node++)
		worst = fmax(worst, fabs((double)fixture->inclusive[node] - fixture->totals[node]));
	return worst;
}

static void check_self_samples(const struct fixture *fixture)
{
	uint64_t *found = calloc(fixture->graph.node_count, sizeof *found);

	assert_non_null(found);
	for (size_t i = 1; i < fixture->stacks.count; i++)
		found[fixture->stacks.frames[i].node] += fixture->stacks.frames[i].samples[0];
	for (size_t node = 0; node < fixture->graph.node_count; node++)
		assert_int_equal(found[node], fixture->samples[node]);
	free(found);
}

static void expand_random(struct fixture *fixture, size_t nodes, size_t arcs, uint32_t samples_max)
{
	create(fixture, nodes, arcs);
	add_calls(fixture, arcs);
	sample(fixture, samples_max);
	propagate(fixture);
	assert_true(stacks_expand(&fixture->graph, 1, &fixture->stacks));
}

TEST(inclusive_times_are_within_half_the_sampling_error)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct fixture fixture = {.random = random_state_of(seed)};

		expand_random(&fixture, 400, 2000, 500);
		check_self_samples(&fixture);
		assert_true(worst_inclusive_error(&fixture) <= 0.54 * sqrt(fixture.whole));
		release(&fixture);
	}
}

TEST(large_graph_keeps_inclusive_times)
{
	struct fixture fixture = {.random = random_state_of(7)};

	expand_random(&fixture, 2000, 10000, 400);
	check_self_samples(&fixture);
	assert_true(worst_inclusive_error(&fixture) <= 0.54 * sqrt(fixture.whole));
	release(&fixture);
}

TEST(billions_of_samples_have_few_stacks)
{
	struct fixture fixture = {.random = random_state_of(3)};

	expand_random(&fixture, 800, 8000, 1u << 31);
	check_self_samples(&fixture);
	assert_true(fixture.stacks.count < 1u << 20);
	assert_true(worst_inclusive_error(&fixture) <= 1e-3 * fixture.whole);
	release(&fixture);
}

/* Calls of one function, and the same samples of the only caller's, repeatedly: the errors must not add up. */
TEST(rounding_errors_do_not_add_up)
{
	enum { LEAVES = 300 };
	struct fixture fixture = {.random = 1};
	uint64_t first = 0;

	create(&fixture, LEAVES + 3, LEAVES + 2);
	for (size_t i = 0; i < LEAVES; i++) {
		fixture.samples[i + 3] = 1;
		fixture.self_times[i + 3] = 1;
		fixture.arcs[i] = (struct stacks_arc){2, i + 3, 1};
	}
	fixture.arcs[LEAVES] = (struct stacks_arc){0, 2, 0.4 * LEAVES};
	fixture.arcs[LEAVES + 1] = (struct stacks_arc){1, 2, 0.6 * LEAVES};
	fixture.graph.arc_count = LEAVES + 2;
	assert_true(stacks_expand(&fixture.graph, 1, &fixture.stacks));
	for (size_t i = 1; i < fixture.stacks.count; i++) {
		size_t frame = i;

		while (fixture.stacks.frames[frame].parent != STACKS_ROOT)
			frame = fixture.stacks.frames[frame].parent;
		first += fixture.stacks.frames[frame].node == 0 ? fixture.stacks.frames[i].samples[0] : 0;
	}
	assert_int_equal(first, 120);
	release(&fixture);
}

TEST(time_without_a_caller_begins_a_stack)
{
	struct fixture fixture = {.random = 1};

	create(&fixture, 2, 1);
	fixture.samples[1] = 100;
	fixture.self_times[1] = 100;
	fixture.arcs[0] = (struct stacks_arc){0, 1, 25};
	fixture.graph.arc_count = 1;
	assert_true(stacks_expand(&fixture.graph, 1, &fixture.stacks));
	for (size_t i = 1; i < fixture.stacks.count; i++)
		if (fixture.stacks.frames[i].node == 1)
			assert_int_equal(fixture.stacks.frames[i].samples[0],
			                 fixture.stacks.frames[i].parent == STACKS_ROOT ? 75 : 25);
	assert_int_equal(fixture.stacks.count, 4); /* the root, 0, 0;1 and 1 */
	release(&fixture);
}

TEST(deep_chain_is_cut_and_keeps_its_samples)
{
	enum { DEPTH = 1000 };
	struct fixture fixture = {.random = 1};
	size_t cut = 0;

	create(&fixture, DEPTH, DEPTH);
	fixture.samples[DEPTH - 1] = 10;
	fixture.self_times[DEPTH - 1] = 10;
	for (size_t i = 1; i < DEPTH; i++)
		fixture.arcs[fixture.graph.arc_count++] = (struct stacks_arc){i - 1, i, 10};
	assert_true(stacks_expand(&fixture.graph, 1, &fixture.stacks));
	for (size_t i = 1; i < fixture.stacks.count; i++) {
		cut += fixture.stacks.frames[i].node == DEPTH;
		assert_true(fixture.stacks.frames[i].depth <= STACKS_DEPTH_MAX + 1);
	}
	assert_int_equal(cut, 1);
	assert_int_equal(fixture.stacks.frames[fixture.stacks.count - 1].samples[0], 10);
	release(&fixture);
}

/* The graph is not acyclic, as its maker promised: the expansion ends all the same. */
TEST(unmarked_cycle_ends)
{
	struct fixture fixture = {.random = 1};

	create(&fixture, 2, 2);
	fixture.samples[0] = 1000;
	fixture.self_times[0] = 1000;
	fixture.arcs[0] = (struct stacks_arc){0, 1, 500};
	fixture.arcs[1] = (struct stacks_arc){1, 0, 1000};
	fixture.graph.arc_count = 2;
	assert_true(stacks_expand(&fixture.graph, 1, &fixture.stacks));
	release(&fixture);
}

TEST(rounded_samples_stop_at_64_bits)
{
	const double times[] = {0x1p63, 0x1p63, 1, 0x1p70};
	uint64_t samples[4];

	stacks_round(times, 1, 4, samples);
	assert_true(samples[0] == UINT64_C(1) << 63);
	assert_true(samples[1] == UINT64_MAX - samples[0]);
	assert_int_equal(samples[2], 0);
	assert_int_equal(samples[3], 0);
}
