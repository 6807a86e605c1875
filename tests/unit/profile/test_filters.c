/* SPDX-License-Identifier: MIT */
/* Symspecs, and the lists and arcs that they select. */
#include "profile/filters.h"
#include "test.h"

static const struct filter_symbol main_symbol = {"main", "src/app/main.c", 12};
static const struct filter_symbol helper = {"helper", "src/app/helper.c", 30};
static const struct filter_symbol dotted = {"table.0", NULL, 0};
static const struct filter_symbol method = {"queue::push", NULL, 0};

static struct filters *filters;

static void free_filters(void *created)
{
	filters_free(created);
}

static int create(void **state)
{
	filters = filters_create();
	assert_non_null(filters);
	release_later(filters, free_filters);
	return 0;
}

static void add(enum filter_list list, bool exclude, const char *symspec)
{
	assert_success(filters_add(filters, list, exclude, symspec, &failure), &failure);
}

EACH_TEST(create, NULL);

TEST(symspec_names_symbols)
{
	static const struct filter_symbol push = {"queue::push", "1.cpp", 30}, start = {"start", "C:/boot.c", 1};
	static const struct {
		const char *symspec;
		const struct filter_symbol *symbol;
		bool is_named;
	} cases[] = {
	        /* Without a dot it is a function. */
	        {"main", &main_symbol, true},
	        {"mai", &main_symbol, false},
	        {"main", &helper, false},
	        /* With a dot it is a file. */
	        {"main.c", &main_symbol, true},
	        {"src/app/main.c", &main_symbol, true},
	        {"app/main.c", &main_symbol, false},
	        {"main.c", &helper, false},
	        {"table.0", &dotted, false},
	        /* Digits are a line. */
	        {"12", &main_symbol, true},
	        {"12", &helper, false},
	        {"1", &main_symbol, false},
	        /* A colon joins a file with a function or a line. */
	        {"main.c:main", &main_symbol, true},
	        {"main.c:12", &main_symbol, true},
	        {"main.c:", &main_symbol, true},
	        {"main.c:helper", &main_symbol, false},
	        {"main.c:13", &main_symbol, false},
	        {"helper.c:main", &main_symbol, false},
	        {":table.0", &dotted, true},
	        {":main", &main_symbol, true},
	        /* As with GNU gprof, an empty name means any function. */
	        {":", &main_symbol, true},
	        {":", &dotted, true},
	        /* Scopes of C++ are not files, and a file comes before them. */
	        {"queue::push", &method, true},
	        {"queue::pop", &method, false},
	        {"1.cpp:queue::push", &push, true},
	        {"2.cpp:queue::push", &push, false},
	        {"1.cpp:queue::pop", &push, false},
	        /* The last colon of a path divides. */
	        {"C:/boot.c:start", &start, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		create(NULL);
		add(FILTER_GRAPH, false, cases[i].symspec);
		struct filter_marks marks = filters_match(filters, cases[i].symbol);
		if (marks.excluded != 0 || (marks.included == 1u << FILTER_GRAPH) != cases[i].is_named)
			fail_msg("%s and %s", cases[i].symspec, cases[i].symbol->name);
	}
}

TEST(last_colon_of_a_path_divides)
{
	assert_int_equal(filters_find_name("C:/boot.c:start", sizeof "C:/boot.c:start" - 1), 10);
	assert_int_equal(filters_find_name("C:/boot.c:start", 9), 2);
	assert_int_equal(filters_find_name("boot.c::start", 7), 7);
}

TEST(list_without_matches_is_empty)
{
	add(FILTER_GRAPH, false, "nobody");
	struct filter_marks marks = filters_match(filters, &main_symbol);
	assert_true(filter_wants(marks, marks, FILTER_GRAPH));
}

TEST(inclusion_outweighs_exclusion)
{
	add(FILTER_TIME, true, "main");
	add(FILTER_TIME, true, "helper");
	struct filter_marks marks = filters_match(filters, &main_symbol);
	struct filter_marks all = marks;
	assert_false(filter_wants(marks, all, FILTER_TIME));
	assert_true(filter_wants(marks, all, FILTER_GRAPH));
	add(FILTER_TIME, false, "main");
	marks = all = filters_match(filters, &main_symbol);
	assert_true(filter_wants(marks, all, FILTER_TIME));
	assert_false(filter_wants(filters_match(filters, &dotted), all, FILTER_TIME));
}

static void see_all(void)
{
	filters_match(filters, &main_symbol);
	filters_match(filters, &helper);
	filters_match(filters, &dotted);
}

static void add_arc(bool exclude, const char *pair)
{
	assert_success(filters_add_arc(filters, exclude, pair, &failure), &failure);
}

TEST(only_the_excluded_arc_is_excluded)
{
	assert_int_equal(filters_arc_rule_count(filters), 0);
	add_arc(true, "main/helper");
	see_all();
	assert_int_equal(filters_arc_rule_count(filters), 1);
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
	assert_false(filters_matched_arc(filters, 0));
	assert_false(filters_want_arc(filters, &main_symbol, &helper));
	assert_true(filters_matched_arc(filters, 0));
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
	assert_true(filters_want_arc(filters, &main_symbol, &main_symbol));
}

TEST(empty_end_of_an_arc_means_any_function)
{
	add_arc(true, "main/");
	add_arc(true, "/:table.0");
	see_all();
	assert_false(filters_want_arc(filters, &main_symbol, &helper));
	assert_false(filters_want_arc(filters, &helper, &dotted));
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
}

TEST(included_arcs_exclude_others_if_their_callers_exist)
{
	add_arc(false, "nobody/main");
	see_all();
	assert_true(filters_want_arc(filters, &helper, &main_symbol));
	add_arc(false, "main/nobody");
	see_all();
	assert_false(filters_want_arc(filters, &helper, &main_symbol));
	add_arc(false, "main/helper");
	see_all();
	assert_true(filters_want_arc(filters, &main_symbol, &helper));
	assert_false(filters_want_arc(filters, &helper, &main_symbol));
}

TEST(symspecs_without_a_match_are_reported)
{
	assert_null(filters_first_unmatched(filters));
	add(FILTER_FLAT, false, "main");
	add_arc(true, "main/");
	assert_string_equal(filters_first_unmatched(filters), "main");
	see_all();
	assert_null(filters_first_unmatched(filters));
	add_arc(true, "main/file.c:nobody");
	see_all();
	assert_string_equal(filters_first_unmatched(filters), "file.c:nobody");
	add(FILTER_TIME, true, "nowhere.c");
	see_all();
	assert_string_equal(filters_first_unmatched(filters), "nowhere.c");
}

TEST(locations_are_needed_only_by_rules_that_name_them)
{
	static const char *const places[] = {"file.c", "file.c:main", "12"};

	add(FILTER_FLAT, false, "main");
	add_arc(true, "main/");
	assert_false(filters_need_locations(filters));
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		create(NULL);
		add(FILTER_FLAT, false, places[i]);
		assert_true(filters_need_locations(filters));
	}
	create(NULL);
	add_arc(true, "main/file.c:helper");
	assert_true(filters_need_locations(filters));
}

TEST(arc_without_a_slash_is_refused)
{
	assert_int_equal(filters_add_arc(filters, true, "main", &failure), STATUS_USAGE);
	assert_string_equal(failure.message, "'main' names no arc: expected FROM/TO");
	assert_int_equal(filters_arc_rule_count(filters), 0);
}
