/* SPDX-License-Identifier: MIT */
/* Each stage of the search for feedback arcs by itself, on random graphs. */
#include "profile/analysis/cycle_graph.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODES    24u
#define ARCS_MAX 128u

struct fixture {
	struct cycle_graph graph;
	struct arc_cut cut;
	uint32_t random;
};

/* Numerical Recipes' generator: the tests are the same everywhere. */
static uint32_t below(struct fixture *fixture, uint32_t bound)
{
	fixture->random = fixture->random * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(fixture->random >> 1) * bound >> 31);
}

static void release(struct fixture *fixture)
{
	scratch_free(&fixture->cut.scratch);
	scratch_free(&fixture->graph.scratch);
}

static int compare_arcs(const void *left, const void *right)
{
	const struct cycle_arc *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

static void prepare_nodes(struct fixture *fixture, uint32_t node_count, size_t limit, uint32_t arc_count)
{
	fixture->graph.limit = limit;
	fixture->graph.node_count = node_count;
	fixture->graph.arc_count = arc_count;
	qsort(fixture->graph.arcs, arc_count, sizeof *fixture->graph.arcs, compare_arcs);
	assert_true(cycle_graph_prepare(&fixture->graph));
	assert_true(arc_cut_create(&fixture->graph, &fixture->cut));
}

static void prepare(struct fixture *fixture, size_t limit, uint32_t arc_count)
{
	prepare_nodes(fixture, NODES, limit, arc_count);
}

static void random_graph(struct fixture *fixture, size_t limit)
{
	uint32_t count = NODES + below(fixture, ARCS_MAX - NODES);

	fixture->graph.arcs = scratch_array(&fixture->graph.scratch, ARCS_MAX, sizeof *fixture->graph.arcs);
	assert_non_null(fixture->graph.arcs);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = below(fixture, NODES - 1), to = from + 1 + below(fixture, NODES - 1 - from);
		bool back = below(fixture, 2) == 0;

		fixture->graph.arcs[i] = (struct cycle_arc){
		        .from = back ? to : from,
		        .to = back ? from : to,
		        .weight = 1 + below(fixture, 100),
		};
	}
	prepare(fixture, limit, count);
}

/* Into groups of at most the limit, in a random row. */
static void random_arrangement(struct fixture *fixture)
{
	for (uint32_t i = 0; i < NODES; i++) {
		fixture->cut.group[i] = i - i % (uint32_t)fixture->graph.limit;
		fixture->cut.place[i] = i;
	}
	for (uint32_t i = NODES - 1; i > 0; i--) {
		uint32_t other = below(fixture, i + 1), place = fixture->cut.place[i];

		fixture->cut.place[i] = fixture->cut.place[other];
		fixture->cut.place[other] = place;
	}
}

static bool leads_back(const struct arc_cut *cut, const struct cycle_arc *arc)
{
	uint32_t from = cut->group[arc->from], to = cut->group[arc->to];

	return from != to && cut->place[from] > cut->place[to];
}

static double weight_of(const struct fixture *fixture)
{
	double weight = 0;

	for (uint32_t i = 0; i < fixture->graph.arc_count; i++)
		weight += leads_back(&fixture->cut, &fixture->graph.arcs[i]) ? fixture->graph.arcs[i].weight : 0;
	return weight;
}

static void assert_valid(const struct fixture *fixture)
{
	uint32_t size[NODES] = {0};
	bool is_taken[NODES] = {false};

	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t group = fixture->cut.group[i];

		assert_true(group < NODES && fixture->cut.place[group] < NODES);
		assert_true(++size[group] <= fixture->graph.limit);
		assert_true(size[group] > 1 || !is_taken[fixture->cut.place[group]]);
		is_taken[fixture->cut.place[group]] = true;
	}
}

/* Moves a node to each place and into each group there is: none may weigh less. */
static void assert_no_move_helps(struct fixture *fixture, uint32_t node)
{
	struct arc_cut *cut = &fixture->cut;
	uint32_t own = cut->group[node], groups[NODES], size[NODES] = {0}, lone = NODES;
	double weight = weight_of(fixture);

	memcpy(groups, cut->group, sizeof groups);
	for (uint32_t i = 0; i < NODES; i++)
		size[cut->group[i]]++;
	for (uint32_t group = 0; group < NODES; group++) {
		if (size[group] == 0)
			lone = group;
		if (size[group] == 0 || group == own || size[group] >= fixture->graph.limit)
			continue;
		cut->group[node] = group;
		assert_true(weight_of(fixture) >= weight);
	}
	cut->group[node] = own;
	if (size[own] > 1 && lone == NODES)
		fail_msg("a group of several leaves numbers free");
	/* Alone: everyone's places are doubled, it takes the odd ones. */
	uint32_t alone = size[own] > 1 ? lone : own, places[NODES];
	memcpy(places, cut->place, sizeof places);
	for (uint32_t i = 0; i < NODES; i++)
		cut->place[i] = 2 * places[i] + 1;
	cut->group[node] = alone;
	for (uint32_t place = 0; place <= 2 * NODES; place += 2) {
		cut->place[alone] = place;
		assert_true(weight_of(fixture) >= weight);
	}
	memcpy(cut->place, places, sizeof places);
	memcpy(cut->group, groups, sizeof groups);
}

TEST(after_sifting_no_single_move_helps)
{
	struct fixture fixture = {.random = 3};

	for (unsigned round = 0; round < 60; round++) {
		random_graph(&fixture, 1 + round % 4);
		random_arrangement(&fixture);
		double before = weight_of(&fixture);
		uint64_t steps = 1000000;
		assert_true(arc_cut_sift(&fixture.graph, &fixture.cut, &steps));
		assert_true(steps > 0 && steps < 1000000);
		assert_valid(&fixture);
		assert_true(weight_of(&fixture) <= before);
		for (uint32_t node = 0; node < NODES; node++)
			assert_no_move_helps(&fixture, node);
		release(&fixture);
	}
}

/* Which nodes each one leads to over arcs that stay: a bit each. */
static void close_arcs(const struct fixture *fixture, uint32_t *reached)
{
	for (uint32_t i = 0; i < NODES; i++)
		reached[i] = UINT32_C(1) << i;
	for (uint32_t i = 0; i < fixture->graph.arc_count; i++)
		if (!fixture->cut.is_removed[i])
			reached[fixture->graph.arcs[i].from] |= UINT32_C(1) << fixture->graph.arcs[i].to;
	for (uint32_t k = 0; k < NODES; k++)
		for (uint32_t i = 0; i < NODES; i++)
			if ((reached[i] >> k & 1) != 0)
				reached[i] |= reached[k];
}

/* Groups are the components, their row is topological, and what is removed leads back in it. */
static void assert_inserted(const struct fixture *fixture)
{
	uint32_t reached[NODES];
	const struct arc_cut *cut = &fixture->cut;
	double weight = 0;

	assert_valid(fixture);
	close_arcs(fixture, reached);
	for (uint32_t i = 0; i < fixture->graph.arc_count; i++) {
		assert_int_equal(cut->is_removed[i], leads_back(cut, &fixture->graph.arcs[i]));
		weight += cut->is_removed[i] ? fixture->graph.arcs[i].weight : 0;
	}
	for (uint32_t i = 0; i < NODES; i++)
		for (uint32_t j = 0; j < NODES; j++)
			assert_int_equal(cut->group[i] == cut->group[j],
			                 (reached[i] >> j & 1) != 0 && (reached[j] >> i & 1) != 0);
	assert_true(fabs(weight - cut->weight) < 1e-6);
}

TEST(inserted_arcs_keep_components_and_their_order)
{
	struct fixture fixture = {.random = 4};

	for (unsigned round = 0; round < 400; round++) {
		uint64_t steps = 1000000;

		random_graph(&fixture, 1 + round % 8);
		random_arrangement(&fixture);
		double before = weight_of(&fixture);
		assert_true(arc_cut_insert(&fixture.graph, &fixture.cut, round % 2 == 0, &steps));
		assert_inserted(&fixture);
		assert_true(round % 2 != 0 || fixture.cut.weight <= before);
		assert_true(steps > 0 && steps < 1000000);
		release(&fixture);
	}
}

/* If the steps end early, the remaining arcs are removed. */
TEST(without_steps_the_cut_is_still_valid)
{
	struct fixture fixture = {.random = 5};

	for (unsigned round = 0; round < 400; round++) {
		uint64_t steps = round;

		random_graph(&fixture, 1 + round % 8);
		random_arrangement(&fixture);
		assert_true(arc_cut_insert(&fixture.graph, &fixture.cut, round % 2 == 0, &steps));
		uint32_t reached[NODES];
		close_arcs(&fixture, reached);
		for (uint32_t i = 0; i < NODES; i++) {
			size_t size = 0;

			for (uint32_t j = 0; j < NODES; j++)
				size += (reached[i] >> j & 1) != 0 && (reached[j] >> i & 1) != 0;
			assert_true(size <= fixture.graph.limit);
		}
		release(&fixture);
	}
}

TEST(without_steps_no_arc_is_restored)
{
	struct fixture fixture = {.random = 6};
	uint64_t steps = 0;

	random_graph(&fixture, 1);
	random_arrangement(&fixture);
	double before = weight_of(&fixture);
	assert_true(arc_cut_insert(&fixture.graph, &fixture.cut, true, &steps));
	assert_true(fabs(fixture.cut.weight - before) < 1e-6);
	release(&fixture);
}

TEST(without_steps_sifting_stops)
{
	struct fixture fixture = {.random = 8};

	for (uint64_t given = 0; given < 400; given++) {
		uint64_t steps = given;

		random_graph(&fixture, 1 + given % 4);
		random_arrangement(&fixture);
		double before = weight_of(&fixture);
		assert_true(arc_cut_sift(&fixture.graph, &fixture.cut, &steps));
		assert_valid(&fixture);
		assert_true(weight_of(&fixture) <= before);
		release(&fixture);
	}
}

/* A chain, and an arc back from each node but the first: to a random one before it, or to the one before it. */
static void chain_with_arcs_back(struct fixture *fixture, uint32_t nodes, bool far)
{
	uint32_t count = 0;

	fixture->graph.arcs = scratch_array(&fixture->graph.scratch, 2 * (size_t)nodes, sizeof *fixture->graph.arcs);
	assert_non_null(fixture->graph.arcs);
	for (uint32_t i = 1; i < nodes; i++) {
		fixture->graph.arcs[count++] = (struct cycle_arc){i - 1, i, 2};
		fixture->graph.arcs[count++] = (struct cycle_arc){i, far ? below(fixture, i) : i - 1, 1};
	}
	prepare_nodes(fixture, nodes, 1, count);
}

/* Nodes in falling order: each arc of the chain moves its head after all earlier nodes. */
static void put_chain_backwards(struct fixture *fixture)
{
	for (uint32_t i = 0; i < fixture->graph.node_count; i++) {
		fixture->cut.group[i] = i;
		fixture->cut.place[i] = fixture->graph.node_count - 1 - i;
	}
}

/* The arcs of the chain, the last one first, move 2, 3, ..., n nodes. */
TEST(moving_a_node_spends_steps)
{
	struct fixture fixture = {.random = 9};
	const uint64_t nodes = 256, given = UINT64_C(1) << 40;
	uint64_t steps = given, moved = 0;

	chain_with_arcs_back(&fixture, (uint32_t)nodes, false);
	put_chain_backwards(&fixture);
	for (uint64_t i = 2; i <= nodes; i++)
		moved += i - 1;
	assert_true(arc_cut_insert(&fixture.graph, &fixture.cut, false, &steps));
	assert_true(given - steps > moved);
	release(&fixture);
}

/* A complete search would take quadratic time; the arcs that are not searched are removed if they lead back. */
TEST(steps_on_a_chain_with_arcs_back_are_bounded)
{
	struct fixture fixture = {.random = 10};
	const uint32_t nodes = 4000;
	uint64_t steps = UINT64_C(20) * nodes;

	chain_with_arcs_back(&fixture, nodes, true);
	put_chain_backwards(&fixture);
	double before = weight_of(&fixture);
	assert_true(arc_cut_insert(&fixture.graph, &fixture.cut, true, &steps));
	assert_int_equal(steps, 0);
	assert_true(fixture.cut.weight <= before);
	for (uint32_t i = 0; i < fixture.graph.arc_count; i++)
		assert_int_equal(fixture.cut.is_removed[i], leads_back(&fixture.cut, &fixture.graph.arcs[i]));
	release(&fixture);
}
