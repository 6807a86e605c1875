/* SPDX-License-Identifier: MIT */
/*
 * make_page small|same|large: the page of a comparison that was made up, for a browser. small: a row of each kind,
 * names that mean harm, rules. same: nothing changed. large: 20,000 functions and 60,000 arcs.
 */
#include "comparison.h"

#include "diff/formats/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_ROWS    20000u
#define LARGE_CHANGED 1500u
#define LARGE_ARCS    2u /* that each row has, beside one to the first row */

static size_t add(struct made *made, const char *old, const char *new, double old_time, double new_time)
{
	size_t row = made_row(made, old, new);
	made_times(made, row, old_time, new_time, new_time > old_time ? COMPARE_MORE : COMPARE_LESS);
	return row;
}

static size_t add_noise(struct made *made, const char *name, double time)
{
	size_t row = made_row(made, name, name);
	made_times(made, row, time, time * 1.01, COMPARE_NOISE);
	made_calls(made, row, 12, 12);
	return row;
}

static void connect_rows(struct made *made, size_t caller, size_t callee, double old, double new)
{
	size_t arc = made_arc(made, caller, callee);
	enum compare_verdict verdict = old < new ? COMPARE_MORE : old > new ? COMPARE_LESS : COMPARE_NOISE;
	made_arc_set(made, arc, COMPARE_SELF, old, new, verdict);
	made_arc_set(made, arc, COMPARE_TOTAL, old, new, verdict);
	made_arc_set(made, arc, COMPARE_CALLS, 100, 100, COMPARE_NOISE);
}

/* The rule that held, and the one that three rows broke. */
static void add_rules(struct made *made)
{
	static struct rule_breach breaches[3];
	static struct rule_result results[] = {
	        {.text = "total(main_loop) > +50%", .has_nearest = true},
	        {.text = "self(*) > +10% and significant", .breaches = breaches, .breach_count = 3},
	};
	for (size_t i = 0; i < 3; i++)
		breaches[i] = (struct rule_breach){i, made->comparison.rows[i].changes[COMPARE_SELF].values};
	results[0].nearest = (struct rule_breach){0, made->comparison.rows[0].changes[COMPARE_TOTAL].values};
	made->gate = (struct rule_results){.items = results, .count = 2, .broken = 1};
}

static void make_small(struct made *made)
{
	size_t loop = add(made, "main_loop", "main_loop", 1e-3, 1.5e-3);
	size_t filter = add(made, "_Z10fir_filterPKfi", "_Z10fir_filterPKfi", 4e-4, 8e-4);
	size_t renamed = add(made, "crc32_slow", "crc32_fast", 3e-4, 1e-4);
	size_t sort = add(made, "sort", "sort", 2e-4, 3e-4);
	size_t added = add(made, NULL, "log_event", 0, 9e-5);
	size_t gone = add(made, "old_log", NULL, 8e-5, 0);
	add(made, "</script><script>document.title = 'harm'</script>",
	    "\"><img src=x onerror=\"document.title='harm'\">", 2e-5, 4e-5);
	add(made, "<!--<script>\xe2\x80\xa8", "<!--<script>\xe2\x80\xa8", 1e-5, 2e-5);
	size_t swap = made_row(made, "swap", NULL);
	made_inline(made, swap, BUILD_NEW, sort);
	made_times(made, swap, 5e-5, 6e-5, COMPARE_NOISE);
	add_noise(made, "idle", 2e-3);
	add_noise(made, "memcpy", 1e-4);
	made_calls(made, made_row(made, "unused", "unused"), 0, 0);
	made_pair(made, renamed)->how = PAIRED_BY_CODE;
	made_calls(made, loop, 1, 1);
	made_calls(made, filter, 64, 128);
	made_set(made, filter, COMPARE_PER_CALL_TIME, 6.25e-6, 6.25e-6, COMPARE_NOISE);
	made->comparison.rows[filter].changes[COMPARE_SELF].values.ratio_interval.high = INFINITY;
	connect_rows(made, loop, filter, 4e-4, 8e-4);
	connect_rows(made, loop, renamed, 3e-4, 1e-4);
	connect_rows(made, loop, sort, 2e-4, 3e-4);
	connect_rows(made, loop, added, 0, 9e-5);
	connect_rows(made, loop, gone, 8e-5, 0);
	connect_rows(made, sort, sort, 0, 0);
	connect_rows(made, sort, swap, 5e-5, 6e-5);
	made->comparison.arcs[made->comparison.arc_count - 1].is_inlined[BUILD_NEW] = true;
	made->profiles[BUILD_NEW].losses.arcs_dropped = 1234;
	add_rules(made);
}

static void make_same(struct made *made)
{
	add_noise(made, "main_loop", 1e-3);
	add_noise(made, "idle", 2e-3);
}

static void make_large(struct made *made)
{
	static char names[LARGE_ROWS][32];
	for (unsigned i = 0; i < LARGE_ROWS; i++) {
		double time = 1e-3 / (i + 1);
		snprintf(names[i], sizeof names[i], "module_%u_step_%u", i % 97, i);
		if (i < LARGE_CHANGED)
			add(made, names[i], names[i], time, time * 1.5);
		else
			add_noise(made, names[i], time);
	}
	for (unsigned i = 0; i < LARGE_ROWS; i++) {
		connect_rows(made, i, 0, 1e-6, 1e-6);
		for (unsigned j = 1; j <= LARGE_ARCS; j++)
			connect_rows(made, i, 1 + (i + j * 211) % (LARGE_ROWS - 1), 1e-6 * j, 1e-6 * j);
	}
}

static const struct {
	const char *name;
	void (*make)(struct made *made);
} pages[] = {{"small", make_small}, {"same", make_same}, {"large", make_large}};

int main(int argc, char **argv)
{
	struct made *made = made_create();
	for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof *pages; i++) {
		if (strcmp(argv[1], pages[i].name) != 0)
			continue;
		pages[i].make(made);
		char *page = made_print_once(made, &diff_html);
		fputs(page, stdout);
		free(page);
		return 0;
	}
	fprintf(stderr, "usage: make_page small|same|large\n");
	made_free(made);
	return 2;
}
