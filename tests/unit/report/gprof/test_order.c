/* SPDX-License-Identifier: MIT */
/* The order of functions: chains of functions that call one another. */
#include "report/gprof/report.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define NODES 6

/* Orders the functions a to f by arcs, each two names and a digit: "ab9" is nine calls of b by a. */
static void expect_order(const char *const *arcs, size_t count, const char *expected)
{
	struct profile_node nodes[NODES] = {0};
	struct profile_arc made[16] = {0};
	struct profile profile = {.nodes = nodes, .node_count = NODES, .arcs = made, .arc_count = count};
	struct error error = {.message = ""};
	char order[NODES + 1] = "";
	size_t *ordered;

	for (size_t i = 0; i < count; i++) {
		made[i] = (struct profile_arc){
		        .caller = (uint32_t)(arcs[i][0] - 'a'),
		        .callee = (uint32_t)(arcs[i][1] - 'a'),
		        .count = (uint64_t)(arcs[i][2] - '0'),
		};
		nodes[made[i].callee].calls += made[i].count;
	}
	assert_int_equal(gprof_order_functions(&profile, &ordered, &error), STATUS_OK);
	for (size_t i = 0; i < NODES; i++)
		order[i] = (char)('a' + ordered[i]);
	free(ordered);
	assert_string_equal(order, expected);
}

#define EXPECT(expected, ...)                                             \
	do {                                                              \
		static const char *const arcs[] = {__VA_ARGS__};          \
		expect_order(arcs, sizeof arcs / sizeof *arcs, expected); \
	} while (0)

TEST(without_calls_functions_keep_their_order)
{
	expect_order(NULL, 0, "abcdef");
	EXPECT("abcdef", "ab0", "fc0");
}

TEST(callee_is_next_to_its_caller)
{
	EXPECT("afbcde", "af1");
	EXPECT("bfacde", "bf2", "ff9");
}

TEST(most_calls_are_nearest)
{
	/* b and d first; then a joins the end at b, e the end at d. */
	EXPECT("abdecf", "bd9", "ab5", "de4");
}

TEST(calls_in_both_directions_add_up)
{
	EXPECT("cabdef", "ab3", "ba3", "ac5");
}

TEST(chain_is_turned_so_that_ends_meet)
{
	/* Chains a b and c d are joined by a and d. */
	EXPECT("dcabef", "ab9", "cd8", "ac1");
	EXPECT("cdabef", "ab9", "cd8", "ad1");
}

TEST(chains_with_most_calls_come_first)
{
	EXPECT("efabcd", "ab1", "ef2");
}
