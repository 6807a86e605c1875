/* SPDX-License-Identifier: MIT */
/* See comparison.h. */
#include "comparison.h"

#include "base/array.h"
#include "command/hints.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL    0.05
#define SIGNIFICANT 1e-6
#define CODE_START  0x8000u
#define CODE_EACH   0x20u

/* Makes room for one more behind count items. */
static void *one_more(void *items, size_t size, size_t count)
{
	void *larger = array_reserve(items, size, count);
	assert_non_null(larger);
	return larger;
}

static struct compare_change no_change(void)
{
	const struct stats_sum nothing = {.variance = NAN, .spread = NAN, .captures = 1};
	return (struct compare_change){
	        .sums = {nothing, nothing},
	        .values = {NAN, NAN, NAN, {NAN, NAN}, {NAN, NAN}, NAN, false},
	        .q = NAN,
	        .verdict = COMPARE_UNKNOWN,
	};
}

static struct stats_interval scale_interval(double low, double high, double by)
{
	return (struct stats_interval){low * by, high * by};
}

static struct stats_sum sum_of(double value, double work, bool is_exact)
{
	return (struct stats_sum){
	        .sum = value * work,
	        .work = work,
	        .variance = is_exact ? 0 : value * work * 1e-4,
	        .grain = 1e-4,
	        .spread = NAN,
	        .captures = 1,
	};
}

static struct compare_change change_of(const struct made *made, double old, double new, enum compare_verdict verdict,
                                       bool is_exact)
{
	const struct compare_build *builds = made->comparison.builds;
	double ratio = old > 0 ? new / old : new > 0 ? INFINITY : NAN;
	double doubt = is_exact ? 0 : INTERVAL;
	double p = is_exact ? NAN : verdict == COMPARE_NOISE ? 0.5 : SIGNIFICANT;
	return (struct compare_change){
	        .sums = {sum_of(old, builds[BUILD_OLD].work, is_exact), sum_of(new, builds[BUILD_NEW].work, is_exact)},
	        .values = {old,
	                   new,
	                   ratio,
	                   scale_interval(1 - doubt, 1 + doubt, ratio),
	                   {new - old - doubt *old, new - old + doubt *old},
	                   p,
	                   is_exact},
	        .q = p,
	        .verdict = verdict,
	};
}

static void set_up_build(struct made *made, enum build build)
{
	struct image *image = &made->images[build];
	image->path = build == BUILD_OLD ? "old.elf" : "new.elf";
	image->build_id_size = 20;
	for (size_t i = 0; i < image->build_id_size; i++)
		image->build_id[i] = (uint8_t)((build == BUILD_OLD ? 0xA0 : 0xB0) + i);
	made->profiles[build] = (struct profile){
	        .image = image,
	        .time_unit = PROFILE_SECONDS,
	        .total_time = 1,
	        .total_samples = 10000,
	        .losses = {.ticks = 10000, .ticks_missed_known = true, .skew_known = true, .blocks_with_losses = 1},
	};
	made->comparison.builds[build] = (struct compare_build){
	        .image = image,
	        .profile = &made->profiles[build],
	        .capture_count = 1,
	        .work = 100,
	        .time = 1,
	        .samples = 10000,
	};
	made->options.labels[build] = image->path;
}

struct made *made_create(void)
{
	struct made *made = calloc(1, sizeof *made);
	struct demangle_style style = {0};
	assert_non_null(made);
	made->comparison = (struct comparison){
	        .unit = COMPARE_PER_CALL,
	        .is_unit_chosen = true,
	        .rejected_row = PAIRING_NONE,
	        .unit_shares = {0.9, 0.8},
	        .time_unit = PROFILE_SECONDS,
	        .confidence = 0.95,
	        .min_change = 0.01,
	        .has_total_errors = true,
	};
	set_up_build(made, BUILD_OLD);
	set_up_build(made, BUILD_NEW);
	made->comparison.time = change_of(made, 0.01, 0.01, COMPARE_NOISE, false);
	made->comparison.size = change_of(made, 4096, 4096, COMPARE_NOISE, true);
	assert_true(demangle_find_style("auto", &style));
	made->names = demangler_create(style);
	assert_non_null(made->names);
	made->options.names = made->names;
	made->options.hints = hints;
	return made;
}

void made_free(struct made *made)
{
	struct comparison *comparison = &made->comparison;
	for (size_t build = 0; build < BUILD_COUNT; build++) {
		free(comparison->pairing.owners[build]);
		free(comparison->pairing.pair_of[build]);
		free(made->images[build].functions);
	}
	free(comparison->pairing.pairs);
	free(comparison->rows);
	free(comparison->arcs);
	free(comparison->first_arc);
	free(comparison->parent_arcs);
	free(comparison->first_parent);
	demangler_free(made->names);
	free(made);
}

/* Returns its index. */
static size_t add_function(struct made *made, enum build build, const char *name, size_t pair, size_t host)
{
	struct image *image = &made->images[build];
	struct pairing *pairing = &made->comparison.pairing;
	size_t index = image->function_count++;
	uint64_t start = CODE_START + CODE_EACH * (uint64_t)index;
	image->functions = one_more(image->functions, sizeof *image->functions, index);
	pairing->owners[build] = one_more(pairing->owners[build], sizeof *pairing->owners[build], index);
	pairing->pair_of[build] = one_more(pairing->pair_of[build], sizeof *pairing->pair_of[build], index);
	pairing->owners[build][index] = index;
	pairing->pair_of[build][index] = pair;
	image->functions[index] = (struct image_function){
	        .name = name,
	        .start = start,
	        .end = start + CODE_EACH,
	        .sized = true,
	        .first = index,
	        .inlined_into = host,
	};
	return index;
}

static size_t add_pair(struct made *made, const char *old, const char *new)
{
	struct pairing *pairing = &made->comparison.pairing;
	pairing->pairs = one_more(pairing->pairs, sizeof *pairing->pairs, pairing->count);
	pairing->pairs[pairing->count] = (struct pairing_pair){
	        .names = {old, new},
	        .functions = {old != NULL, new != NULL},
	        .how = old == NULL || new == NULL ? PAIRED_NOT : PAIRED_BY_NAME,
	};
	if (old != NULL)
		add_function(made, BUILD_OLD, old, pairing->count, IMAGE_NOT_INLINED);
	if (new != NULL)
		add_function(made, BUILD_NEW, new, pairing->count, IMAGE_NOT_INLINED);
	return pairing->count++;
}

static size_t add_row(struct made *made, const char *old, const char *new, enum profile_node_kind kind, size_t pair)
{
	struct comparison *comparison = &made->comparison;
	comparison->rows = one_more(comparison->rows, sizeof *comparison->rows, comparison->row_count);
	struct compare_row *row = &comparison->rows[comparison->row_count];
	*row = (struct compare_row){.names = {old, new}, .kind = kind, .pair = pair};
	for (size_t i = 0; i < COMPARE_QUANTITIES; i++)
		row->changes[i] = no_change();
	return comparison->row_count++;
}

size_t made_row(struct made *made, const char *old, const char *new)
{
	size_t row = add_row(made, old, new, PROFILE_FUNCTION, add_pair(made, old, new));
	double old_size = old == NULL ? 0 : CODE_EACH, new_size = new == NULL ? 0 : CODE_EACH;
	made->comparison.rows[row].changes[COMPARE_SIZE] = change_of(made, old_size, new_size, COMPARE_NOISE, true);
	return row;
}

size_t made_kind(struct made *made, enum profile_node_kind kind, const char *name)
{
	return add_row(made, name, name, kind, PAIRING_NONE);
}

void made_set(struct made *made, size_t row, enum compare_quantity quantity, double old, double new,
              enum compare_verdict verdict)
{
	bool is_exact = quantity == COMPARE_CALLS || quantity == COMPARE_SIZE;
	made->comparison.rows[row].changes[quantity] = change_of(made, old, new, verdict, is_exact);
}

void made_times(struct made *made, size_t row, double old, double new, enum compare_verdict verdict)
{
	made_set(made, row, COMPARE_SELF, old, new, verdict);
	made_set(made, row, COMPARE_TOTAL, old, new, verdict);
}

static enum compare_verdict verdict_of(double old, double new)
{
	return old < new ? COMPARE_MORE : old > new ? COMPARE_LESS : COMPARE_NOISE;
}

void made_calls(struct made *made, size_t row, double old, double new)
{
	made_set(made, row, COMPARE_CALLS, old, new, verdict_of(old, new));
}

struct pairing_pair *made_pair(struct made *made, size_t row)
{
	return &made->comparison.pairing.pairs[made->comparison.rows[row].pair];
}

static size_t function_of_pair(const struct made *made, enum build build, size_t pair)
{
	size_t index = 0;
	while (index < made->images[build].function_count && made->comparison.pairing.pair_of[build][index] != pair)
		index++;
	assert_true(index < made->images[build].function_count);
	return index;
}

void made_inline(struct made *made, size_t row, enum build build, size_t host)
{
	struct compare_row *inlined = &made->comparison.rows[row];
	struct pairing_pair *pair = made_pair(made, row);
	size_t host_function = function_of_pair(made, build, made->comparison.rows[host].pair);
	const char *name = inlined->names[build == BUILD_OLD ? BUILD_NEW : BUILD_OLD];
	add_function(made, build, name, inlined->pair, host_function);
	inlined->names[build] = name;
	pair->names[build] = name;
	inlined->inlining[build] = COMPARE_INLINED;
	pair->is_inlined[build] = true;
	pair->functions[build]++;
	pair->how = PAIRED_BY_NAME;
}

size_t made_arc(struct made *made, size_t caller, size_t callee)
{
	struct comparison *comparison = &made->comparison;
	comparison->arcs = one_more(comparison->arcs, sizeof *comparison->arcs, comparison->arc_count);
	struct compare_arc *arc = &comparison->arcs[comparison->arc_count];
	*arc = (struct compare_arc){.caller = caller, .callee = callee};
	for (size_t i = 0; i <= COMPARE_CALLS; i++)
		arc->changes[i] = no_change();
	for (size_t build = 0; build < BUILD_COUNT; build++)
		made->profiles[build].arc_count++;
	return comparison->arc_count++;
}

void made_arc_set(struct made *made, size_t arc, enum compare_quantity quantity, double old, double new,
                  enum compare_verdict verdict)
{
	struct compare_arc *set = &made->comparison.arcs[arc];
	set->changes[quantity] = change_of(made, old, new, verdict, quantity == COMPARE_CALLS);
}

struct made *made_typical(void)
{
	struct made *made = made_create();
	size_t main_row = made_row(made, "main", "main");
	size_t crc = made_row(made, "crc", "crc");
	size_t step = made_row(made, "step", "_Z4fasti");
	size_t idle = made_row(made, "idle", "idle");
	made_pair(made, step)->how = PAIRED_BY_CODE;
	made_times(made, main_row, 1e-3, 1.01e-3, COMPARE_NOISE);
	made_set(made, main_row, COMPARE_TOTAL, 9e-3, 1e-2, COMPARE_MORE);
	made_times(made, crc, 5e-3, 6.5e-3, COMPARE_MORE);
	made_set(made, crc, COMPARE_TOTAL, 7e-3, 7.5e-3, COMPARE_MORE);
	made_times(made, step, 2e-3, 1e-3, COMPARE_LESS);
	made_times(made, idle, 1e-3, 1.01e-3, COMPARE_NOISE);
	made_calls(made, main_row, 1, 1);
	made_calls(made, crc, 10, 10);
	made_calls(made, step, 20, 30.5);
	made_set(made, crc, COMPARE_SIZE, 32, 40, COMPARE_MORE);
	size_t arc = made_arc(made, main_row, crc);
	made_arc_set(made, arc, COMPARE_SELF, 5e-3, 6.5e-3, COMPARE_MORE);
	made_arc_set(made, arc, COMPARE_TOTAL, 7e-3, 7.5e-3, COMPARE_MORE);
	made_arc_set(made, arc, COMPARE_CALLS, 10, 10, COMPARE_NOISE);
	arc = made_arc(made, crc, step);
	made_arc_set(made, arc, COMPARE_SELF, 2e-3, 1e-3, COMPARE_LESS);
	made_arc_set(made, arc, COMPARE_TOTAL, 2e-3, 1e-3, COMPARE_LESS);
	made_arc_set(made, arc, COMPARE_CALLS, 20, 30.5, COMPARE_MORE);
	return made;
}

static bool is_changed(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_PER_CALL_TIME; i++)
		if (compare_is_change(&row->changes[i]))
			return true;
	return false;
}

static size_t *make_index(size_t count)
{
	size_t *index = calloc(count + 1, sizeof *index);
	assert_non_null(index);
	return index;
}

/* Starts from counts: first[i] counts those of i - 1. */
static void add_up(size_t *first, size_t count)
{
	for (size_t i = 1; i <= count; i++)
		first[i] += first[i - 1];
}

static void index_arcs(struct comparison *comparison)
{
	size_t *next = make_index(comparison->row_count);
	free(comparison->first_arc);
	free(comparison->first_parent);
	free(comparison->parent_arcs);
	comparison->first_arc = make_index(comparison->row_count);
	comparison->first_parent = make_index(comparison->row_count);
	comparison->parent_arcs = make_index(comparison->arc_count);
	for (size_t i = 0; i < comparison->arc_count; i++) {
		comparison->first_arc[comparison->arcs[i].caller + 1]++;
		comparison->first_parent[comparison->arcs[i].callee + 1]++;
	}
	add_up(comparison->first_arc, comparison->row_count);
	add_up(comparison->first_parent, comparison->row_count);
	for (size_t i = 0; i < comparison->arc_count; i++) {
		size_t callee = comparison->arcs[i].callee;
		comparison->parent_arcs[comparison->first_parent[callee] + next[callee]++] = i;
	}
	free(next);
}

struct comparison *made_finish(struct made *made)
{
	struct comparison *comparison = &made->comparison;
	while (comparison->changed_count < comparison->row_count &&
	       is_changed(&comparison->rows[comparison->changed_count]))
		comparison->changed_count++;
	for (size_t i = comparison->changed_count; i < comparison->row_count; i++)
		assert_false(is_changed(&comparison->rows[i]));
	index_arcs(comparison);
	return comparison;
}

char *made_print(struct made *made, const struct diff_format *format)
{
	char *text = NULL;
	size_t size = 0;
	struct error error = {.message = ""};
	FILE *stream = open_memstream(&text, &size);
	assert_non_null(stream);
	if (format->write(&made->comparison, &made->gate, &made->options, stream, &error) != STATUS_OK)
		fail_msg("%s: %s", format->name, error.message);
	fclose(stream);
	return text;
}

char *made_print_once(struct made *made, const struct diff_format *format)
{
	made_finish(made);
	char *text = made_print(made, format);
	made_free(made);
	return text;
}

void made_expect_parts(const char *text, const char *const *parts)
{
	for (; *parts != NULL; parts++) {
		const char *found = strstr(text, *parts);
		if (found == NULL)
			fail_msg("there is no\n%s\nin\n%s", *parts, text);
		text = found + strlen(*parts);
	}
}

void made_expect(struct made *made, const struct diff_format *format, const char *const *parts)
{
	char *text = made_print_once(made, format);
	made_expect_parts(text, parts);
	free(text);
}
