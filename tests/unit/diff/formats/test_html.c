/* SPDX-License-Identifier: MIT */
/* The page is whole and its own, whatever names are made of. tests/browser/ has it in a browser. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32
#define NAME_SIZE 16

static char *page_of(struct made *made)
{
	return made_print_once(made, &diff_html);
}

/* A function that changed. */
static size_t add_changed(struct made *made, const char *old, const char *new)
{
	size_t row = made_row(made, old, new);
	made_times(made, row, 1e-3, 2e-3, COMPARE_MORE);
	return row;
}

static size_t count_of(const char *page, const char *text)
{
	size_t count = 0;
	while ((page = strstr(page, text)) != NULL) {
		count++;
		page += strlen(text);
	}
	return count;
}

/* The rows of the table of functions as they are without a script. */
static char *rows_of(const char *page)
{
	const char *table = strstr(page, "<table id=\"functions\">");
	assert_non_null(table);
	return strndup(table, (size_t)(strstr(table, "</table>") - table));
}

static bool is_void(const char *name)
{
	static const char *const names[] = {"meta", "input", "br", "path"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Behind a tag of this name: what it holds that is no markup. */
static const char *skip_raw_text(const char *page, const char *name)
{
	if (strcmp(name, "script") == 0)
		return strstr(page, "</script>");
	return strcmp(name, "style") == 0 ? strstr(page, "</style>") : page;
}

/* The name of the tag that begins at page, and what is behind the tag. */
static const char *read_tag(const char *page, char name[NAME_SIZE])
{
	size_t length = strspn(page, "abcdefghijklmnopqrstuvwxyz0123456789");
	assert_in_range(length, 1, NAME_SIZE - 1);
	memcpy(name, page, length);
	name[length] = '\0';
	for (bool is_quoted = false; *page != '>' || is_quoted; page++) {
		assert_int_not_equal(*page, '\0');
		is_quoted ^= *page == '"';
	}
	return page + 1;
}

static void expect_whole(const char *page)
{
	char open[DEPTH_MAX][NAME_SIZE], name[NAME_SIZE];
	size_t depth = 0;
	const char *rest = strchr(strstr(page, "<!DOCTYPE html>") + 1, '<');
	for (; rest != NULL; rest = strchr(rest, '<')) {
		if (rest[1] == '/') {
			rest = read_tag(rest + 2, name);
			assert_in_range(depth, 1, DEPTH_MAX);
			assert_string_equal(name, open[--depth]);
			continue;
		}
		rest = read_tag(rest + 1, name);
		if (is_void(name))
			continue;
		assert_in_range(depth, 0, DEPTH_MAX - 1);
		memcpy(open[depth++], name, NAME_SIZE);
		rest = skip_raw_text(rest, name);
	}
	assert_int_equal(depth, 0);
}

TEST(a_page_is_whole_and_loads_nothing)
{
	struct made *made = made_create();
	size_t caller = add_changed(made, "main", "main");
	made_arc(made, caller, made_row(made, "idle", "idle"));
	char *page = page_of(made);
	expect_whole(page);
	assert_int_equal(count_of(page, "http:") + count_of(page, "https:") + count_of(page, "src="), 0);
	assert_int_equal(count_of(page, "default-src 'none'"), 1);
	assert_int_equal(count_of(page, " style=") + count_of(page, "<!--"), 0);
	free(page);
}

TEST(names_are_not_markup)
{
	static const char *const hostile[] = {"</script><script>harm()</script>", "<!--<script>", "'\"><img src=x>",
	                                      "a&lt;b\\", "\x01\xff\xe2\x80\xa8"};
	struct made *made = made_create();
	add_changed(made, "main", "main");
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
		add_changed(made, "plain", hostile[i]);
	made->options.labels[BUILD_OLD] = "</title><script>";
	char *page = page_of(made);
	expect_whole(page);
	assert_int_equal(count_of(page, "<script"), 2);
	assert_int_equal(count_of(page, "<img") + count_of(page, "<!--") + count_of(page, "\xe2\x80\xa8"), 0);
	assert_int_equal(count_of(page, "&lt;/script&gt;&lt;script&gt;harm()&lt;/script&gt;"), 1);
	assert_int_equal(count_of(page, "\"name\":\"\\u003c/script>\\u003cscript>harm()\\u003c/script>\""), 1);
	assert_int_equal(count_of(page, "&#39;&quot;&gt;&lt;img src=x&gt;"), 1);
	assert_int_equal(count_of(page, "a&amp;lt;b\\ <span"), 1);
	assert_int_equal(count_of(page, "\"name\":\"a&lt;b\\\\\""), 1);
	assert_int_equal(count_of(page, ">\\x01\\xff\\xe2\\x80\\xa8 "), 1);
	assert_int_equal(count_of(page, "\"name\":\"\\\\x01\\\\xff\\\\xe2\\\\x80\\\\xa8\""), 1);
	free(page);
}

TEST(the_table_without_a_script_is_what_changed)
{
	struct made *made = made_create();
	add_changed(made, "slower", "slower");
	size_t same = made_row(made, "same", "same");
	made_times(made, same, 1e-3, 1e-3, COMPARE_NOISE);
	char *page = page_of(made), *rows = rows_of(page);
	assert_int_equal(count_of(rows, "<th scope=\"row\">"), 1);
	assert_int_equal(
	        count_of(rows,
	                 "<th scope=\"row\">slower</th><td>1000.00</td><td>2000.00</td><td class=\"more\">+100 %</td>"),
	        1);
	assert_int_equal(count_of(rows, "1 changed, largest effect first; 1 function within noise, below 1 %"), 1);
	assert_int_equal(count_of(page, "\"name\":\"same\""), 1);
	free(rows);
	free(page);
}

TEST(a_bar_is_the_interval_of_the_ratio)
{
	static const struct {
		double ratio;
		struct stats_interval interval;
		const char *paths; /* of interval, arrows and estimate */
	} cases[] = {
	        {2, {1.4142135624, 4}, "[\"M25.0 0H100.0\",\"\",\"M50.0-5V5\",\""},
	        {0.5, {0.25, 1}, "[\"M-100.0 0H0.0\",\"\",\"M-50.0-5V5\",\""},
	        {1, {0, INFINITY}, "[\"M-92.0 0H92.0\",\"M-100 0l8-6v12zM100 0l-8-6v12z\",\"M0.0-5V5\",\""},
	        {8, {5, 16}, "[\"M92.0 0H92.0\",\"M100 0l-8-6v12z\",\"\",\""},
	        {0.2, {0.1, 0.5}, "[\"M-92.0 0H-50.0\",\"M-100 0l8-6v12z\",\"\",\""},
	        {0, {0, 0.1}, "[\"M-92.0 0H-92.0\",\"M-100 0l8-6v12z\",\"\",\""},
	        {NAN, {0, INFINITY}, "[\"\",\"\",\"\",\"\"]"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made *made = made_create();
		size_t row = add_changed(made, "f", "f");
		struct stats_change *values = &made->comparison.rows[row].changes[COMPARE_SELF].values;
		values->ratio = cases[i].ratio;
		values->ratio_interval = cases[i].interval;
		char *page = page_of(made);
		assert_int_equal(count_of(page, cases[i].paths), 1);
		free(page);
	}
}

TEST(the_head_of_bars_is_their_axis)
{
	struct made *made = made_create();
	add_changed(made, "f", "f");
	char *page = page_of(made);
	assert_int_equal(
	        count_of(page, "self difference <small>95 % interval</small> <span class=\"axis\"><span>-50 %</span> "
	                       "<span>0</span> <span>+100 %</span>"),
	        1);
	assert_int_equal(count_of(page, "<path class=\"interval\" d=\"M46.3 0H53.5\"/><path class=\"arrows\" "
	                                "d=\"\"/><path class=\"estimate\" d=\"M50.0-5V5\"/></svg>"),
	                 1);
	free(page);
}

TEST(the_change_of_a_total_shows_its_interval)
{
	struct made *made = made_create();
	size_t f = add_changed(made, "f", "f"), g = made_row(made, "g", "g");
	made_set(made, g, COMPARE_TOTAL, 1e-3, 2e-3, COMPARE_MORE);
	made->comparison.rows[g].changes[COMPARE_TOTAL].values.ratio_interval = (struct stats_interval){NAN, NAN};
	made_arc_set(made, made_arc(made, f, g), COMPARE_TOTAL, 1e-3, 2e-3, COMPARE_MORE);
	char *page = page_of(made);
	expect_whole(page);
	assert_int_equal(count_of(page, "<td class=\"more\" title=\"[+90 .. +110 %]\">+100 %</td>"), 1);
	assert_int_equal(count_of(page, ",[\"+100 %\",\"[+90 .. +110 %]\"]"), 2);
	assert_int_equal(count_of(page, ",\"+100 %\""), 2);
	free(page);
}

TEST(unknown_values_are_left_out)
{
	struct made *made = made_create();
	size_t row = add_changed(made, NULL, "added");
	made_times(made, row, 0, 1e-3, COMPARE_MORE);
	made_row(made, "unknown", "unknown");
	char *page = page_of(made), *rows = rows_of(page);
	assert_int_equal(count_of(rows, "calls old") + count_of(rows, "self/call"), 0);
	assert_int_equal(count_of(rows, "<td></td><td>1000.00</td><td class=\"more\">new</td>"), 2);
	assert_int_equal(count_of(page, "nan") + count_of(page, ":inf") + count_of(page, ",inf"), 0);
	assert_int_equal(count_of(page, "1e+300"), 2);
	free(rows);
	free(page);
}

TEST(calls_that_nobody_counted_are_inlined)
{
	struct made *made = made_create();
	size_t small = add_changed(made, "small", NULL), large = made_row(made, "large", "large");
	made_inline(made, small, BUILD_NEW, large);
	made_set(made, small, COMPARE_CALLS, 7, NAN, COMPARE_UNKNOWN);
	made_calls(made, large, 3, 3);
	char *page = page_of(made);
	assert_int_equal(count_of(page, "<td>7</td><td>inlined</td>"), 1);
	assert_int_equal(count_of(page, "\"7\",\"inlined\""), 1);
	free(page);
}

TEST(calls_within_a_cycle_have_no_time)
{
	struct made *made = made_create();
	size_t f = add_changed(made, "f", "f"), g = add_changed(made, "g", "g");
	made->comparison.rows[f].cycles[BUILD_NEW] = made->comparison.rows[g].cycles[BUILD_NEW] = 1;
	made_calls(made, g, 7, 14);
	size_t arc = made_arc(made, f, g);
	made_arc_set(made, arc, COMPARE_TOTAL, 1e-3, 0, COMPARE_LESS);
	made_arc_set(made, arc, COMPARE_CALLS, 7, 14, COMPARE_MORE);
	char *page = page_of(made);
	assert_int_equal(count_of(page, "now in a cycle"), 4);
	assert_int_equal(count_of(page, ",\"cells\":[\"\",\"\",\"\",\"1000.00\",\"\",\"\",\"7\",\"14\",\"+100 %\"]"),
	                 1);
	free(page);
}

TEST(rules_are_shown_with_what_breaks_them)
{
	struct made *made = made_create();
	struct rule_breach breaches[] = {{.row = 0}, {.row = PAIRING_NONE}};
	struct rule_result results[] = {{.text = "size > +2%", .has_nearest = true, .nearest = {.row = PAIRING_NONE}},
	                                {.text = "self(a<b>) > +5%", .breaches = breaches, .breach_count = 2}};
	size_t row = add_changed(made, "slower", "slower");
	breaches[0].values = breaches[1].values = made->comparison.rows[row].changes[COMPARE_SELF].values;
	made->gate = (struct rule_results){.items = results, .count = 2, .broken = 1};
	char *page = page_of(made);
	expect_whole(page);
	assert_int_equal(count_of(page, "Rules: 1 of 2 broken"), 1);
	assert_int_equal(
	        count_of(page, "held</td><th scope=\"row\"><code>size &gt; +2%</code><br>nearest: the firmware: "), 1);
	assert_int_equal(count_of(page, "BROKEN</td><th scope=\"row\"><code>self(a&lt;b&gt;) &gt; "
	                                "+5%</code><br>slower: "),
	                 1);
	assert_int_equal(count_of(page, "<br>the firmware: "), 1);
	free(page);
}

TEST(the_head_is_that_of_all_formats)
{
	struct made *made = made_create();
	add_changed(made, "slower<>", "slower<>");
	made->profiles[BUILD_NEW].losses.arcs_dropped = 1234;
	char *page = page_of(made);
	assert_int_equal(count_of(page, "<tr class=\"warning\"><th scope=\"row\">New lost</th><td>1,234 calls"), 1);
	assert_int_equal(count_of(page, "<tr><th scope=\"row\">Work</th><td>per call of slower&lt;&gt;: 100 calls"), 1);
	assert_int_equal(count_of(page, "; times per call of slower&lt;&gt;</caption>"), 1);
	assert_int_equal(count_of(page, "<tr><th scope=\"row\">code size</th><td>4,096 bytes</td>"), 1);
	free(page);
}
