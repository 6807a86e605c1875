/* SPDX-License-Identifier: MIT */
/* Rows of the live view: figures, errors, order, filters, relatives. */
#include "../profile/measured.h"
#include "top/lists.h"

#include <bareprof/block.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 16u

static struct top_view view;
static struct top_rows rows;
static struct demangler *demangler;
static struct profile *profile;

static int set_up(void **state)
{
	int result = firmware_set_up(firmware_create("top-rows", 6, SIZE));

	profile = NULL;
	top_view_begin(&view);
	demangler = demangler_create((struct demangle_style){0});
	return result;
}

static int tear_down(void **state)
{
	top_rows_free(&rows);
	top_filter_free(&view.filter);
	top_place_free(&view.place);
	demangler_free(demangler);
	return 0;
}

EACH_TEST(set_up, tear_down);

static uint64_t start_of(unsigned function)
{
	return FIRMWARE_BASE + SIZE * function;
}

static void sample(unsigned function, uint64_t count)
{
	firmware_sample(fixture.capture, start_of(function), start_of(function) + SIZE, count);
}

static void call(unsigned caller, unsigned callee, uint64_t count)
{
	firmware_arc(fixture.capture, start_of(caller) + 5, start_of(callee) + 1, count);
}

/* f0 calls f1 and f2, f1 calls f2. */
static void make_rows(void)
{
	struct error error;

	if (profile == NULL) {
		sample(0, 10);
		sample(1, 30);
		sample(2, 60);
		call(0, 1, 5);
		call(0, 2, 1);
		call(1, 2, 3);
		profile = firmware_run(&(struct analysis_options){.total_errors = true});
	}
	top_rows_free(&rows);
	assert_int_equal(top_rows_make(profile, demangler, &view, &rows, &error), STATUS_OK);
}

/* The names of all rows, with a blank after each. */
static void assert_names(const char *expected)
{
	char names[512] = "";

	for (size_t i = 0; i < rows.count; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s|", rows.rows[i].name);
	assert_string_equal(names, expected);
}

static void assert_figure(size_t row, enum top_figure figure, double expected)
{
	if (fabs(rows.rows[row].figures[figure] - expected) > 0.01)
		fail_msg("row %zu, figure %d: %f, not %f", row, (int)figure, rows.rows[row].figures[figure], expected);
}

TEST(functions_are_sorted_by_self_time)
{
	make_rows();
	assert_names("f2|f1|f0|");
	assert_figure(0, TOP_SELF, 60);
	assert_figure(1, TOP_SELF, 30);
	assert_figure(1, TOP_TOTAL, 75);
	assert_figure(1, TOP_CALLS, 5);
	assert_figure(2, TOP_TOTAL, 100);
	assert_figure(1, TOP_CALL_TIME, 0.75 / 5);
}

/* sqrt(p (1 - p) / n) */
TEST(error_is_that_of_a_share)
{
	make_rows();
	assert_figure(0, TOP_SELF_ERROR, 100 * sqrt(0.6 * 0.4 / 100));
	assert_figure(2, TOP_SELF_ERROR, 100 * sqrt(0.1 * 0.9 / 100));
	/* All time is in f0 and what it calls: nothing is uncertain. */
	assert_figure(2, TOP_TOTAL_ERROR, 0);
}

TEST(function_without_samples_has_no_error)
{
	call(0, 5, 7);
	make_rows();
	assert_names("f2|f1|f0|f5|");
	assert_figure(3, TOP_CALLS, 7);
	assert_true(isnan(rows.rows[3].figures[TOP_SELF_ERROR]));
	assert_true(isnan(rows.rows[3].figures[TOP_CALL_TIME]));
}

TEST(reversed_order_keeps_rows_without_the_figure_last)
{
	view.sort[TOP_FUNCTIONS] = TOP_CALLS;
	make_rows();
	assert_names("f1|f2|f0|");
	view.is_reversed = true;
	make_rows();
	assert_names("f2|f1|f0|");
}

TEST(names_can_be_the_order)
{
	view.sort[TOP_FUNCTIONS] = TOP_NAME;
	make_rows();
	assert_names("f0|f1|f2|");
	view.is_reversed = true;
	make_rows();
	assert_names("f2|f1|f0|");
}

TEST(filter_counts_the_rows_that_it_hides)
{
	assert_true(top_filter_set(&view.filter, "/[01]/"));
	make_rows();
	assert_names("f1|f0|");
	assert_int_equal(rows.hidden, 1);
}

TEST(arcs_have_the_time_of_their_calls)
{
	view.list = TOP_ARCS;
	make_rows();
	assert_names("f0 -> f1|f1 -> f2|f0 -> f2|");
	assert_figure(0, TOP_TOTAL, 75);
	assert_figure(1, TOP_TOTAL, 45);
	assert_figure(2, TOP_TOTAL, 15);
	assert_figure(1, TOP_CALL_TIME, 0.45 / 3);
}

static void enter(const char *function)
{
	make_rows();
	view.list = TOP_ENTRY;
	assert_true(top_place_set(&view.place, profile, firmware_node(profile, function)));
	make_rows();
}

TEST(entry_has_callers_the_function_and_callees)
{
	enter("f1");
	assert_names("called by f0|f1|calls f2|");
	assert_int_equal(rows.rows[0].node, firmware_node(profile, "f0"));
	assert_int_equal(rows.rows[2].node, firmware_node(profile, "f2"));
}

TEST(filter_does_not_hide_relatives)
{
	assert_true(top_filter_set(&view.filter, "f1"));
	enter("f1");
	assert_names("called by f0|f1|calls f2|");
}

/* Another build has the function elsewhere. */
TEST(function_is_found_again_by_its_name)
{
	enter("f1");
	view.place.address += 2;
	make_rows();
	assert_names("called by f0|f1|calls f2|");
	view.place.name[0] = 'g';
	make_rows();
	assert_names("");
}

TEST(recursion_is_not_a_relative)
{
	call(2, 2, 9);
	enter("f2");
	assert_names("called by f1|called by f0|f2|");
}

TEST(profile_of_nothing_has_no_rows)
{
	struct error error;

	profile = firmware_run(&(struct analysis_options){.total_errors = true});
	assert_int_equal(top_rows_make(profile, demangler, &view, &rows, &error), STATUS_OK);
	assert_int_equal(rows.count, 0);
}

TEST(contexts_have_shares_and_errors)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	block->has_contexts = true;
	block->context_count = 2;
	block->contexts = calloc(2, sizeof *block->contexts);
	snprintf(block->contexts[0].name, sizeof block->contexts[0].name, "idle");
	snprintf(block->contexts[1].name, sizeof block->contexts[1].name, "\033[2J");
	block->contexts[0].switches = 4;
	block->contexts[1].switches = CAPTURE_UNKNOWN;
	sample(0, 36);
	sample(1, 64);
	block->cells[0].context = 0;
	block->cells[1].context = 1;
	view.list = TOP_CONTEXTS;
	profile = firmware_run(&(struct analysis_options){.total_errors = true});
	make_rows();
	assert_names("\\x1b[2J <context 1>|idle <context 0>|");
	assert_figure(0, TOP_SELF, 64);
	assert_figure(0, TOP_SELF_ERROR, 100 * sqrt(0.64 * 0.36 / 100));
	assert_figure(1, TOP_SWITCHES, 4);
	assert_true(isnan(rows.rows[0].figures[TOP_SWITCHES]));
}

TEST(order_moves_through_the_columns_in_a_circle)
{
	enum top_figure figure = TOP_SELF;

	figure = top_list_next_sort(TOP_FUNCTIONS, figure, false);
	assert_int_equal(figure, TOP_TOTAL);
	assert_int_equal(top_list_next_sort(TOP_FUNCTIONS, figure, true), TOP_SELF);
	assert_int_equal(top_list_next_sort(TOP_FUNCTIONS, TOP_SELF, true), TOP_NAME);
	assert_int_equal(top_list_next_sort(TOP_FUNCTIONS, TOP_NAME, false), TOP_SELF);
	assert_int_equal(top_list_next_sort(TOP_ARCS, TOP_CALL_TIME, false), TOP_NAME);
}

TEST(only_measured_functions_have_rows_without_samples_and_calls)
{
	sample(1, 10);
	call(0, 1, 1);
	firmware_arc(fixture.capture, 0xFFFFFFF9u, start_of(1) + 1, 1);
	profile = firmware_run(&(struct analysis_options){.total_errors = true});
	view.list = TOP_FUNCTIONS;
	make_rows();
	assert_names("f1|");
	measured_begin(profile);
	measured_stack(profile, "f0 f1", 0.1);
	measured_end(profile);
	make_rows();
	assert_names("f1|f0|");
}

TEST(callers_beyond_a_cut_stack_have_a_row)
{
	struct capture_block *block = &fixture.capture->blocks[0];
	const struct capture_path_node nodes[] = {
	        {.key = CAPTURE_NO_CONTEXT,
	         .parent = UINT32_MAX,
	         .kind = BAREPROF_PATH_IS_ROOT,
	         .end = BAREPROF_END_CUT},
	        {.key = start_of(1), .kind = BAREPROF_PATH_IS_LEAF, .count = 10},
	};

	sample(1, 10);
	block->path_nodes = malloc(sizeof nodes);
	assert_non_null(block->path_nodes);
	memcpy(block->path_nodes, nodes, sizeof nodes);
	block->path_node_count = 2;
	profile = firmware_run(NULL);
	view.list = TOP_FUNCTIONS;
	make_rows();
	assert_names("f1|<cut>|");
}
