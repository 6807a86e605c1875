/* SPDX-License-Identifier: MIT */
/* Stacks are made of arcs: nothing is lost, and nothing hostile takes for ever. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of a self time and of time that the caller answers for, in both builds; 10,000 samples are 0.01 of it. */
static size_t add_row(struct made *made, const char *name, double old, double new)
{
	size_t row = made_row(made, name, name);
	made_set(made, row, COMPARE_SELF, old, new, COMPARE_NOISE);
	return row;
}

static void add_arc(struct made *made, size_t caller, size_t callee, double old, double new)
{
	made_arc_set(made, made_arc(made, caller, callee), COMPARE_TOTAL, old, new, COMPARE_NOISE);
}

static void expect_folded(struct made *made, const char *expected)
{
	char *text = made_print_once(made, &diff_folded);
	assert_string_equal(text, expected);
	free(text);
}

/* All samples are somewhere: those of the old build, and as many for the new one's time. */
static void expect_sums(struct made *made, unsigned long long old, unsigned long long new)
{
	char *text = made_print_once(made, &diff_folded), *rest = text;
	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		char *last = strrchr(line, ' '), *end = last;
		while (end[-1] != ' ')
			end--;
		old -= strtoull(end, NULL, 10);
		new -= strtoull(last, NULL, 10);
	}
	assert_int_equal(old, 0);
	assert_int_equal(new, 0);
	free(text);
}

TEST(a_callee_is_shared_among_its_callers)
{
	struct made *made = made_create();
	size_t a = add_row(made, "a", 0.001, 0.001), b = add_row(made, "b", 0.001, 0.001);
	size_t c = add_row(made, "c", 0.004, 0.002), d = add_row(made, "d", 0.004, 0.004);
	add_arc(made, a, c, 0.006, 0.003);
	add_arc(made, b, c, 0.002, 0.003);
	add_arc(made, c, d, 0.004, 0.004);
	expect_folded(made, "a 1000 1000\n"
	                    "a;c 3000 1000\n"
	                    "a;c;d 3000 2000\n"
	                    "b 1000 1000\n"
	                    "b;c 1000 1000\n"
	                    "b;c;d 1000 2000\n");
}

TEST(new_and_gone_functions_have_one_column)
{
	struct made *made = made_create();
	made_set(made, made_row(made, "gone", NULL), COMPARE_SELF, 0.01, 0, COMPARE_NOISE);
	made_set(made, made_row(made, NULL, "new"), COMPARE_SELF, 0, 0.005, COMPARE_NOISE);
	expect_folded(made, "gone 10000 0\nnew 0 5000\n");
}

/* main calls x; x, y and z call each other, and y calls leaf. */
TEST(a_cycle_is_expanded_once)
{
	struct made *made = made_create();
	size_t main_row = add_row(made, "main", 0.002, 0.002), x = add_row(made, "x", 0.001, 0.001);
	size_t y = add_row(made, "y", 0.002, 0.002), z = add_row(made, "z", 0.001, 0.001);
	size_t leaf = add_row(made, "leaf", 0.004, 0.004);
	for (size_t row = x; row <= z; row++)
		made->comparison.rows[row].cycles[BUILD_OLD] = made->comparison.rows[row].cycles[BUILD_NEW] = 1;
	add_arc(made, main_row, x, 0.008, 0.008);
	add_arc(made, x, y, 0, 0);
	add_arc(made, y, z, 0, 0);
	add_arc(made, y, leaf, 0.004, 0.004);
	add_arc(made, z, x, 0, 0);
	expect_folded(made, "main 2000 2000\n"
	                    "main;x 1000 1000\n"
	                    "main;x;y 2000 2000\n"
	                    "main;x;y;leaf 4000 4000\n"
	                    "main;x;z 1000 1000\n");
}

/* As where rows that are no functions stand for several nodes. */
TEST(circular_calls_outside_a_cycle_end)
{
	struct made *made = made_create();
	size_t a = add_row(made, "a", 0.004, 0.004), b = add_row(made, "b", 0.006, 0.006);
	add_arc(made, a, b, 0.006, 0.006);
	add_arc(made, b, a, 0.002, 0.002);
	expect_folded(made, "a 3200 3200\n"
	                    "a;b 4800 4800\n"
	                    "b 1500 1500\n"
	                    "b;a 500 500\n");
}

TEST(small_branches_are_not_expanded)
{
	struct made *made = made_create();
	size_t a = add_row(made, "a", 0.009999, 0.01), b = add_row(made, "b", 0.0000005, 0.0000005);
	add_arc(made, a, b, 0.0000005, 0.0000005);
	expect_folded(made, "a 10000 10001\n");
}

/* Of z, its caller answers for a little less than all; with that little, the sum of lines would round up at z. */
TEST(rounding_errors_begin_no_stack)
{
	struct made *made = made_create();
	size_t a = add_row(made, "a", 0.005999500003, 0.005999500003), z = add_row(made, "z", 0.004, 0.004);
	add_row(made, "zz", 0.000000499997, 0.000000499997);
	add_arc(made, a, z, 0.003999999995, 0.003999999995);
	expect_folded(made, "a 6000 6000\n"
	                    "a;z 3999 3999\n"
	                    "zz 1 1\n");
}

TEST(rounding_loses_no_sample)
{
	struct made *made = made_create();
	for (size_t i = 0; i < 3000; i++)
		add_row(made, "f", 0.01 / 3000, 0.02 / 3000);
	expect_sums(made, 10000, 20000);
}

TEST(names_stay_in_their_frames)
{
	struct made *made = made_create();
	add_row(made, "a;b\nc", 0.01, 0.01);
	expect_folded(made, "a:b\\x0ac 10000 10000\n");
}

TEST(no_samples_print_no_stacks)
{
	struct made *made = made_create();
	add_row(made, "f", 0, 0);
	expect_folded(made, "");
}

static double processor_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Each of a hundred layers of thirty calls all of the next one: 30 to the power of 100 stacks. */
TEST(dense_graph_expands_to_a_bounded_number_of_stacks)
{
	struct made *made = made_create();
	const size_t layers = 100, width = 30;
	const double self = 0.01 / (double)(layers * width);
	double begin = processor_seconds();
	for (size_t i = 0; i < layers * width; i++)
		add_row(made, "f", self, self);
	for (size_t i = 0; i + width < layers * width; i++) {
		double below = self * (double)(layers - 1 - i / width);
		for (size_t j = 0; j < width; j++)
			add_arc(made, i, (i / width + 1) * width + j, below / (double)width, below / (double)width);
	}
	expect_sums(made, 10000, 10000);
	assert_true(processor_seconds() - begin < 60);
}

TEST(stacks_have_a_maximal_depth)
{
	struct made *made = made_create();
	const size_t depth = 5000;
	for (size_t i = 0; i < depth; i++)
		add_row(made, "f", 0.01 / (double)depth, 0.01 / (double)depth);
	for (size_t i = 0; i + 1 < depth; i++) {
		double below = 0.01 * (double)(depth - 1 - i) / (double)depth;
		add_arc(made, i, i + 1, below, below);
	}
	expect_sums(made, 10000, 10000);
}
