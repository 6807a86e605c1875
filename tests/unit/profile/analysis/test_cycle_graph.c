/* SPDX-License-Identifier: MIT */
/* Each step of cutting a tangle by itself, on random tangles: what it leaves is what it says. */
#include "profile/analysis/cycle_graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NODES    24u
#define ARCS_MAX 128u

struct fixture {
	struct tangle tangle;
	struct cut cut;
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
	cut_free(&fixture->cut);
	tangle_free(&fixture->tangle);
}

static int compare_arcs(const void *left, const void *right)
{
	const struct tangle_arc *a = left, *b = right;
	return (a->from > b->from) - (a->from < b->from);
}

static void prepare_nodes(struct fixture *fixture, uint32_t node_count, size_t limit, uint32_t arc_count)
{
	fixture->tangle.limit = limit;
	fixture->tangle.node_count = node_count;
	fixture->tangle.arc_count = arc_count;
	qsort(fixture->tangle.arcs, arc_count, sizeof *fixture->tangle.arcs, compare_arcs);
	assert_true(tangle_prepare(&fixture->tangle));
	assert_true(cut_create(&fixture->tangle, &fixture->cut));
}

static void prepare(struct fixture *fixture, size_t limit, uint32_t arc_count)
{
	prepare_nodes(fixture, NODES, limit, arc_count);
}

/* acyclic: no arc leads to a lower number. */
static void random_tangle(struct fixture *fixture, size_t limit, bool acyclic)
{
	uint32_t count = NODES + below(fixture, ARCS_MAX - NODES);
	fixture->tangle.arcs = calloc(ARCS_MAX, sizeof *fixture->tangle.arcs);
	assert_non_null(fixture->tangle.arcs);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = below(fixture, NODES - 1), to = from + 1 + below(fixture, NODES - 1 - from);
		bool back = !acyclic && below(fixture, 2) == 0;
		fixture->tangle.arcs[i] = (struct tangle_arc){
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
		fixture->cut.group[i] = i - i % (uint32_t)fixture->tangle.limit;
		fixture->cut.place[i] = i;
	}
	for (uint32_t i = NODES - 1; i > 0; i--) {
		uint32_t other = below(fixture, i + 1), place = fixture->cut.place[i];
		fixture->cut.place[i] = fixture->cut.place[other];
		fixture->cut.place[other] = place;
	}
}

static bool leads_back(const struct cut *cut, const struct tangle_arc *arc)
{
	uint32_t from = cut->group[arc->from], to = cut->group[arc->to];
	return from != to && cut->place[from] > cut->place[to];
}

static double weight_of(const struct fixture *fixture)
{
	double weight = 0;
	for (uint32_t i = 0; i < fixture->tangle.arc_count; i++)
		weight += leads_back(&fixture->cut, &fixture->tangle.arcs[i]) ? fixture->tangle.arcs[i].weight : 0;
	return weight;
}

static void assert_valid(const struct fixture *fixture)
{
	uint32_t size[NODES] = {0};
	bool is_taken[NODES] = {false};
	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t group = fixture->cut.group[i];
		assert_true(group < NODES && fixture->cut.place[group] < NODES);
		assert_true(++size[group] <= fixture->tangle.limit);
		assert_true(size[group] > 1 || !is_taken[fixture->cut.place[group]]);
		is_taken[fixture->cut.place[group]] = true;
	}
}

static void a_row_of_what_has_no_cycle_has_no_arc_back(void **state)
{
	struct fixture fixture = {.random = 1};
	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		random_tangle(&fixture, 1, true);
		assert_true(tangle_order(&fixture.tangle, &fixture.cut));
		assert_valid(&fixture);
		assert_true(weight_of(&fixture) <= 0);
		release(&fixture);
	}
}

/* Half of the arcs lead back in a row by chance, and at most that many in this one. */
static void a_row_has_fewer_arcs_back_than_chance_makes(void **state)
{
	struct fixture fixture = {.random = 2};
	double sum = 0, all = 0;
	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		random_tangle(&fixture, 1, false);
		assert_true(tangle_order(&fixture.tangle, &fixture.cut));
		assert_valid(&fixture);
		for (uint32_t i = 0; i < fixture.tangle.arc_count; i++)
			all += fixture.tangle.arcs[i].weight;
		sum += weight_of(&fixture);
		release(&fixture);
	}
	assert_true(sum < all / 4);
}

/* Moves a node to each place and into each group there is: none may weigh less. */
static void assert_no_move_helps(struct fixture *fixture, uint32_t node)
{
	struct cut *cut = &fixture->cut;
	uint32_t own = cut->group[node], groups[NODES], size[NODES] = {0}, lone = NODES;
	double weight = weight_of(fixture);
	memcpy(groups, cut->group, sizeof groups);
	for (uint32_t i = 0; i < NODES; i++)
		size[cut->group[i]]++;
	for (uint32_t group = 0; group < NODES; group++) {
		if (size[group] == 0)
			lone = group;
		if (size[group] == 0 || group == own || size[group] >= fixture->tangle.limit)
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

static void after_sifting_no_move_of_one_node_helps(void **state)
{
	struct fixture fixture = {.random = 3};
	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		random_tangle(&fixture, 1 + round % 4, false);
		random_arrangement(&fixture);
		double before = weight_of(&fixture);
		uint64_t steps = 1000000;
		assert_true(tangle_sift(&fixture.tangle, &fixture.cut, &steps));
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
	for (uint32_t i = 0; i < fixture->tangle.arc_count; i++)
		if (!fixture->cut.is_removed[i])
			reached[fixture->tangle.arcs[i].from] |= UINT32_C(1) << fixture->tangle.arcs[i].to;
	for (uint32_t k = 0; k < NODES; k++)
		for (uint32_t i = 0; i < NODES; i++)
			if ((reached[i] >> k & 1) != 0)
				reached[i] |= reached[k];
}

/* Groups are the components, their row is topological, and what is removed leads back in it. */
static void assert_inserted(const struct fixture *fixture)
{
	uint32_t reached[NODES];
	const struct cut *cut = &fixture->cut;
	double weight = 0;
	assert_valid(fixture);
	close_arcs(fixture, reached);
	for (uint32_t i = 0; i < fixture->tangle.arc_count; i++) {
		assert_int_equal(cut->is_removed[i], leads_back(cut, &fixture->tangle.arcs[i]));
		weight += cut->is_removed[i] ? fixture->tangle.arcs[i].weight : 0;
	}
	for (uint32_t i = 0; i < NODES; i++)
		for (uint32_t j = 0; j < NODES; j++)
			assert_int_equal(cut->group[i] == cut->group[j],
			                 (reached[i] >> j & 1) != 0 && (reached[j] >> i & 1) != 0);
	assert_true(fabs(weight - cut->weight) < 1e-6);
}

static void inserted_arcs_keep_components_and_their_order(void **state)
{
	struct fixture fixture = {.random = 4};
	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		uint64_t steps = 1000000;
		random_tangle(&fixture, 1 + round % 8, false);
		random_arrangement(&fixture);
		double before = weight_of(&fixture);
		assert_true(tangle_insert(&fixture.tangle, &fixture.cut, round % 2 == 0, &steps));
		assert_inserted(&fixture);
		assert_true(round % 2 != 0 || fixture.cut.weight <= before);
		assert_true(steps > 0 && steps < 1000000);
		release(&fixture);
	}
}

/* However early it has to end: what was not looked at is removed. */
static void without_steps_the_cut_is_still_one(void **state)
{
	struct fixture fixture = {.random = 5};
	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		uint64_t steps = round;
		random_tangle(&fixture, 1 + round % 8, false);
		random_arrangement(&fixture);
		assert_true(tangle_insert(&fixture.tangle, &fixture.cut, round % 2 == 0, &steps));
		uint32_t reached[NODES];
		close_arcs(&fixture, reached);
		for (uint32_t i = 0; i < NODES; i++) {
			size_t size = 0;
			for (uint32_t j = 0; j < NODES; j++)
				size += (reached[i] >> j & 1) != 0 && (reached[j] >> i & 1) != 0;
			assert_true(size <= fixture.tangle.limit);
		}
		release(&fixture);
	}
}

static void without_steps_nothing_comes_back(void **state)
{
	struct fixture fixture = {.random = 6};
	uint64_t steps = 0;
	(void)state;
	random_tangle(&fixture, 1, false);
	random_arrangement(&fixture);
	double before = weight_of(&fixture);
	assert_true(tangle_insert(&fixture.tangle, &fixture.cut, true, &steps));
	assert_true(fabs(fixture.cut.weight - before) < 1e-6);
	release(&fixture);
}

static void without_steps_sifting_stops(void **state)
{
	struct fixture fixture = {.random = 8};
	(void)state;
	for (uint64_t given = 0; given < 400; given++) {
		uint64_t steps = given;
		random_tangle(&fixture, 1 + given % 4, false);
		random_arrangement(&fixture);
		double before = weight_of(&fixture);
		assert_true(tangle_sift(&fixture.tangle, &fixture.cut, &steps));
		assert_valid(&fixture);
		assert_true(given > NODES ? weight_of(&fixture) <= before : weight_of(&fixture) >= before);
		release(&fixture);
	}
}

/* A chain, and an arc back from each node but the first: to a random one before it, or to the one before it. */
static void chain_with_arcs_back(struct fixture *fixture, uint32_t nodes, bool far)
{
	uint32_t count = 0;
	fixture->tangle.arcs = calloc(2 * (size_t)nodes, sizeof *fixture->tangle.arcs);
	assert_non_null(fixture->tangle.arcs);
	for (uint32_t i = 1; i < nodes; i++) {
		fixture->tangle.arcs[count++] = (struct tangle_arc){i - 1, i, 2};
		fixture->tangle.arcs[count++] = (struct tangle_arc){i, far ? below(fixture, i) : i - 1, 1};
	}
	prepare_nodes(fixture, nodes, 1, count);
}

/* Nodes in falling order: each arc of the chain puts the node that it leads to behind all that came before. */
static void put_chain_backwards(struct fixture *fixture)
{
	for (uint32_t i = 0; i < fixture->tangle.node_count; i++) {
		fixture->cut.group[i] = i;
		fixture->cut.place[i] = fixture->tangle.node_count - 1 - i;
	}
}

/* Of n nodes the arcs of the chain, the last one first, move 2, 3, ..., n of them: so many are sorted. */
static void sorting_takes_steps(void **state)
{
	struct fixture fixture = {.random = 9};
	const uint64_t nodes = 256, given = UINT64_C(1) << 40;
	uint64_t steps = given, sorted = 0;
	(void)state;
	chain_with_arcs_back(&fixture, (uint32_t)nodes, false);
	put_chain_backwards(&fixture);
	for (uint64_t i = 2; i <= nodes; i++)
		sorted += 2 * tangle_sort_steps(i);
	assert_true(tangle_insert(&fixture.tangle, &fixture.cut, false, &steps));
	assert_true(given - steps > sorted);
	release(&fixture);
}

/* The whole search would take steps as the square of the nodes; what is left undone leads back. */
static void steps_on_a_chain_with_arcs_back_are_bounded(void **state)
{
	struct fixture fixture = {.random = 10};
	const uint32_t nodes = 4000;
	uint64_t steps = UINT64_C(200) * nodes;
	(void)state;
	chain_with_arcs_back(&fixture, nodes, true);
	put_chain_backwards(&fixture);
	double before = weight_of(&fixture);
	assert_true(tangle_insert(&fixture.tangle, &fixture.cut, true, &steps));
	assert_int_equal(steps, 0);
	assert_true(fixture.cut.weight <= before);
	for (uint32_t i = 0; i < fixture.tangle.arc_count; i++)
		assert_int_equal(fixture.cut.is_removed[i], leads_back(&fixture.cut, &fixture.tangle.arcs[i]));
	release(&fixture);
}

/* f0 to f2 call on to all others and are called by one of them: the one that gains most from it comes first. */
static void the_node_that_leads_out_most_comes_first(void **state)
{
	struct fixture fixture = {.random = 7};
	uint32_t count = 0;
	(void)state;
	fixture.tangle.arcs = calloc(ARCS_MAX, sizeof *fixture.tangle.arcs);
	assert_non_null(fixture.tangle.arcs);
	for (uint32_t i = 3; i < NODES; i++) {
		for (uint32_t j = 0; j < 3; j++)
			fixture.tangle.arcs[count++] = (struct tangle_arc){j, i, 10 + j};
		fixture.tangle.arcs[count++] = (struct tangle_arc){i, i == 3 ? 0 : i - 1, 1};
	}
	for (uint32_t j = 0; j < 3; j++)
		fixture.tangle.arcs[count++] = (struct tangle_arc){3, j, 1};
	prepare(&fixture, 1, count);
	assert_true(tangle_order(&fixture.tangle, &fixture.cut));
	for (uint32_t j = 0; j < 3; j++)
		assert_int_equal(fixture.cut.place[fixture.cut.group[j]], 2 - j);
	release(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_row_of_what_has_no_cycle_has_no_arc_back),
	        cmocka_unit_test(a_row_has_fewer_arcs_back_than_chance_makes),
	        cmocka_unit_test(after_sifting_no_move_of_one_node_helps),
	        cmocka_unit_test(inserted_arcs_keep_components_and_their_order),
	        cmocka_unit_test(without_steps_the_cut_is_still_one),
	        cmocka_unit_test(without_steps_nothing_comes_back),
	        cmocka_unit_test(without_steps_sifting_stops),
	        cmocka_unit_test(sorting_takes_steps),
	        cmocka_unit_test(steps_on_a_chain_with_arcs_back_are_bounded),
	        cmocka_unit_test(the_node_that_leads_out_most_comes_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
