/* SPDX-License-Identifier: MIT */
/* Measured total times: small stacks by hand, and intervals against call trees whose true times are known. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/errors/poisson.h"
#include "profile/lines.h"
#include "profile/measurement.h"
#include "profile/paths.h"
#include "profile/split.h"
#include "test.h"

#include <bareprof/block.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS 64u
#define SIZE      16u
#define NODES_MAX 65536u

/* Ends the list of functions of a stack. */
#define END (-1)

static struct capture_block *block_of(void)
{
	return &fixture.capture->blocks[0];
}

static int set_up_image(struct image *image)
{
	firmware_set_up(image);
	block_of()->ranges[0] = (struct capture_range){FIRMWARE_BASE, FIRMWARE_BASE + FUNCTIONS * SIZE};
	block_of()->range_count = 1;
	block_of()->path_nodes = calloc(NODES_MAX, sizeof *block_of()->path_nodes);
	assert_non_null(block_of()->path_nodes);
	block_of()->has_stack_totals = true;
	block_of()->stack_totals.table_crc = FIRMWARE_TABLE_CRC;
	return 0;
}

static int set_up(void **state)
{
	return set_up_image(firmware_create("measure", FUNCTIONS, SIZE));
}

static const struct analysis_options no_options = {0}, with_errors = {.total_errors = true};

static uint32_t add_node(uint8_t kind, uint64_t key, uint32_t parent)
{
	struct capture_block *block = block_of();

	assert_true(block->path_node_count < NODES_MAX);
	block->path_nodes[block->path_node_count] =
	        (struct capture_path_node){.key = key, .parent = parent, .kind = kind};
	return (uint32_t)block->path_node_count++;
}

/* Functions with odd numbers are called from another place than those with even ones. */
static unsigned return_offset(int callee)
{
	return callee % 2 == 0 ? 5 : 9;
}

/* Stacks of functions, the outermost first, in a context. */
static void add_stack(uint32_t context, unsigned end, uint64_t count, const int *functions)
{
	uint32_t node = add_node(BAREPROF_PATH_IS_ROOT, context, UINT32_MAX);

	block_of()->path_nodes[node].end = (uint8_t)end;
	for (; functions[1] != END; functions++)
		node = add_node(BAREPROF_PATH_IS_CALL,
		                firmware_start_of((unsigned)*functions) + return_offset(functions[1]), node);
	node = add_node(BAREPROF_PATH_IS_LEAF, firmware_start_of((unsigned)*functions) + 2, node);
	block_of()->path_nodes[node].count = count;
}

#define STACKS(count, ...) add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_ROOT, count, (const int[]){__VA_ARGS__, END})

static double total_of(const struct profile *profile, const char *name)
{
	return profile_node_total(&profile->nodes[firmware_node(profile, name)]);
}

static const struct profile_measured_arc *measured_arc(const struct profile *profile, const char *caller,
                                                       const char *callee)
{
	return profile_measured_arc(profile, firmware_arc_of(profile, caller, callee));
}

static double time_of_arc(const struct profile *profile, const char *caller, const char *callee)
{
	const struct profile_arc *arc = firmware_arc_of(profile, caller, callee);

	assert_non_null(arc);
	return arc->self_time + arc->child_time;
}

/* Fails unless the items of the list, "FUNCTION TIME" or "CALLER;CALLEE TIME", are the times of the profile. */
static void assert_times(const struct profile *profile, const char *expected)
{
	char text[256], *next = text;

	snprintf(text, sizeof text, "%s", expected);
	for (char *item; (item = strsep(&next, ",")) != NULL;) {
		char *name = item + strspn(item, " "), *callee = strchr(item, ';'), *time = strrchr(item, ' ');

		*time++ = '\0';
		if (callee != NULL)
			*callee++ = '\0';
		double found = callee != NULL ? time_of_arc(profile, name, callee) : total_of(profile, name);
		if (!is_near(found, strtod(time, NULL)))
			fail_msg("%s;%s: %.12g, expected %s", name, callee != NULL ? callee : "", found, time);
	}
}

static struct filters *filters; /* NULL: none */

static int tear_down(void **state)
{
	filters_free(filters);
	filters = NULL;
	return 0;
}

EACH_TEST(set_up, tear_down);

/* --- Times. */

/* f1 and f2 call f3 equally often, but f3 takes its time when f1 calls. */
TEST(cost_of_a_call_may_depend_on_the_caller)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_calls(1, 3, 10);
	firmware_calls(2, 3, 10);
	firmware_samples(0, 100);
	firmware_samples(3, 900);
	STACKS(8, 0, 1, 3);
	STACKS(1, 0, 2, 3);
	STACKS(1, 0);
	const struct profile *profile = firmware_run(&no_options);
	assert_non_null(profile->measurement);
	assert_times(profile, "f0 10, f1 8, f2 1, f3 9, f1;f3 8, f2;f3 1");
	assert_near(firmware_arc_of(profile, "f1", "f3")->self_time, 8);
	assert_near(time_of_arc(profile, "f0", "f1"), 8);
	assert_near(firmware_arc_of(profile, "f0", "f1")->self_time, 0);
	assert_near(measured_arc(profile, "f1", "f3")->estimated_time, 4.5);
	assert_near(profile->nodes[firmware_node(profile, "f1")].estimated_child_time, 4.5);
	assert_int_equal(firmware_arc_of(profile, "f1", "f3")->count, 10);
}

TEST(calls_without_pg_are_on_stacks_only)
{
	firmware_samples(2, 100);
	STACKS(5, 0, 1, 2);
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f0 1, f1 1");
	const struct profile_arc *arc = firmware_arc_of(profile, "f0", "f1");
	assert_non_null(arc);
	assert_true(profile_measured_arc(profile, arc)->is_on_stacks);
	assert_int_equal(arc->count, 0);
	assert_null(firmware_arc_of(profile, "f0", "f2"));
}

TEST(tree_by_another_table_is_refused)
{
	firmware_samples(2, 100);
	STACKS(5, 0, 1, 2);
	block_of()->stack_totals.table_crc = FIRMWARE_TABLE_CRC + 1;
	const struct profile *profile = firmware_run(&no_options);
	assert_null(profile->measurement);
	assert_int_equal(profile->refused_trees, 1);
	assert_near(total_of(profile, "f0"), 0);
}

/* A withheld stack's callers are unknown, as those of a cut one. */
TEST(withheld_stacks_are_counted_as_such)
{
	firmware_samples(1, 100);
	STACKS(3, 0, 1);
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_WITHHELD, 2, (const int[]){1, END});
	const struct profile *profile = firmware_run(&no_options);
	assert_int_equal(profile->measurement->ends[UNWIND_WITHHELD], 2);
	assert_int_equal(profile->measurement->ends[UNWIND_CUT], 0);
	assert_near(total_of(profile, "f0"), 0.6);
}

TEST(recursion_counts_once)
{
	firmware_samples(1, 300);
	firmware_samples(2, 100);
	firmware_calls(0, 1, 1);
	firmware_calls(1, 2, 5);
	firmware_calls(2, 1, 5);
	STACKS(5, 0, 1, 2, 1, 2, 1);
	STACKS(5, 0, 1);
	STACKS(10, 0, 1, 2, 1, 2);
	const struct profile *profile = firmware_run(&no_options);
	assert_int_equal(profile->cycle_count, 0);
	assert_times(profile, "f0 4, f1 4, f2 2.5, f1;f2 2.5, f2;f1 2.5, f0;f1 4");
}

TEST(interrupts_and_tasks_are_roots)
{
	firmware_samples(1, 100);
	firmware_samples(3, 100);
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_EXCEPTION, 1, (const int[]){0, 1, END});
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_TASK, 1, (const int[]){2, 3, END});
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "<exception> 1, <exception>;f0 1, <task entry>;f2 1");
	assert_int_equal(profile->measurement->ends[BAREPROF_END_EXCEPTION], 1);
	assert_int_equal(profile->measurement->ends[BAREPROF_END_TASK], 1);
	assert_int_equal(profile->measurement->stack_count, 2);
}

TEST(stack_that_ends_early_counts_for_its_inner_part)
{
	firmware_samples(2, 100);
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_CUT, 1, (const int[]){1, 2, END});
	STACKS(3, 0, 1, 2);
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f1 1, f0 0.75, <cut> 0.25, <cut>;f1 0.25");
	assert_true(profile->nodes[firmware_node(profile, "<cut>")].wanted.is_shown);
}

TEST(stacks_of_the_recorder_are_not_counted)
{
	fixture.image->recorder[0] = (struct image_range){firmware_start_of(5), firmware_start_of(6)};
	fixture.image->recorder_count = 1;
	firmware_samples(2, 100);
	firmware_samples(5, 50);
	STACKS(3, 0, 2);
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_BAD, 4, (const int[]){1, 5, END});
	const struct profile *profile = firmware_run(&no_options);
	assert_int_equal(profile->measurement->stack_count, 3);
	assert_int_equal(profile->measurement->ends[BAREPROF_END_BAD], 0);
	assert_times(profile, "f0 1, <bareprof> 0.5, f1 0");
}

/* --- Functions without stacks. */

TEST(caller_keeps_its_callers_where_it_runs_itself)
{
	firmware_samples(1, 50);
	firmware_samples(2, 100);
	STACKS(10, 0, 1, 2);
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f0 1.5, f1 1.5, f0;f1 1.5");
	assert_near(firmware_arc_of(profile, "f0", "f1")->self_time, 0.5);
}

TEST(recorded_callers_divide_functions_without_stacks)
{
	firmware_calls(1, 4, 30);
	firmware_calls(2, 4, 10);
	firmware_samples(1, 100);
	firmware_samples(2, 100);
	firmware_samples(4, 80);
	STACKS(10, 0, 1);
	STACKS(10, 3, 2);
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f1;f4 0.6, f2;f4 0.2, f0 1.6, f3 1.2");
	assert_false(measured_arc(profile, "f1", "f4")->is_on_stacks);
}

TEST(unknown_callers_are_on_stacks_of_rare_functions)
{
	firmware_samples(1, 400);
	firmware_samples(2, 30);
	firmware_samples(3, 10);
	firmware_samples(4, 20);
	firmware_samples(5, 20);
	STACKS(40, 0, 1);
	STACKS(3, 6, 2);
	STACKS(1, 7, 3);
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f0 4, f6 0.6, f7 0.2, f4 0.2, <unknown caller>;f4 0.2");
	assert_null(firmware_arc_of(profile, "f6", "f4"));
}

TEST(time_of_functions_without_stacks_is_divided_once)
{
	for (unsigned i = 0; i < 40; i++)
		firmware_samples(i, 10 + i);
	for (int i = 10; i < 20; i++)
		STACKS(1 + (unsigned)i % 3, 0, 1, 2, i);
	const struct profile *profile = firmware_run(&with_errors);
	double sum = 0;
	for (size_t i = 0; i < profile->measurement->count; i++)
		sum += profile->measurement->stacks[i].time;
	assert_near(sum, profile->total_time);
	for (size_t i = 0; i < profile->node_count; i++)
		assert_true(profile_node_total(&profile->nodes[i]) <= profile->total_time * (1 + 1e-9));
	for (size_t i = 0; i < profile->arc_count; i++) {
		double time = profile->arcs[i].self_time + profile->arcs[i].child_time;

		assert_true(time <= profile_node_total(&profile->nodes[profile->arcs[i].caller]) * (1 + 1e-9));
		assert_true(time <= profile_node_total(&profile->nodes[profile->arcs[i].callee]) * (1 + 1e-9));
	}
	assert_near(total_of(profile, "f0"), profile->total_time);
}

/* --- Contexts. */

static void sample_in(unsigned function, uint64_t count, uint32_t context)
{
	firmware_samples(function, count);
	block_of()->cells[block_of()->cell_count - 1].context = context;
	block_of()->has_contexts = true;
}

/* f9 has as many stacks in each context, but most of its samples in context 2. */
TEST(stacks_are_weighted_within_their_context)
{
	sample_in(9, 100, 1);
	sample_in(9, 900, 2);
	add_stack(1, BAREPROF_END_ROOT, 10, (const int[]){0, 9, END});
	add_stack(2, BAREPROF_END_ROOT, 10, (const int[]){1, 9, END});
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f0 1, f1 9");
}

TEST(samples_without_context_belong_to_stacks_of_all)
{
	firmware_samples(9, 1000);
	add_stack(1, BAREPROF_END_ROOT, 30, (const int[]){0, 9, END});
	add_stack(2, BAREPROF_END_ROOT, 10, (const int[]){1, 9, END});
	const struct profile *profile = firmware_run(&no_options);
	assert_times(profile, "f0 7.5, f1 2.5");
}

/* Samples and stacks of one function, each in contexts of their own. */
TEST(many_contexts_without_stacks_take_linear_time)
{
	const uint32_t contexts = 120000, contexts_with_stacks = 30000;
	struct capture_cell *cells = realloc(block_of()->cells, contexts * sizeof *cells);

	assert_non_null(cells);
	block_of()->cells = cells;
	for (uint32_t i = 0; i < contexts; i++)
		sample_in(9, 1, i);
	for (uint32_t i = 0; i < contexts_with_stacks; i++)
		add_stack(contexts + i, BAREPROF_END_ROOT, 1, (const int[]){9, END});
	clock_t start = clock();
	const struct profile *profile = firmware_run(&no_options);
	assert_time(start, 20);
	assert_near(total_of(profile, "f9"), 1200);
}

TEST(parts_are_measured_from_their_own_stacks)
{
	sample_in(9, 100, 1);
	sample_in(9, 900, 2);
	add_stack(1, BAREPROF_END_ROOT, 10, (const int[]){0, 9, END});
	add_stack(2, BAREPROF_END_ROOT, 30, (const int[]){1, 9, END});
	struct profile *profile = firmware_run(&no_options);
	assert_success(analysis_split(profile, ANALYSIS_BY_CONTEXT, &no_options, &failure), &failure);
	assert_int_equal(profile->part_count, 2);
	const struct profile *first = profile->parts[0].profile;
	assert_non_null(first->measurement);
	assert_int_equal(first->measurement->stack_count, 30);
	assert_times(first, "f1 9, f0 0");
}

TEST(captures_with_and_without_stacks_are_added_up)
{
	firmware_samples(9, 100);
	struct capture *without = firmware_capture(16, 16);
	firmware_sample(without, firmware_start_of(9), firmware_start_of(10), 300);
	STACKS(1, 0, 9);
	STACKS(3, 1, 9);
	const struct capture *const captures[] = {fixture.capture, without};
	const struct profile *profile = firmware_run_captures(captures, 2, &no_options);
	assert_times(profile, "f0 1, f1 3");
}

/* --- Hostile trees. */

/* A chain of calls with a sample at each. */
TEST(long_tree_takes_bounded_time_and_memory)
{
	uint32_t node = add_node(BAREPROF_PATH_IS_ROOT, CAPTURE_NO_CONTEXT, UINT32_MAX);

	firmware_samples(9, 100);
	while (block_of()->path_node_count + 2 < NODES_MAX) {
		uint32_t leaf = add_node(BAREPROF_PATH_IS_LEAF, firmware_start_of(9), node);

		block_of()->path_nodes[leaf].count = 1;
		node = add_node(BAREPROF_PATH_IS_CALL, firmware_start_of(node % 8) + 5, node);
	}
	const struct profile *profile = firmware_run(&with_errors);
	assert_near(total_of(profile, "f9"), 1);
	assert_true(total_of(profile, "f0") <= 1 + 1e-9);
}

/* Each call is in a page of its own outside the image, and on the paths of all leaves. */
TEST(deep_tree_of_unknown_code_takes_bounded_time)
{
	uint32_t node = add_node(BAREPROF_PATH_IS_ROOT, CAPTURE_NO_CONTEXT, UINT32_MAX);

	firmware_samples(9, 100);
	for (unsigned i = 0; i < 4000; i++)
		node = add_node(BAREPROF_PATH_IS_CALL, 0x40000001 + i * UINT64_C(0x1000), node);
	for (unsigned i = 0; i < 2000; i++)
		block_of()->path_nodes[add_node(BAREPROF_PATH_IS_LEAF, firmware_start_of(9), node)].count = 1;
	clock_t start = clock();
	const struct profile *profile = firmware_run(&no_options);
	assert_time(start, 20);
	assert_near(total_of(profile, "f9"), 1);
}

/* --- Differences from the estimate. */

/* f0 calls f1 and f2, which call f3 equally often. */
static void call_diamond(uint64_t samples)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_calls(1, 3, 100);
	firmware_calls(2, 3, 100);
	firmware_samples(3, samples);
}

TEST(large_differences_from_the_estimate_are_marked)
{
	call_diamond(10000);
	STACKS(95, 0, 1, 3);
	STACKS(105, 0, 2, 3);
	const struct profile *equal = firmware_run(&with_errors);
	assert_false(measured_arc(equal, "f1", "f3")->differs_from_estimate);
	assert_false(equal->nodes[firmware_node(equal, "f1")].differs_from_estimate);
	STACKS(300, 0, 2, 3);
	const struct profile *unequal = firmware_run(&with_errors);
	assert_true(measured_arc(unequal, "f1", "f3")->differs_from_estimate);
	assert_true(measured_arc(unequal, "f2", "f3")->differs_from_estimate);
	assert_true(unequal->nodes[firmware_node(unequal, "f2")].differs_from_estimate);
	assert_false(unequal->nodes[firmware_node(unequal, "f0")].differs_from_estimate);
	assert_false(unequal->nodes[firmware_node(unequal, "f3")].differs_from_estimate);
}

/* --- Lower bounds. */

static void add_cut_stack(uint64_t count, const int *functions)
{
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_CUT, count, functions);
}

#define CUT_STACKS(count, ...) add_cut_stack(count, (const int[]){__VA_ARGS__, END})

static bool is_bound(const struct profile *profile, const char *name)
{
	return profile->nodes[firmware_node(profile, name)].is_lower_bound;
}

/* Cut stacks show f1 and f3. f0 and f2 call f1; f4 calls nothing, and f5 calls only f4. */
TEST(functions_that_may_be_hidden_callers_have_lower_bounds)
{
	firmware_calls(0, 1, 1);
	firmware_calls(2, 1, 1);
	firmware_calls(5, 4, 1);
	firmware_samples(3, 800);
	firmware_samples(4, 200);
	STACKS(400, 0, 1, 3);
	CUT_STACKS(400, 1, 3);
	STACKS(200, 0, 5, 4);
	const struct profile *profile = firmware_run(&with_errors);
	static const char *const exact[] = {"f1", "f3", "f4", "f5", "<cut>"};
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
		assert_false(is_bound(profile, exact[i]));
	assert_true(is_bound(profile, "f0") && is_bound(profile, "f2"));
	assert_true(measured_arc(profile, "f0", "f1")->is_lower_bound);
	assert_true(measured_arc(profile, "f2", "f1")->is_lower_bound);
	assert_false(measured_arc(profile, "f1", "f3")->is_lower_bound);
	assert_false(measured_arc(profile, "f0", "f5")->is_lower_bound);
	assert_near(profile->nodes[firmware_node(profile, "f0")].hidden_time, 4);
}

/* The stack of 1 sample takes less than a quarter of the error. */
TEST(time_within_the_error_makes_no_lower_bound)
{
	firmware_samples(3, 1000);
	STACKS(499, 0, 1, 3);
	STACKS(500, 0, 2, 3);
	CUT_STACKS(1, 3);
	const struct profile *profile = firmware_run(&with_errors);
	assert_false(is_bound(profile, "f1"));
	assert_near(profile->nodes[firmware_node(profile, "f1")].hidden_time, 0.01);
}

/* The callers of f2's calls are hidden. */
TEST(hidden_callers_do_not_differ_from_the_estimate)
{
	call_diamond(2000);
	STACKS(1000, 0, 1, 3);
	STACKS(1, 0, 2, 3);
	CUT_STACKS(999, 3);
	const struct profile *profile = firmware_run(&with_errors);
	assert_true(measured_arc(profile, "f2", "f3")->is_lower_bound);
	assert_false(measured_arc(profile, "f2", "f3")->differs_from_estimate);
	assert_false(profile->nodes[firmware_node(profile, "f2")].differs_from_estimate);
	assert_false(profile->nodes[firmware_node(profile, "f0")].differs_from_estimate);
}

TEST(lower_bound_above_the_estimate_differs)
{
	call_diamond(2000);
	STACKS(1500, 0, 1, 3);
	CUT_STACKS(500, 3);
	const struct profile *profile = firmware_run(&with_errors);
	assert_true(is_bound(profile, "f1"));
	assert_true(profile->nodes[firmware_node(profile, "f1")].differs_from_estimate);
	assert_true(measured_arc(profile, "f1", "f3")->differs_from_estimate);
}

/* No stack ends in f3, which borrows those of f4, and nothing shows its caller. */
TEST(calls_of_a_function_with_unknown_caller_are_lower_bounds)
{
	firmware_calls(1, 3, 1);
	firmware_samples(3, 500);
	firmware_samples(4, 500);
	STACKS(100, 0, 4);
	const struct profile *profile = firmware_run(&with_errors);
	assert_near(time_of_arc(profile, "<unknown caller>", "f3"), 5);
	assert_true(measured_arc(profile, "f1", "f3")->is_lower_bound);
	assert_false(is_bound(profile, "f0"));
}

/* f0 calls f1, f3 calls through a pointer, and f4 calls nothing. There is a pointer to f2. */
static const char pointer_source[] = "\t.syntax unified\n\t.text\n"
                                     "\t.macro function name\n\t.global \\name\n\t.type \\name, %function\n"
                                     "\t.thumb_func\n\\name:\n\t.endm\n"
                                     "\t.macro end name\n\t.space 16 - (. - \\name)\n\t.size \\name, 16\n\t.endm\n"
                                     "\tfunction f0\n\tnop\n\tbl f1\n\tbx lr\n\tend f0\n"
                                     "\tfunction f1\n\tnop\n\tnop\n\tbx lr\n\tend f1\n"
                                     "\tfunction f2\n\tnop\n\tnop\n\tbx lr\n\tend f2\n"
                                     "\tfunction f3\n\tnop\n\tblx r3\n\tbx lr\n\tend f3\n"
                                     "\tfunction f4\n\tnop\n\tbx lr\n\tend f4\n"
                                     "\t.data\n\t.word f2\n";

static int set_up_pointer(void **state)
{
	/* For the size of functions. */
	firmware_create("measure-sizes", 5, SIZE);
	return set_up_image(firmware_assemble("measure-pointer", pointer_source));
}

TEST_WITH(hidden_callers_follow_the_instructions, set_up_pointer, tear_down)
{
	firmware_samples(1, 1000);
	firmware_samples(4, 100);
	STACKS(1, 4);
	CUT_STACKS(10, 1);
	const struct profile *direct = firmware_run(&with_errors);
	assert_true(is_bound(direct, "f0"));
	assert_false(is_bound(direct, "f3"));
	firmware_samples(2, 1000);
	CUT_STACKS(10, 2);
	const struct profile *indirect = firmware_run(&with_errors);
	assert_true(is_bound(indirect, "f3"));
	assert_false(is_bound(indirect, "f4"));
	assert_false(is_bound(indirect, "f1"));
}

/* Stacks show f2 as a root: then its pointer is in a vector table. */
TEST_WITH(roots_are_not_called_through_pointers, set_up_pointer, tear_down)
{
	firmware_samples(2, 1000);
	STACKS(10, 2);
	CUT_STACKS(10, 2);
	assert_false(is_bound(firmware_run(&with_errors), "f3"));
}

/* --- Paths. */

struct listing {
	const struct profile *profile;
	char text[2048];
};

static enum status list_path(void *context, const struct profile_path *path, struct error *error)
{
	struct listing *listing = context;
	size_t length = strlen(listing->text);

	(void)error;
	for (size_t i = 0; i < path->depth; i++)
		length += (size_t)snprintf(
		        listing->text + length, sizeof listing->text - length, "%s%s", i > 0 ? ";" : "",
		        path->nodes[i] == PROFILE_NONE ? "..." : listing->profile->nodes[path->nodes[i]].name);
	snprintf(listing->text + length, sizeof listing->text - length, " %u %.2f\n", (unsigned)path->samples,
	         path->time);
	return STATUS_OK;
}

static void assert_paths(const char *expected)
{
	struct listing listing = {.profile = firmware_run(&no_options)};

	assert_success(analysis_each_path(listing.profile, list_path, &listing, &failure), &failure);
	assert_string_equal(listing.text, expected);
}

TEST(paths_are_those_of_the_stacks)
{
	firmware_samples(2, 100);
	firmware_samples(3, 101);
	firmware_samples(4, 4);
	STACKS(3, 0, 1, 2);
	STACKS(1, 0, 2);
	STACKS(1, 0, 1, 0, 3);
	STACKS(1, 0, 3);
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_CUT, 2, (const int[]){1, 3, END});
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_NO_ROW, 1, (const int[]){1, 4, END});
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_BAD, 1, (const int[]){4, END});
	assert_paths("f0;f1;f0;f3 25 0.25\n"
	             "f0;f1;f2 75 0.75\n"
	             "f0;f2 25 0.25\n"
	             "f0;f3 26 0.25\n"
	             "<cut>;f1;f3 50 0.51\n"
	             "<no frame information>;f1;f4 2 0.02\n"
	             "<bad stack>;f4 2 0.02\n");
}

/* Nobody saw f7, on whose stack f4 borrows, call it. */
TEST(path_of_an_unknown_caller_begins_with_it)
{
	firmware_samples(1, 400);
	firmware_samples(3, 10);
	firmware_samples(4, 20);
	STACKS(40, 0, 1);
	STACKS(1, 7, 3);
	assert_paths("f0;f1 400 4.00\n"
	             "f7;f3 10 0.10\n"
	             "<unknown caller>;f4 20 0.20\n");
}

TEST(deep_path_loses_its_outermost_callers)
{
	int functions[302];

	for (int i = 0; i < 301; i++)
		functions[i] = i % 2;
	functions[301] = END;
	firmware_samples(0, 10);
	add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_ROOT, 1, functions);
	struct listing listing = {.profile = firmware_run(&no_options)};
	assert_success(analysis_each_path(listing.profile, list_path, &listing, &failure), &failure);
	assert_int_equal(strncmp(listing.text, "...;f0;f1;", strlen("...;f0;f1;")), 0);
	assert_non_null(strstr(listing.text, ";f1;f0 10 0.10\n"));
}

/* --- Filters. */

static void focus(enum filter_list list, const char *function)
{
	assert_success(filters_add(filters, list, false, function, &failure), &failure);
}

TEST(focus_keeps_the_time_below_a_function)
{
	firmware_samples(3, 900);
	firmware_samples(1, 100);
	STACKS(8, 0, 1, 3);
	STACKS(10, 0, 2, 3);
	STACKS(5, 0, 1);
	filters = filters_create();
	assert_non_null(filters);
	focus(FILTER_TIME, "f1");
	focus(FILTER_GRAPH, "f1");
	const struct profile *profile = firmware_run(&(struct analysis_options){.filters = filters});
	const struct profile_node *f0 = &profile->nodes[firmware_node(profile, "f0")],
	                          *f1 = &profile->nodes[firmware_node(profile, "f1")],
	                          *f3 = &profile->nodes[firmware_node(profile, "f3")];
	assert_near(f1->wanted.self_time + f1->wanted.child_time, 5);
	assert_near(f3->wanted.self_time, 4);
	assert_near(f0->wanted.self_time + f0->wanted.child_time, 0);
	assert_near(profile->wanted_time, 5);
	assert_true(f3->wanted.is_shown && f1->wanted.is_shown && !f0->wanted.is_shown);
}

/* --- Errors. */

/* All stacks of f2 have the same callers, so the only error is that of its samples. */
TEST(counting_errors_are_part_of_total_errors)
{
	firmware_samples(2, 400);
	STACKS(100000, 0, 1, 2);
	const struct profile *profile = firmware_run(&with_errors);
	double variance = profile->nodes[firmware_node(profile, "f0")].total_variance;
	assert_true(variance > 0.0399 && variance < 0.0401);
	assert_true(profile->nodes[firmware_node(profile, "f0")].share_variance < 0.0001);
}

/* --- Errors: call trees are drawn, then ticks, then the few of them that have a stack. */

#define PATHS 150u
#define DEPTH 10u
#define TICKS 20000.0

struct tree {
	struct random random;
	int paths[PATHS][DEPTH + 1];
	double shares[PATHS]; /* of all time */
	double ticks[PATHS];  /* drawn */
};

static unsigned below(struct tree *tree, unsigned bound)
{
	return (unsigned)(random_unit(&tree->random) * bound);
}

/* Walks down a graph with a few callees for each function, some of them recursive. */
static void draw_path(struct tree *tree, int *path, unsigned callees)
{
	unsigned function = 0, depth = 0;

	path[depth++] = 0;
	while (depth < DEPTH && (depth < 3 || below(tree, 10) < 7)) {
		function = (function * 7 + 1 + below(tree, callees)) % FUNCTIONS;
		path[depth++] = (int)function;
	}
	path[depth] = END;
}

static void draw_tree(struct tree *tree, uint64_t seed, unsigned callees)
{
	double sum = 0;

	tree->random = (struct random){.state = seed};
	for (unsigned i = 0; i < PATHS; i++) {
		draw_path(tree, tree->paths[i], callees);
		tree->shares[i] = pow(random_unit(&tree->random), 6);
		sum += tree->shares[i];
	}
	for (unsigned i = 0; i < PATHS; i++)
		tree->shares[i] /= sum;
}

static int leaf_of(const int *path)
{
	while (path[1] != END)
		path++;
	return *path;
}

/* The part of a function's time in its first four bytes; the rest is in its last eight. */
#define FIRST_PART 0.4

static void draw_ticks(struct tree *tree)
{
	double first[FUNCTIONS] = {0}, last[FUNCTIONS] = {0};

	block_of()->cell_count = 0;
	for (unsigned i = 0; i < PATHS; i++) {
		const struct poisson in_first = poisson_prepare(TICKS * tree->shares[i] * FIRST_PART);
		const struct poisson in_last = poisson_prepare(TICKS * tree->shares[i] * (1 - FIRST_PART));
		double ticks[] = {poisson_draw(&in_first, &tree->random), poisson_draw(&in_last, &tree->random)};

		tree->ticks[i] = ticks[0] + ticks[1];
		first[leaf_of(tree->paths[i])] += ticks[0];
		last[leaf_of(tree->paths[i])] += ticks[1];
	}
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		uint64_t start = firmware_start_of(i);

		if (first[i] > 0)
			firmware_sample(fixture.capture, start, start + 4, (uint64_t)first[i]);
		if (last[i] > 0)
			firmware_sample(fixture.capture, start + 8, start + SIZE, (uint64_t)last[i]);
	}
}

/* The given number of ticks have a stack. */
static void draw_stacks(struct tree *tree, unsigned count)
{
	uint64_t counts[PATHS] = {0};
	double sum = 0;

	block_of()->path_node_count = 0;
	for (unsigned i = 0; i < PATHS; i++)
		sum += tree->ticks[i];
	for (unsigned i = 0; i < count; i++) {
		double place = random_unit(&tree->random) * sum;
		unsigned path = 0;

		while (path + 1 < PATHS && place >= tree->ticks[path])
			place -= tree->ticks[path++];
		counts[path]++;
	}
	for (unsigned i = 0; i < PATHS; i++)
		if (counts[i] > 0)
			add_stack(CAPTURE_NO_CONTEXT, BAREPROF_END_ROOT, counts[i], tree->paths[i]);
}

static bool is_on(const int *path, int function)
{
	while (*path != END && *path != function)
		path++;
	return *path != END;
}

struct score {
	double held, count, squares;
};

/* Scores what has 1 to 99 % of the time. time, variance: as found; share: true. */
static void score_time(struct score *score, double time, double variance, double share)
{
	if (share < 0.01 || share > 0.99)
		return;
	double z = (time - share * TICKS / 100) / sqrt(variance);
	score->held += fabs(z) <= 1.96;
	score->squares += z * z;
	score->count++;
}

typedef void score_profile(const struct tree *tree, struct profile *profile, struct score *score);

static void score_functions(const struct tree *tree, struct profile *profile, struct score *score)
{
	for (int i = 0; i < (int)FUNCTIONS; i++) {
		const struct profile_node *node = &profile->nodes[i];
		double share = 0;

		for (unsigned j = 0; j < PATHS; j++)
			share += is_on(tree->paths[j], i) ? tree->shares[j] : 0;
		score_time(score, profile_node_total(node), node->total_variance, share);
	}
}

static void check_intervals(unsigned stacks, unsigned callees, score_profile *score_all)
{
	struct score score = {.count = 0};

	for (unsigned i = 0; i < 20; i++) {
		struct tree tree;

		draw_tree(&tree, 1000 * stacks + 10 * callees + i, callees);
		for (unsigned j = 0; j < 10; j++) {
			draw_ticks(&tree);
			draw_stacks(&tree, stacks);
			score_all(&tree, firmware_run(&with_errors), &score);
		}
	}
	assert_true(score.count > 1000);
	assert_true(score.held >= 0.93 * score.count);
	assert_true(score.squares <= 2 * score.count);
}

TEST(intervals_of_200_stacks_hold)
{
	check_intervals(200, 3, score_functions);
	check_intervals(200, 12, score_functions);
}

TEST(intervals_hold_with_many_small_functions)
{
	check_intervals(200, 40, score_functions);
}

TEST(intervals_of_few_and_many_stacks_hold)
{
	check_intervals(100, 12, score_functions);
	check_intervals(1000, 12, score_functions);
}

/* --- Errors of source lines. */

/* Function n has three lines: 3n + 1 has samples and calls functions with even numbers, 3n + 2 calls those with odd
 * ones, 3n + 3 has samples. */
static const char *lines_source(void)
{
	static char source[64 * 1024];
	size_t used = 0;

	used += (size_t)snprintf(source, sizeof source, "\t.syntax unified\n\t.file 1 \"code.c\"\n\t.text\n");
	for (unsigned i = 0; i < FUNCTIONS; i++)
		used += (size_t)snprintf(source + used, sizeof source - used,
		                         "\t.global f%u\n\t.type f%u, %%function\n\t.thumb_func\nf%u:\n"
		                         "\t.loc 1 %u\n\tnop\n\tblx r3\n\t.loc 1 %u\n\tnop\n\tblx r3\n"
		                         "\t.loc 1 %u\n\tnop\n\tnop\n\tnop\n\tnop\n\t.size f%u, %u\n",
		                         i, i, i, 3 * i + 1, 3 * i + 2, 3 * i + 3, i, SIZE);
	snprintf(source + used, sizeof source - used, "%s", FIRMWARE_LINES);
	return source;
}

/* True if the function called one with an even, or odd, number on the path. */
static bool has_called(const int *path, int function, int is_odd)
{
	for (; path[1] != END; path++)
		if (path[0] == function && path[1] % 2 == is_odd)
			return true;
	return false;
}

static double share_of_line(const struct tree *tree, int function, int line)
{
	const double own[] = {FIRST_PART, 0, 1 - FIRST_PART};
	double share = 0;

	for (unsigned i = 0; i < PATHS; i++) {
		const int *path = tree->paths[i];
		bool is_call = line < 2 && has_called(path, function, line);

		share += tree->shares[i] * (is_call ? 1 : leaf_of(path) == function ? own[line] : 0);
	}
	return share;
}

/* A line that neither samples nor stacks show has no total, and is not scored. */
static void score_lines(const struct tree *tree, struct profile *profile, struct score *score)
{
	assert_success(analysis_find_lines(profile, &failure), &failure);
	assert_success(analysis_find_line_totals(profile, &failure), &failure);
	for (int i = 0; i < 3 * (int)FUNCTIONS; i++) {
		const struct profile_line_total *total = profile_find_line_total(profile, "code.c", i + 1);

		if (total != NULL)
			score_time(score, total->time, total->variance, share_of_line(tree, i / 3, i % 3));
	}
}

TEST(intervals_of_lines_hold)
{
	set_up_image(firmware_assemble("measure-lines", lines_source()));
	check_intervals(100, 12, score_lines);
	check_intervals(200, 3, score_lines);
	check_intervals(200, 40, score_lines);
	check_intervals(1000, 12, score_lines);
}
