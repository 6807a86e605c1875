/* SPDX-License-Identifier: MIT */
/* The comparison as JSON, as a parser that is not ours reads it. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frees made; the result is the caller's. */
static json_t *read_back(struct made *made)
{
	json_error_t error;
	char *text = made_print_once(made, &diff_json);
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (root == NULL)
		fail_msg("line %d: %s", error.line, error.text);
	free(text);
	return root;
}

/* The member of this name of item index of an array. */
static json_t *get_in(json_t *root, const char *array, size_t index, const char *name)
{
	return json_object_get(json_array_get(json_object_get(root, array), index), name);
}

static void expect_text(json_t *object, const char *name, const char *expected)
{
	json_t *value = json_object_get(object, name);
	assert_true(json_is_string(value));
	assert_string_equal(json_string_value(value), expected);
}

static void expect_number(json_t *object, const char *name, double expected)
{
	json_t *value = json_object_get(object, name);
	assert_true(json_is_number(value));
	assert_true(fabs(json_number_value(value) - expected) <= 1e-8 * fabs(expected));
}

static void expect_null(json_t *object, const char *name)
{
	assert_true(json_is_null(json_object_get(object, name)));
}

static void expect_flag(json_t *object, const char *name, bool expected)
{
	json_t *value = json_object_get(object, name);
	assert_true(json_is_boolean(value));
	assert_int_equal(json_is_true(value), expected);
}

static void expect_interval(json_t *object, const char *name, double low, double high)
{
	json_t *interval = json_object_get(object, name);
	assert_int_equal(json_array_size(interval), 2);
	assert_true(fabs(json_number_value(json_array_get(interval, 0)) - low) < 1e-8);
	assert_true(fabs(json_number_value(json_array_get(interval, 1)) - high) < 1e-8);
}

TEST(builds_are_described)
{
	struct made *made = made_create();
	made->comparison.has_spread[BUILD_NEW] = true;
	made->comparison.builds[BUILD_NEW].capture_count = 3;
	made->profiles[BUILD_NEW].cycle_count = 2;
	made->profiles[BUILD_NEW].losses.arcs_dropped = 7;
	made->profiles[BUILD_NEW].identity = PROFILE_IDENTITY_OTHER;
	made->images[BUILD_NEW].build_id_size = 0;
	json_t *root = read_back(made), *old = json_object_get(root, "old"), *new = json_object_get(root, "new");

	expect_text(old, "label", "old.elf");
	expect_text(old, "build_id", "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3");
	expect_text(old, "identity", "same");
	expect_number(old, "captures", 1);
	expect_flag(old, "spread", false);
	expect_number(old, "time", 1);
	expect_number(old, "samples", 10000);
	expect_number(old, "work", 100);
	expect_number(json_object_get(old, "losses"), "ticks", 10000);
	expect_null(new, "build_id");
	expect_text(new, "identity", "other");
	expect_number(new, "captures", 3);
	expect_flag(new, "spread", true);
	expect_number(new, "cycles", 2);
	expect_number(json_object_get(new, "losses"), "arcs_dropped", 7);
	json_decref(root);
}

TEST(compared_quantities_are_described)
{
	struct made *made = made_create();
	made_times(made, made_row(made, "main", "main"), 0.01, 0.02, COMPARE_MORE);
	made->comparison.tests = 12;
	json_t *root = read_back(made), *unit = json_object_get(root, "unit");

	expect_text(root, "format", "bareprof-comparison");
	expect_number(root, "version", 1);
	expect_text(unit, "per", "call");
	expect_number(unit, "function", 0);
	expect_flag(unit, "chosen", true);
	expect_null(unit, "rejected");
	expect_number(unit, "share_old", 0.9);
	expect_number(unit, "share_new", 0.8);
	expect_text(root, "time_unit", "seconds");
	expect_number(root, "confidence", 0.95);
	expect_number(root, "min_change", 0.01);
	expect_flag(root, "total_errors", true);
	expect_number(root, "tests", 12);
	expect_number(root, "changed", 1);
	expect_number(json_object_get(root, "time"), "old", 0.01);
	expect_null(root, "recorder");
	expect_number(json_object_get(root, "size"), "new", 4096);
	json_decref(root);
}

TEST(the_recorder_is_separate)
{
	struct made *made = made_create();
	made->comparison.builds[BUILD_NEW].recorder_time = 0.25;
	made_times(made, made_kind(made, PROFILE_BAREPROF, "<bareprof>"), 1e-3, 2e-3, COMPARE_MORE);
	json_t *root = read_back(made);
	expect_number(json_object_get(root, "old"), "recorder_time", 0);
	expect_number(json_object_get(root, "new"), "recorder_time", 0.25);
	expect_number(json_object_get(root, "recorder"), "old", 1e-3);
	expect_number(json_object_get(root, "recorder"), "new", 2e-3);
	expect_text(json_object_get(root, "recorder"), "verdict", "more");
	json_decref(root);
}

TEST(unit_other_than_calls_has_no_function)
{
	struct made *made = made_create();
	made->comparison.unit = COMPARE_PER_SECOND;
	made->comparison.rejected_row = made_row(made, "rare", "rare");
	json_t *root = read_back(made);
	expect_text(json_object_get(root, "unit"), "per", "second");
	expect_null(json_object_get(root, "unit"), "function");
	expect_number(json_object_get(root, "unit"), "rejected", 0);
	json_decref(root);
}

TEST(a_function_shows_how_it_was_paired)
{
	struct made *made = made_create();
	size_t row = made_row(made, "_Z3addii", "sum");
	struct pairing_pair *pair = made_pair(made, row);
	pair->how = PAIRED_BY_CODE;
	pair->files[BUILD_OLD] = "add.cc";
	pair->functions[BUILD_NEW] = 3;
	made->comparison.rows[row].cycles[BUILD_NEW] = 2;
	json_t *root = read_back(made), *old = get_in(root, "functions", 0, "old"),
	       *new = get_in(root, "functions", 0, "new");

	assert_string_equal(json_string_value(get_in(root, "functions", 0, "kind")), "function");
	assert_string_equal(json_string_value(get_in(root, "functions", 0, "paired_by")), "code");
	expect_text(old, "name", "_Z3addii");
	expect_text(old, "demangled", "add(int, int)");
	expect_text(old, "file", "add.cc");
	expect_number(old, "clones", 1);
	expect_null(old, "cycle");
	expect_text(new, "name", "sum");
	assert_null(json_object_get(new, "demangled"));
	assert_null(json_object_get(new, "file"));
	assert_null(json_object_get(new, "inlined_into"));
	expect_number(new, "clones", 3);
	expect_number(new, "cycle", 2);
	json_decref(root);
}

TEST(what_is_in_one_build_is_null_in_the_other)
{
	struct made *made = made_create();
	made_row(made, NULL, "added");
	made_row(made, "removed", NULL);
	json_t *root = read_back(made);
	assert_true(json_is_null(get_in(root, "functions", 0, "old")));
	assert_true(json_is_null(get_in(root, "functions", 0, "paired_by")));
	assert_true(json_is_null(get_in(root, "functions", 1, "new")));
	expect_text(get_in(root, "functions", 1, "old"), "name", "removed");
	json_decref(root);
}

static void expect_hosts(enum compare_inlining inlining, const char *member, const char *other)
{
	struct made *made = made_create();
	size_t first = made_row(made, "first", "first"), second = made_row(made, "second", "second");
	size_t row = made_row(made, "small", NULL);
	made_inline(made, row, BUILD_NEW, first);
	made_inline(made, row, BUILD_NEW, second);
	made->comparison.rows[row].inlining[BUILD_NEW] = inlining;
	json_t *root = read_back(made);
	json_t *hosts = json_object_get(get_in(root, "functions", row, "new"), member);
	assert_null(json_object_get(get_in(root, "functions", row, "new"), other));
	assert_int_equal(json_array_size(hosts), 2);
	assert_string_equal(json_string_value(json_array_get(hosts, 0)), "first");
	assert_string_equal(json_string_value(json_array_get(hosts, 1)), "second");
	json_decref(root);
}

TEST(what_was_inlined_names_all_that_hold_it)
{
	expect_hosts(COMPARE_INLINED, "inlined_into", "partly_inlined_into");
	expect_hosts(COMPARE_PARTLY_INLINED, "partly_inlined_into", "inlined_into");
}

TEST(other_nodes_are_not_pairs)
{
	struct made *made = made_create();
	made_kind(made, PROFILE_OUTSIDE, "<outside>");
	json_t *root = read_back(made);
	assert_string_equal(json_string_value(get_in(root, "functions", 0, "kind")), "outside");
	assert_true(json_is_null(get_in(root, "functions", 0, "paired_by")));
	expect_text(get_in(root, "functions", 0, "new"), "name", "<outside>");
	assert_null(json_object_get(get_in(root, "functions", 0, "new"), "clones"));
	json_decref(root);
}

TEST(a_change_has_its_intervals_and_its_verdict)
{
	struct made *made = made_create();
	size_t row = made_row(made, "main", "main");
	made_set(made, row, COMPARE_SELF, 0.01, 0.02, COMPARE_MORE);
	made_calls(made, row, 3, 3);
	made->comparison.rows[row].changes[COMPARE_SELF].values.p = 0.001;
	made->comparison.rows[row].changes[COMPARE_SELF].q = 0.002;
	json_t *root = read_back(made), *self = get_in(root, "functions", 0, "self"),
	       *calls = get_in(root, "functions", 0, "calls");

	expect_number(self, "old", 0.01);
	expect_number(self, "new", 0.02);
	expect_number(self, "ratio", 2);
	expect_interval(self, "ratio_interval", 1.9, 2.1);
	expect_interval(self, "difference_interval", 0.0095, 0.0105);
	expect_number(self, "p", 0.001);
	expect_number(self, "q", 0.002);
	expect_text(self, "verdict", "more");
	expect_flag(self, "exact", false);
	expect_number(calls, "new", 3);
	expect_null(calls, "p");
	expect_null(calls, "q");
	expect_text(calls, "verdict", "noise");
	expect_flag(calls, "exact", true);
	assert_true(json_is_null(get_in(root, "functions", 0, "percall")));
	json_decref(root);
}

TEST(nan_and_infinity_are_null)
{
	struct made *made = made_create();
	made_times(made, made_row(made, NULL, "added"), 0, 0.02, COMPARE_MORE);
	struct stats_change *total = &made->comparison.rows[0].changes[COMPARE_TOTAL].values;
	*total = (struct stats_change){.old = NAN, .new = 0.02, .ratio = NAN, .p = NAN};
	total->difference_interval = (struct stats_interval){-INFINITY, INFINITY};
	total->ratio_interval = (struct stats_interval){NAN, NAN};
	json_t *root = read_back(made), *self = get_in(root, "functions", 0, "self"),
	       *changed = get_in(root, "functions", 0, "total");

	expect_number(self, "old", 0);
	expect_null(self, "ratio");
	expect_null(changed, "old");
	expect_number(changed, "new", 0.02);
	assert_true(json_is_null(json_array_get(json_object_get(changed, "ratio_interval"), 0)));
	assert_true(json_is_null(json_array_get(json_object_get(changed, "difference_interval"), 0)));
	assert_true(json_is_null(json_array_get(json_object_get(changed, "difference_interval"), 1)));
	json_decref(root);
}

TEST(arcs_refer_to_functions)
{
	struct made *made = made_create();
	made_row(made, "main", "main");
	made_row(made, "work", "work");
	size_t arc = made_arc(made, 0, 1);
	made_arc_set(made, arc, COMPARE_CALLS, 5, 6, COMPARE_MORE);
	made->comparison.arcs[arc].is_inlined[BUILD_NEW] = true;
	json_t *root = read_back(made), *first = json_array_get(json_object_get(root, "arcs"), 0);

	expect_number(first, "caller", 0);
	expect_number(first, "callee", 1);
	expect_flag(first, "inlined_old", false);
	expect_flag(first, "inlined_new", true);
	expect_number(json_object_get(first, "calls"), "new", 6);
	expect_null(first, "total");
	assert_null(json_object_get(first, "share"));
	json_decref(root);
}

TEST(rules_list_their_breaches)
{
	struct rule_breach breaches[] = {
	        {.row = 1, .values = {.old = 1, .new = 2, .ratio = 2, .ratio_interval = {1.5, 2.5}, .p = NAN}},
	        {.row = PAIRING_NONE, .values = {.old = 1, .new = 3, .ratio = 3, .p = NAN}},
	};
	struct rule_result rules[] = {
	        {.text = "self(*) > +10%",
	         .origin = "ci.rules:3",
	         .looked_at = 2,
	         .breaches = breaches,
	         .breach_count = 2,
	         .confidence = 0.975},
	        {.text = "point(size) > +2%",
	         .origin = "--fail-if",
	         .quantity = COMPARE_SIZE,
	         .is_point = true,
	         .is_of_firmware = true,
	         .has_nearest = true,
	         .nearest = {.row = PAIRING_NONE, .values = {.old = 4, .new = 5, .ratio = 1.25, .p = NAN}},
	         .confidence = 0.95},
	};
	struct made *made = made_create();
	made->gate = (struct rule_results){.items = rules, .count = 2, .broken = 1};
	json_t *root = read_back(made), *first = json_array_get(json_object_get(root, "rules"), 0),
	       *second = json_array_get(json_object_get(root, "rules"), 1);

	expect_number(root, "broken", 1);
	expect_text(first, "rule", "self(*) > +10%");
	expect_text(first, "origin", "ci.rules:3");
	expect_text(first, "quantity", "self");
	expect_flag(first, "held", false);
	expect_flag(first, "of_firmware", false);
	expect_number(first, "confidence", 0.975);
	expect_number(first, "looked_at", 2);
	expect_number(json_array_get(json_object_get(first, "breaches"), 0), "id", 1);
	expect_interval(json_array_get(json_object_get(first, "breaches"), 0), "ratio_interval", 1.5, 2.5);
	expect_null(json_array_get(json_object_get(first, "breaches"), 1), "id");
	expect_null(first, "nearest");
	expect_flag(second, "held", true);
	expect_number(json_object_get(second, "nearest"), "ratio", 1.25);
	expect_null(json_object_get(second, "nearest"), "id");
	expect_flag(second, "point", true);
	expect_flag(second, "of_firmware", true);
	assert_int_equal(json_array_size(json_object_get(second, "breaches")), 0);
	json_decref(root);
}

/* Names, labels and files of each byte that a string may hold, of cut characters, and as long as they get. */
TEST(hostile_names_make_valid_json)
{
	char name[IMAGE_NAME_MAX + 1] = "</script>\xf0\x9f\x98";
	struct made *made = made_create();
	for (size_t i = strlen(name); i < IMAGE_NAME_MAX; i++)
		name[i] = (char)(i % 255 + 1);
	made_row(made, name, name);
	made_pair(made, 0)->files[BUILD_NEW] = name;
	made_row(made, "\"\\", NULL);
	made_inline(made, 1, BUILD_NEW, 0);
	made->options.labels[BUILD_OLD] = name;
	json_t *root = read_back(made);

	expect_text(get_in(root, "functions", 1, "old"), "name", "\"\\");
	const char *read = json_string_value(json_object_get(json_object_get(root, "old"), "label"));
	assert_int_equal(strncmp(read, "</script>\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 18), 0);
	json_decref(root);
}

TEST(empty_comparison_is_valid)
{
	json_t *root = read_back(made_create());
	assert_int_equal(json_array_size(json_object_get(root, "functions")), 0);
	assert_int_equal(json_array_size(json_object_get(root, "arcs")), 0);
	assert_int_equal(json_array_size(json_object_get(root, "rules")), 0);
	expect_number(root, "broken", 0);
	json_decref(root);
}
