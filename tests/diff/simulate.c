/* SPDX-License-Identifier: MIT */
/*
 * simulate TABLE PAIRS: compares captures drawn from known distributions. Prints a table of docs/DIFF.md, "What it
 * finds", and checks the rates against the promised ones and against theory. TABLE is
 *
 *   alarms  captures of one firmware: the pairs in which a change is reported, although nothing changed
 *   power   one function is slower: how often it is found
 *   runs    like power, with captures that differ from run to run
 *
 * Every run prints the same numbers. Changes of any size count (--min-change=0).
 */
#include "power.h"
#include "runs.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define CONFIDENCE    0.95
#define SURER         0.99
#define ROUNDING      1e-9 /* of rates and of ratios */
#define DEVIATIONS    3    /* of a binomial distribution, allowed for a rate */

static bool all_ok = true;

/* The allowed deviation of a rate of this many pairs from the true one, by chance and by rounding. */
static double margin(double rate, unsigned pairs)
{
	return DEVIATIONS * sqrt(fmax(0, rate * (1 - rate)) / pairs) + ROUNDING;
}

static void check(bool is_ok, const char *what, double rate, double promised, double margin_of_rate)
{
	all_ok = all_ok && is_ok;
	printf("%s %s: %.2f %%, promised are %.2f %%, by chance %.2f %% off\n", is_ok ? "ok" : "not ok", what,
	       100 * rate, 100 * promised, 100 * margin_of_rate);
}

static void check_limit(const char *what, double rate, double max, unsigned pairs)
{
	check(rate <= max + margin(max, pairs), what, rate, max, margin(max, pairs));
}

/* The same row of another comparison of the same builds. */
static size_t row_in(const struct comparison *other, const struct comparison *made, size_t row)
{
	return comparison_find(other, made->rows[row].names[BUILD_OLD]);
}

static const struct compare_arc *arc_in(const struct comparison *other, const struct comparison *made, size_t arc)
{
	size_t caller = row_in(other, made, made->arcs[arc].caller),
	       callee = row_in(other, made, made->arcs[arc].callee);
	size_t i = other->first_arc[caller];

	while (other->arcs[i].callee != callee)
		i++;
	return &other->arcs[i];
}

typedef void (*change_found)(void *context, const struct compare_change *change, const struct compare_change *truth);

/* All changes, each with the true one. */
static void each_change(const struct comparison *made, const struct comparison *truth, change_found found,
                        void *context)
{
	for (size_t i = 0; i < made->row_count; i++)
		for (enum compare_quantity what = 0; what < COMPARE_QUANTITIES; what++)
			found(context, &made->rows[i].changes[what],
			      &truth->rows[row_in(truth, made, i)].changes[what]);
	for (size_t i = 0; i < made->arc_count; i++)
		for (enum compare_quantity what = 0; what <= COMPARE_CALLS; what++)
			found(context, &made->arcs[i].changes[what], &arc_in(truth, made, i)->changes[what]);
	found(context, &made->time, &truth->time);
	found(context, &made->size, &truth->size);
}

/* The changes that a comparison reports. */
struct reports {
	size_t count, wrong; /* wrong: in truth there is none */
	size_t surer;        /* the part of count that is reported at SURER, too */
};

static void take_report(void *context, const struct compare_change *change, const struct compare_change *truth)
{
	struct reports *reports = context;

	if (!compare_is_change(change))
		return;
	reports->count++;
	reports->wrong += fabs(truth->values.ratio - 1) <= ROUNDING ? 1 : 0;
	reports->surer += change->values.is_exact || change->q <= 1 - SURER ? 1 : 0;
}

static struct reports reports_of(const struct comparison *made, const struct comparison *truth)
{
	struct reports reports = {0};

	each_change(made, truth, take_report, &reports);
	return reports;
}

static struct compare_options options_per(enum compare_unit unit)
{
	return (struct compare_options){
	        .has_unit = true,
	        .unit = unit,
	        .function = RUNS_ROUND_NAME,
	        .confidence = CONFIDENCE,
	        .total_errors = true,
	};
}

/* Compares builds of two laws without noise. */
static struct comparison *truth_of(struct runs *runs, const struct compare_options *options, struct runs_law old,
                                   struct runs_law new)
{
	old.is_noiseless = new.is_noiseless = true;
	old.variation = new.variation = 0;
	old.has_lengths = new.has_lengths = old.is_timed = new.is_timed = false;
	runs_draw(runs, BUILD_OLD, &old);
	runs_draw(runs, BUILD_NEW, &new);
	return runs_compare(runs, options);
}

static struct comparison *draw(struct runs *runs, const struct compare_options *options, const struct runs_law *old,
                               const struct runs_law *new)
{
	runs_draw(runs, BUILD_OLD, old);
	runs_draw(runs, BUILD_NEW, new);
	return runs_compare(runs, options);
}

/* --- False alarms. */

struct scene {
	size_t captures[BUILD_COUNT];
	double samples; /* of each capture; 0: one to five of each function */
	double variation;
	bool is_timed;
	enum compare_unit unit;
	bool is_beyond; /* nothing is promised: with a single capture per build, run-to-run variation is unknown */
};

static const struct scene scenes[] = {
        {{1, 1}, .samples = 0},
        {{1, 1}, .samples = 30000},
        {{1, 1}, .samples = 3000000},
        {{1, 1}, .samples = 0, .is_timed = true},
        {{1, 1}, .samples = 30000, .is_timed = true},
        {{1, 1}, .samples = 0, .is_timed = true, .unit = COMPARE_PER_SECOND},
        {{1, 1}, .samples = 30000, .is_timed = true, .unit = COMPARE_PER_SECOND},
        {{1, 1}, .samples = 30000, .is_timed = true, .unit = COMPARE_PER_SAMPLE},
        {{2, 2}, .samples = 30000},
        {{3, 3}, .samples = 30000},
        {{5, 5}, .samples = 30000},
        {{10, 10}, .samples = 30000},
        {{2, 2}, .samples = 30000, .variation = 0.02},
        {{3, 3}, .samples = 30000, .variation = 0.02},
        {{5, 5}, .samples = 30000, .variation = 0.02},
        {{10, 10}, .samples = 30000, .variation = 0.02},
        {{2, 2}, .samples = 30000, .variation = 0.1},
        {{3, 3}, .samples = 30000, .variation = 0.1},
        {{5, 5}, .samples = 30000, .variation = 0.1},
        {{10, 10}, .samples = 30000, .variation = 0.1},
        {{5, 5}, .samples = 30000, .variation = 0.1, .is_timed = true, .unit = COMPARE_PER_SECOND},
        {{5, 5}, .samples = 30000, .variation = 0.1, .is_timed = true, .unit = COMPARE_PER_SAMPLE},
        {{5, 5}, .samples = 0, .variation = 0.1},
        {{1, 5}, .samples = 30000},
        {{1, 5}, .samples = 30000, .variation = 0.02},
        {{1, 5}, .samples = 30000, .variation = 0.1},
        {{5, 1}, .samples = 30000, .variation = 0.1},
        {{1, 10}, .samples = 30000, .variation = 0.1},
        {{10, 1}, .samples = 30000, .variation = 0.1},
        {{1, 1}, .samples = 30000, .variation = 0.02, .is_beyond = true},
        {{1, 1}, .samples = 30000, .variation = 0.1, .is_beyond = true},
};

static void describe(const struct scene *scene, char *text, size_t size)
{
	static const char *const units[] = {"a call", "second", "sample"};

	snprintf(text, size, "%zu and %zu | %s | %s | %g %% | %s", scene->captures[BUILD_OLD],
	         scene->captures[BUILD_NEW],
	         scene->samples > 1e6 ? "25,000 to 750,000"
	         : scene->samples > 0 ? "250 to 7,500"
	                              : "1 to 5",
	         scene->is_timed ? "by a timer" : "by work", 100 * scene->variation, units[scene->unit]);
}

static void try_scene(struct runs *runs, const struct scene *scene, unsigned pairs)
{
	const struct compare_options options = options_per(scene->unit);
	struct runs_law law = scene->samples > 0 ? runs_law_of_all(scene->samples) : runs_law_of_few();
	unsigned alarms = 0, surer_alarms = 0;
	char text[128];

	law.variation = scene->variation;
	law.is_timed = scene->is_timed;
	law.has_lengths = true;
	memcpy(runs->capture_counts, scene->captures, sizeof scene->captures);
	struct comparison *truth = truth_of(runs, &options, law, law);
	for (unsigned i = 0; i < pairs; i++) {
		struct comparison *made = draw(runs, &options, &law, &law);
		struct reports reports = reports_of(made, truth);

		alarms += reports.count > 0 ? 1 : 0;
		surer_alarms += reports.surer > 0 ? 1 : 0;
		comparison_free(made);
	}
	comparison_free(truth);
	describe(scene, text, sizeof text);
	double rate = (double)alarms / pairs, surer_rate = (double)surer_alarms / pairs;
	printf("| %s | %.1f %% | %.1f %% |\n", text, 100 * rate, 100 * surer_rate);
	if (!scene->is_beyond) {
		check_limit(text, rate, 1 - CONFIDENCE, pairs);
		check_limit(text, surer_rate, 1 - SURER, pairs);
	}
}

static void try_alarms(struct runs *runs, unsigned pairs)
{
	puts("| captures | samples of each function | captures end | runs differ by | per | at 95 % | at 99 % |");
	puts("|---|---|---|---|---|---|---|");
	for (size_t i = 0; i < LENGTH(scenes); i++)
		try_scene(runs, &scenes[i], pairs);
}

/* --- Power. */

static const double slow_downs[] = {0.02, 0.05, 0.1, 0.5};

/*
 * The p-values that are small enough. Benjamini and Hochberg report the k smallest of m changes if the k-th is at most
 * k / m of 1 - confidence.
 */
struct levels {
	double alone; /* if the k are tests of the planted function's own samples, with one p-value */
	double upper; /* if they are all that rise because it is slower */
};

/* Rates of pairs. */
struct finds {
	double found;        /* self time of the planted function is reported as more */
	double held, totals; /* intervals with the true value: of its self time, of its caller's total time */
	double wrong;        /* the false part of the reported changes */
	struct levels levels;
};

static bool holds(const struct comparison *made, const struct comparison *truth, const char *name,
                  enum compare_quantity quantity)
{
	const struct stats_interval *interval =
	        &made->rows[comparison_find(made, name)].changes[quantity].values.ratio_interval;
	double ratio = truth->rows[comparison_find(truth, name)].changes[quantity].values.ratio;

	return interval->low <= ratio && ratio <= interval->high;
}

struct counts {
	double p;
	size_t own, rising;
};

static void count_test(void *context, const struct compare_change *change, const struct compare_change *truth)
{
	struct counts *counts = context;

	if (isnan(change->values.p))
		return;
	counts->own += fabs(change->values.p - counts->p) <= 1e-6 * counts->p ? 1 : 0;
	counts->rising += truth->values.ratio > 1 + ROUNDING ? 1 : 0;
}

static struct levels levels_of(const struct comparison *truth)
{
	const struct compare_row *planted = &truth->rows[comparison_find(truth, RUNS_PLANTED_NAME)];
	struct counts counts = {.p = planted->changes[COMPARE_SELF].values.p};
	double each = (1 - CONFIDENCE) / (double)truth->tests;

	each_change(truth, truth, count_test, &counts);
	return (struct levels){each * (double)counts.own, each * (double)counts.rising};
}

static void take_pair(struct finds *finds, const struct comparison *made, const struct comparison *truth)
{
	const struct compare_change *self = &made->rows[comparison_find(made, RUNS_PLANTED_NAME)].changes[COMPARE_SELF];
	struct reports reports = reports_of(made, truth);

	finds->found += self->verdict == COMPARE_MORE ? 1 : 0;
	finds->held += holds(made, truth, RUNS_PLANTED_NAME, COMPARE_SELF) ? 1 : 0;
	finds->totals += holds(made, truth, RUNS_CALLER_NAME, COMPARE_TOTAL) ? 1 : 0;
	finds->wrong += reports.count > 0 ? (double)reports.wrong / (double)reports.count : 0;
}

static struct finds find(struct runs *runs, const struct runs_law *law, double slow_down, unsigned pairs)
{
	const struct compare_options options = options_per(COMPARE_PER_CALL);
	struct runs_law slower = *law;

	slower.means[RUNS_PLANTED] *= 1 + slow_down;
	struct comparison *truth = truth_of(runs, &options, *law, slower);
	struct finds finds = {.levels = levels_of(truth)};
	for (unsigned i = 0; i < pairs; i++) {
		struct comparison *made = draw(runs, &options, law, &slower);

		take_pair(&finds, made, truth);
		comparison_free(made);
	}
	comparison_free(truth);
	finds.found /= pairs, finds.held /= pairs, finds.totals /= pairs, finds.wrong /= pairs;
	return finds;
}

/* Intervals and the rate of false discoveries are promised for any true change. */
static void check_promises(const struct finds *finds, const char *what, unsigned pairs)
{
	char text[160];

	snprintf(text, sizeof text, "%s: intervals of its self time without the truth", what);
	check_limit(text, 1 - finds->held, 1 - CONFIDENCE, pairs);
	snprintf(text, sizeof text, "%s: intervals of its caller's total time without the truth", what);
	check_limit(text, 1 - finds->totals, 1 - CONFIDENCE, pairs);
	snprintf(text, sizeof text, "%s: false discoveries", what);
	check_limit(text, finds->wrong, 1 - CONFIDENCE, pairs);
}

/* A number of samples, and its text. */
static const struct size {
	double samples;
	const char *text;
} sizes[] = {{100, "100"}, {1000, "1,000"}, {10000, "10,000"}, {100000, "100,000"}};

static void try_slow_down(struct runs *runs, const struct size *size, double slow_down, unsigned pairs)
{
	const struct runs_law law = runs_law_of_planted(size->samples);
	struct finds finds = find(runs, &law, slow_down, pairs);
	double slower = size->samples * (1 + slow_down);
	double normal = power_by_normal(size->samples, slower, finds.levels.alone);
	double alone = power_by_counts(size->samples, slower, finds.levels.alone);
	double upper = power_by_counts(size->samples, slower, finds.levels.upper);
	char text[64];

	snprintf(text, sizeof text, "%s | %g %%", size->text, 100 * slow_down);
	printf("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", text,
	       100 * finds.found, 100 * normal, 100 * alone, 100 * upper, 100 * finds.held, 100 * finds.totals,
	       100 * finds.wrong);
	check(finds.found >= alone - margin(alone, pairs) && finds.found <= upper + margin(upper, pairs), text,
	      finds.found, alone, margin(alone, pairs));
	check_promises(&finds, text, pairs);
}

static void try_power(struct runs *runs, unsigned pairs)
{
	runs->capture_counts[BUILD_OLD] = runs->capture_counts[BUILD_NEW] = 1;
	puts("| samples | slower by | found | normal | exact | at most | self holds | total holds | false |");
	puts("|---|---|---|---|---|---|---|---|---|");
	for (size_t i = 0; i < LENGTH(sizes); i++)
		for (size_t k = 0; k < LENGTH(slow_downs); k++)
			try_slow_down(runs, &sizes[i], slow_downs[k], pairs);
}

static void try_captures(struct runs *runs, size_t captures, double variation, unsigned pairs)
{
	struct runs_law law = runs_law_of_planted(10000);

	law.variation = variation;
	runs->capture_counts[BUILD_OLD] = runs->capture_counts[BUILD_NEW] = captures;
	struct finds finds[LENGTH(slow_downs)];
	printf("| %zu and %zu | %g %% |", captures, captures, 100 * variation);
	for (size_t k = 0; k < LENGTH(slow_downs); k++) {
		finds[k] = find(runs, &law, slow_downs[k], pairs);
		printf(" %.0f %% |", 100 * finds[k].found);
	}
	puts("");
	for (size_t k = 0; k < LENGTH(slow_downs); k++) {
		char text[64];

		snprintf(text, sizeof text, "%zu and %zu | %g %% | %g %%", captures, captures, 100 * variation,
		         100 * slow_downs[k]);
		check_promises(&finds[k], text, pairs);
	}
}

static void try_runs(struct runs *runs, unsigned pairs)
{
	static const size_t captures[] = {2, 3, 5, 10};
	static const double variations[] = {0, 0.02, 0.1};

	puts("| captures | runs differ by | 2 % slower | 5 % slower | 10 % slower | 50 % slower |");
	puts("|---|---|---|---|---|---|");
	for (size_t i = 0; i < LENGTH(captures); i++)
		for (size_t j = 0; j < LENGTH(variations); j++)
			try_captures(runs, captures[i], variations[j], pairs);
}

static const struct table {
	const char *name;
	void (*print)(struct runs *runs, unsigned pairs);
} tables[] = {{"alarms", try_alarms}, {"power", try_power}, {"runs", try_runs}};

int main(int argc, char **argv)
{
	unsigned pairs = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;

	for (size_t i = 0; pairs > 0 && i < LENGTH(tables); i++) {
		struct runs runs;

		if (strcmp(argv[1], tables[i].name) != 0)
			continue;
		runs_set_up(&runs, argv[1]);
		tables[i].print(&runs, pairs);
		release_down_to(0);
		return all_ok ? 0 : 1;
	}
	fputs("usage: simulate alarms|power|runs PAIRS\n", stderr);
	return 2;
}
