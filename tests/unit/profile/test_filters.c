/* SPDX-License-Identifier: MIT */
/* Symspecs, and the lists and arcs that they select. */
#include "profile/filters.h"
#include "test.h"

#include <stdlib.h>

static const struct filter_symbol main_symbol = {"main", "src/app/main.c", 12};
static const struct filter_symbol helper = {"helper", "src/app/helper.c", 30};
static const struct filter_symbol dotted = {"table.0", NULL, 0};
static const struct filter_symbol method = {"queue::push", NULL, 0};

static int set_up(void **state)
{
	*state = filters_create();
	assert_non_null(*state);
	return 0;
}

static int tear_down(void **state)
{
	filters_free(*state);
	return 0;
}

static void add(struct filters *filters, enum filter_list list, bool exclude, const char *symspec)
{
	assert_success(filters_add(filters, list, exclude, symspec, &failure), &failure);
}

/* True if a filter of symspec alone names the symbol. */
static bool names(const char *symspec, const struct filter_symbol *symbol)
{
	struct filters *filters = filters_create();

	assert_non_null(filters);
	add(filters, FILTER_GRAPH, false, symspec);
	struct filter_marks marks = filters_match(filters, symbol);
	filters_free(filters);
	assert_int_equal(marks.excluded, 0);
	return marks.included == 1u << FILTER_GRAPH;
}

TEST(symspec_without_a_dot_is_a_function)
{
	assert_true(names("main", &main_symbol));
	assert_false(names("mai", &main_symbol));
	assert_false(names("main", &helper));
}

TEST(symspec_with_a_dot_is_a_file)
{
	assert_true(names("main.c", &main_symbol));
	assert_true(names("src/app/main.c", &main_symbol));
	assert_false(names("app/main.c", &main_symbol));
	assert_false(names("main.c", &helper));
	assert_false(names("table.0", &dotted));
}

TEST(symspec_of_digits_is_a_line)
{
	assert_true(names("12", &main_symbol));
	assert_false(names("12", &helper));
	assert_false(names("1", &main_symbol));
}

TEST(colon_joins_a_file_with_a_function_or_a_line)
{
	assert_true(names("main.c:main", &main_symbol));
	assert_true(names("main.c:12", &main_symbol));
	assert_true(names("main.c:", &main_symbol));
	assert_false(names("main.c:helper", &main_symbol));
	assert_false(names("main.c:13", &main_symbol));
	assert_false(names("helper.c:main", &main_symbol));
	assert_true(names(":table.0", &dotted));
	assert_true(names(":main", &main_symbol));
}

/* As with GNU gprof. */
TEST(empty_name_means_any_function)
{
	assert_true(names(":", &main_symbol));
	assert_true(names(":", &dotted));
}

TEST(scopes_of_cxx_are_not_files)
{
	assert_true(names("queue::push", &method));
	assert_false(names("queue::pop", &method));
}

TEST(file_comes_before_cxx_scopes)
{
	const struct filter_symbol push = {"queue::push", "1.cpp", 30};

	assert_true(names("1.cpp:queue::push", &push));
	assert_false(names("2.cpp:queue::push", &push));
	assert_false(names("1.cpp:queue::pop", &push));
}

TEST(last_colon_of_a_path_divides)
{
	const struct filter_symbol start = {"start", "C:/boot.c", 1};

	assert_true(names("C:/boot.c:start", &start));
	assert_int_equal(filters_find_name("C:/boot.c:start", sizeof "C:/boot.c:start" - 1), 10);
	assert_int_equal(filters_find_name("C:/boot.c:start", 9), 2);
	assert_int_equal(filters_find_name("boot.c::start", 7), 7);
}

TEST_WITH(list_without_matches_is_empty, set_up, tear_down)
{
	struct filters *filters = *state;

	add(filters, FILTER_GRAPH, false, "nobody");
	struct filter_marks marks = filters_match(filters, &main_symbol);
	assert_true(filter_wants(marks, marks, FILTER_GRAPH));
}

TEST_WITH(inclusion_outweighs_exclusion, set_up, tear_down)
{
	struct filters *filters = *state;

	add(filters, FILTER_TIME, true, "main");
	add(filters, FILTER_TIME, true, "helper");
	struct filter_marks marks = filters_match(filters, &main_symbol);
	struct filter_marks all = marks;
	assert_false(filter_wants(marks, all, FILTER_TIME));
	assert_true(filter_wants(marks, all, FILTER_GRAPH));
	add(filters, FILTER_TIME, false, "main");
	marks = all = filters_match(filters, &main_symbol);
	assert_true(filter_wants(marks, all, FILTER_TIME));
	assert_false(filter_wants(filters_match(filters, &dotted), all, FILTER_TIME));
}

static void see_all(struct filters *filters)
{
	filters_match(filters, &main_symbol);
	filters_match(filters, &helper);
	filters_match(filters, &dotted);
}

static void add_arc(struct filters *filters, bool exclude, const char *pair)
{
	assert_success(filters_add_arc(filters, exclude, pair, &failure), &failure);
}

TEST_WITH(only_the_excluded_arc_is_excluded, set_up, tear_down)
{
	struct filters *filters = *state;

	assert_int_equal(filters_arc_rule_count(filters), 0);
	add_arc(filters, true, "main/helper");
	see_all(filters);
	assert_int_equal(filters_arc_rule_count(filters), 1);
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
	assert_false(filters_matched_arc(filters, 0));
	assert_false(filters_want_arc(filters, &main_symbol, &helper));
	assert_true(filters_matched_arc(filters, 0));
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
	assert_true(filters_want_arc(filters, &main_symbol, &main_symbol));
}

TEST_WITH(empty_end_of_an_arc_means_any_function, set_up, tear_down)
{
	struct filters *filters = *state;

	add_arc(filters, true, "main/");
	add_arc(filters, true, "/:table.0");
	see_all(filters);
	assert_false(filters_want_arc(filters, &main_symbol, &helper));
	assert_false(filters_want_arc(filters, &helper, &dotted));
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
}

TEST_WITH(included_arcs_exclude_others_if_their_callers_exist, set_up, tear_down)
{
	struct filters *filters = *state;

	add_arc(filters, false, "nobody/main");
	see_all(filters);
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
	add_arc(filters, false, "main/nobody");
	see_all(filters);
	assert_false(filters_want_arc(filters, &helper, &main_symbol));
	add_arc(filters, false, "main/helper");
	see_all(filters);
	assert_true(filters_want_arc(filters, &main_symbol, &helper));
	assert_false(filters_want_arc(filters, &helper, &main_symbol));
}

TEST_WITH(symspecs_without_a_match_are_reported, set_up, tear_down)
{
	struct filters *filters = *state;

	assert_null(filters_first_unmatched(filters));
	add(filters, FILTER_FLAT, false, "main");
	add_arc(filters, true, "main/");
	assert_string_equal(filters_first_unmatched(filters), "main");
	see_all(filters);
	assert_null(filters_first_unmatched(filters));
	add_arc(filters, true, "main/file.c:nobody");
	see_all(filters);
	assert_string_equal(filters_first_unmatched(filters), "file.c:nobody");
	add(filters, FILTER_TIME, true, "nowhere.c");
	see_all(filters);
	assert_string_equal(filters_first_unmatched(filters), "nowhere.c");
}

TEST_WITH(locations_are_needed_only_by_rules_that_name_them, set_up, tear_down)
{
	static const char *const places[] = {"file.c", "file.c:main", "12"};
	struct filters *filters = *state;

	add(filters, FILTER_FLAT, false, "main");
	add_arc(filters, true, "main/");
	assert_false(filters_need_locations(filters));
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct filters *own = filters_create();

		add(own, FILTER_FLAT, false, places[i]);
		assert_true(filters_need_locations(own));
		filters_free(own);
	}
	add_arc(filters, true, "main/file.c:helper");
	assert_true(filters_need_locations(filters));
}

TEST_WITH(arc_without_a_slash_is_refused, set_up, tear_down)
{
	assert_int_equal(filters_add_arc(*state, true, "main", &failure), STATUS_USAGE);
	assert_string_equal(failure.message, "'main' names no arc: expected FROM/TO");
	assert_int_equal(filters_arc_rule_count(*state), 0);
}
