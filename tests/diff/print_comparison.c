/* SPDX-License-Identifier: MIT */
/*
 * print_comparison FORMAT [all] [graph] [colour] [TITLE]: prints invented comparisons as `bareprof diff
 * --format=FORMAT` would. The standard input describes them, one command per line (see the table `commands`); `case
 * TITLE` begins each, and TITLE selects one. A name may hold \xNN for any byte, and - stands for a name or a value that
 * a build lacks. Changed rows come first.
 *
 * Both builds have 10,000 samples in 1 s, from one capture, and 100 units of work. Unless a verdict follows them, two
 * values that differ are a change.
 */
#include "base/array.h"
#include "base/file/file.h"
#include "command/hints.h"
#include "diff/formats/diff.h"
#include "diff/private.h"
#include "report/json_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX  8
#define RULES_MAX  16
#define CODE_START 0x8000u
#define CODE_EACH  0x20u

static const uint8_t codes[BUILD_COUNT][4] = {{0x00, 0xbf, 0x00, 0xbf}, {0x00, 0xbf, 0x00, 0xbe}};

static const char *const build_names[BUILD_COUNT] = {"old", "new"};

/* One case. Strings belong to the input. */
struct fake {
	struct comparison comparison;
	struct image images[BUILD_COUNT];
	struct image_code code[BUILD_COUNT];
	struct profile profiles[BUILD_COUNT];
	struct compare_change *changes; /* of the row or arc that was added last */
	struct compare_change *change;  /* that was set last */
	struct diff_output_options options;
	const char *rules[RULES_MAX];
	size_t rule_count;
};

static _Noreturn void fail(const char *message, const char *word)
{
	fprintf(stderr, "print_comparison: %s %s\n", message, word);
	exit(2);
}

static void *reserve(void *items, size_t size, size_t count)
{
	void *larger = array_reserve(items, size, count);

	if (larger == NULL)
		fail("out of memory for", "the comparison");
	return larger;
}

static size_t find_word(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i] != NULL && strcmp(words[i], word) == 0)
			return i;
	fail("unexpected", word);
}

static enum build find_build(const char *word)
{
	return (enum build)find_word(word, build_names, BUILD_COUNT);
}

/* By number or by name in either build. */
static size_t find_row(const struct fake *fake, const char *word)
{
	char *end;
	size_t row = strtoul(word, &end, 10);

	if (*end != '\0')
		row = comparison_find(&fake->comparison, word);

	if (row >= fake->comparison.row_count)
		fail("there is no row", word);
	return row;
}

static const char *read_name(const char *word)
{
	return strcmp(word, "-") == 0 ? NULL : word;
}

static struct compare_row *last_row(const struct fake *fake)
{
	return &fake->comparison.rows[fake->comparison.row_count - 1];
}

static struct pairing_pair *last_pair(const struct fake *fake)
{
	return &fake->comparison.pairing.pairs[last_row(fake)->pair];
}

/* --- Quantities. */

static struct stats_sum read_sum(const struct fake *fake, enum build build, const char *word, bool is_exact)
{
	double work = fake->comparison.builds[build].work, sum = strtod(word, NULL) * work;

	return (struct stats_sum){
	        .sum = sum,
	        .work = read_name(word) == NULL ? 0 : work,
	        .variance = is_exact ? 0 : sum * 1e-4,
	        .grain = is_exact ? 0 : 1e-4,
	        .spread = NAN,
	        .captures = 1,
	};
}

/* OLD NEW [VERDICT] */
static void set_change(struct fake *fake, struct compare_change *change, bool is_exact, char **words)
{
	static const char *const verdicts[] = {"unknown", "noise", "less", "more"};
	const struct stats_change *values = &change->values;

	for (enum build build = 0; build < BUILD_COUNT; build++)
		change->sums[build] = read_sum(fake, build, words[build], is_exact);
	compare_change_at(change, fake->comparison.confidence, &change->values);
	change->q = values->p;
	if (words[2] != NULL)
		change->verdict = (enum compare_verdict)find_word(words[2], verdicts, 4);
	else if (isnan(values->old) || isnan(values->new))
		change->verdict = COMPARE_UNKNOWN;
	else
		change->verdict = values->old < values->new   ? COMPARE_MORE
		                  : values->old > values->new ? COMPARE_LESS
		                                              : COMPARE_NOISE;
	fake->change = change;
}

static void set_unknown(struct fake *fake, struct compare_change *change)
{
	set_change(fake, change, false, (char *[]){"-", "-", NULL});
}

static bool set_quantity(struct fake *fake, const char *name, char **words)
{
	for (enum compare_quantity quantity = 0; quantity < COMPARE_QUANTITIES; quantity++)
		if (strcmp(name, compare_quantity_name(quantity)) == 0) {
			bool is_exact = quantity == COMPARE_CALLS || quantity == COMPARE_SIZE;

			set_change(fake, &fake->changes[quantity], is_exact, words);
			return true;
		}
	return false;
}

static void set_times(struct fake *fake, char **words)
{
	set_change(fake, &fake->changes[COMPARE_SELF], false, words);
	set_change(fake, &fake->changes[COMPARE_TOTAL], false, words);
}

static void set_whole(struct fake *fake, char **words)
{
	bool is_size = strcmp(words[0], "size") == 0;

	set_change(fake, is_size ? &fake->comparison.size : &fake->comparison.time, is_size, words + 1);
}

static void set_interval(struct fake *fake, char **words)
{
	fake->change->values.ratio_interval.low = strtod(words[0], NULL);
	fake->change->values.ratio = strtod(words[1], NULL);
	fake->change->values.ratio_interval.high = strtod(words[2], NULL);
}

/* --- Rows and arcs. */

static void add_function(struct fake *fake, enum build build, const char *name, size_t pair, size_t host)
{
	struct image *image = &fake->images[build];
	struct pairing *pairing = &fake->comparison.pairing;
	size_t index = image->function_count++;
	uint64_t start = CODE_START + CODE_EACH * (uint64_t)index;

	image->functions = reserve(image->functions, sizeof *image->functions, index);
	pairing->owners[build] = reserve(pairing->owners[build], sizeof *pairing->owners[build], index);
	pairing->pair_of[build] = reserve(pairing->pair_of[build], sizeof *pairing->pair_of[build], index);
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
}

static void add_row(struct fake *fake, const char *old, const char *new, enum profile_node_kind kind, size_t pair)
{
	struct comparison *comparison = &fake->comparison;

	comparison->rows = reserve(comparison->rows, sizeof *comparison->rows, comparison->row_count++);
	struct compare_row *row = last_row(fake);
	*row = (struct compare_row){.names = {old, new}, .kind = kind, .pair = pair};
	fake->changes = row->changes;
	for (size_t i = 0; i < COMPARE_QUANTITIES; i++)
		set_unknown(fake, &row->changes[i]);
}

static void add_pair(struct fake *fake, char **words)
{
	struct pairing *pairing = &fake->comparison.pairing;
	const char *const names[BUILD_COUNT] = {read_name(words[0]), read_name(words[1])};
	size_t pair = pairing->count;

	pairing->pairs = reserve(pairing->pairs, sizeof *pairing->pairs, pairing->count++);
	pairing->pairs[pair] = (struct pairing_pair){
	        .names = {names[BUILD_OLD], names[BUILD_NEW]},
	        .functions = {names[BUILD_OLD] != NULL, names[BUILD_NEW] != NULL},
	        .how = names[BUILD_OLD] == NULL || names[BUILD_NEW] == NULL ? PAIRED_NOT : PAIRED_BY_NAME,
	};
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (names[build] != NULL)
			add_function(fake, build, names[build], pair, IMAGE_NOT_INLINED);
	add_row(fake, names[BUILD_OLD], names[BUILD_NEW], PROFILE_FUNCTION, pair);
	set_change(fake, &fake->changes[COMPARE_SIZE], true,
	           (char *[]){names[BUILD_OLD] == NULL ? "0" : "32", names[BUILD_NEW] == NULL ? "0" : "32", "noise"});
}

static void add_node(struct fake *fake, char **words)
{
	enum profile_node_kind kind = PROFILE_FUNCTION;

	while (kind < KIND_COUNT && strcmp(json_profile_kind(kind), words[0]) != 0)
		kind++;
	if (kind == KIND_COUNT)
		fail("unexpected", words[0]);
	add_row(fake, words[1], words[1], kind, PAIRING_NONE);
}

static void set_how(struct fake *fake, char **words)
{
	static const char *const ways[] = {
	        [PAIRED_BY_NAME] = "name",   [PAIRED_BY_MOVED_NAME] = "moved", [PAIRED_BY_CLONE] = "clone",
	        [PAIRED_BY_PLACE] = "place", [PAIRED_BY_CODE] = "code",
	};

	last_pair(fake)->how = (enum pairing_how)find_word(words[0], ways, PAIRED_NOT);
}

static void set_files(struct fake *fake, char **words)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		last_pair(fake)->files[build] = read_name(words[build]);
}

static void set_clones(struct fake *fake, char **words)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		last_pair(fake)->functions[build] = strtoul(words[build], NULL, 10);
}

static void set_cycles(struct fake *fake, char **words)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		last_row(fake)->cycles[build] = strtoul(words[build], NULL, 10);
}

/* ROW BUILD CALLER [partly|kept]: CALLER contains the inlined code. Without the third word, the build has no symbol of
 * ROW's function. */
static void add_inlined(struct fake *fake, char **words)
{
	enum build build = find_build(words[1]);
	const struct pairing *pairing = &fake->comparison.pairing;
	struct compare_row *row = &fake->comparison.rows[find_row(fake, words[0])];
	struct pairing_pair *pair = &pairing->pairs[row->pair];
	size_t host = 0, host_pair = fake->comparison.rows[find_row(fake, words[2])].pair;

	while (pairing->pair_of[build][host] != host_pair)
		host++;
	if (row->names[build] == NULL)
		row->names[build] = row->names[build == BUILD_OLD ? BUILD_NEW : BUILD_OLD];
	pair->names[build] = row->names[build];
	pair->is_inlined[build] = words[3] == NULL;
	pair->functions[build] = 1;
	pair->how = PAIRED_BY_NAME;
	row->inlining[build] =
	        words[3] != NULL && strcmp(words[3], "partly") == 0 ? COMPARE_PARTLY_INLINED : COMPARE_INLINED;
	add_function(fake, build, row->names[build], row->pair, host);
}

static void set_name(struct fake *fake, char **words)
{
	fake->comparison.rows[find_row(fake, words[0])].names[find_build(words[1])] = words[2];
}

static void add_arc(struct fake *fake, char **words)
{
	struct comparison *comparison = &fake->comparison;

	comparison->arcs = reserve(comparison->arcs, sizeof *comparison->arcs, comparison->arc_count);
	struct compare_arc *arc = &comparison->arcs[comparison->arc_count++];
	*arc = (struct compare_arc){.caller = find_row(fake, words[0]), .callee = find_row(fake, words[1])};
	fake->changes = arc->changes;
	for (size_t i = 0; i <= COMPARE_CALLS; i++)
		set_unknown(fake, &arc->changes[i]);
	for (enum build build = 0; build < BUILD_COUNT; build++)
		fake->profiles[build].arc_count++;
}

static void set_arc_inlined(struct fake *fake, char **words)
{
	fake->comparison.arcs[fake->comparison.arc_count - 1].is_inlined[find_build(words[0])] = true;
}

/* --- The builds. */

static void set_unit(struct fake *fake, char **words)
{
	static const char *const units[] = {"call", "second", "sample", "run"};

	fake->comparison.unit = (enum compare_unit)find_word(words[0], units, 4);
}

static void set_rejected(struct fake *fake, char **words)
{
	fake->comparison.rejected_row = find_row(fake, words[0]);
	fake->comparison.unit_shares[BUILD_OLD] = strtod(words[1], NULL);
	fake->comparison.unit_shares[BUILD_NEW] = strtod(words[2], NULL);
}

static void set_min_change(struct fake *fake, char **words)
{
	fake->comparison.min_change = strtod(words[0], NULL);
}

static void set_captures(struct fake *fake, char **words)
{
	enum build build = find_build(words[0]);

	fake->comparison.builds[build].capture_count = strtoul(words[1], NULL, 10);
	fake->comparison.has_spread[build] = true;
}

static void set_label(struct fake *fake, char **words)
{
	fake->options.labels[find_build(words[0])] = words[1];
}

static void set_recorder_time(struct fake *fake, char **words)
{
	fake->comparison.builds[find_build(words[0])].recorder_time = strtod(words[1], NULL);
}

static void set_identity(struct fake *fake, char **words)
{
	bool is_other = strcmp(words[1], "other") == 0;

	fake->profiles[find_build(words[0])].identity = is_other ? PROFILE_IDENTITY_OTHER : PROFILE_IDENTITY_UNKNOWN;
}

static void set_loss(struct fake *fake, char **words)
{
	static const char *const names[] = {"arcs", "shared", "skew"};
	struct profile_losses *losses = &fake->profiles[find_build(words[0])].losses;
	uint64_t *const counts[] = {&losses->arcs_dropped, &losses->samples_shared, &losses->skew};

	*counts[find_word(words[1], names, 3)] = strtoull(words[2], NULL, 10);
}

static void remove_build_id(struct fake *fake, char **words)
{
	fake->images[find_build(words[0])].build_id_size = 0;
}

static void use_same_build_id(struct fake *fake, char **words)
{
	(void)words;
	memcpy(fake->images[BUILD_NEW].build_id, fake->images[BUILD_OLD].build_id, sizeof fake->images->build_id);
}

static void use_same_code(struct fake *fake, char **words)
{
	(void)words;
	fake->code[BUILD_NEW].bytes = codes[BUILD_OLD];
}

static void omit_total_errors(struct fake *fake, char **words)
{
	(void)words;
	fake->comparison.has_total_errors = false;
}

/* --- Cases. */

static const struct command {
	const char *name;
	size_t words_min; /* after the name */
	void (*run)(struct fake *fake, char **words);
} commands[] = {
        {"row", 2, add_pair},                /* OLD NEW: a function */
        {"node", 2, add_node},               /* KIND NAME, kinds as in JSON */
        {"times", 2, set_times},             /* OLD NEW: self and total of the last row or arc; the */
                                             /* names of quantities (self, calls, ...) set that quantity */
        {"interval", 3, set_interval},       /* LOW RATIO HIGH: of the last values */
        {"pair", 1, set_how},                /* name, moved, clone, place, code: how the last row was paired */
        {"files", 2, set_files},             /* OLD NEW: of the last row */
        {"clones", 2, set_clones},           /* OLD NEW: their numbers */
        {"cycles", 2, set_cycles},           /* OLD NEW: numbers from 1 */
        {"inlined", 3, add_inlined},         /* ROW BUILD HOST [partly|kept] */
        {"rename", 3, set_name},             /* ROW BUILD NAME: only in the table, as DWARF names it */
        {"arc", 2, add_arc},                 /* CALLER CALLEE, with rising callers */
        {"arc-inlined", 1, set_arc_inlined}, /* BUILD */
        {"whole", 3, set_whole},             /* time or size, OLD NEW */
        {"unit", 1, set_unit},               /* call, second, sample, run */
        {"rejected", 3, set_rejected},       /* ROW OLD-SHARE NEW-SHARE */
        {"min-change", 1, set_min_change},   /* RATIO */
        {"captures", 2, set_captures},       /* BUILD COUNT */
        {"label", 2, set_label},             /* BUILD NAME */
        {"recorder", 2, set_recorder_time},  /* BUILD SECONDS */
        {"identity", 2, set_identity},       /* BUILD other or unknown */
        {"loss", 3, set_loss},               /* BUILD, arcs, shared or skew, COUNT */
        {"no-build-id", 1, remove_build_id}, /* BUILD */
        {"same-build-id", 0, use_same_build_id},
        {"same-code", 0, use_same_code},
        {"no-total-errors", 0, omit_total_errors},
};

static void begin_build(struct fake *fake, enum build build)
{
	struct image *image = &fake->images[build];

	image->path = build == BUILD_OLD ? "old.elf" : "new.elf";
	image->build_id_size = 20;
	for (size_t i = 0; i < image->build_id_size; i++)
		image->build_id[i] = (uint8_t)((build == BUILD_OLD ? 0xA0 : 0xB0) + i);
	fake->code[build] = (struct image_code){.address = CODE_START, .bytes = codes[build], .size = sizeof *codes};
	image->code = &fake->code[build];
	image->code_count = 1;
	fake->profiles[build] = (struct profile){
	        .image = image,
	        .time_unit = PROFILE_SECONDS,
	        .total_time = 1,
	        .total_samples = 10000,
	        .losses = {.ticks = 10000, .ticks_missed_known = true, .skew_known = true, .blocks_with_losses = 1},
	};
	fake->comparison.builds[build] = (struct compare_build){
	        .image = image,
	        .profile = &fake->profiles[build],
	        .capture_count = 1,
	        .work = 100,
	        .time = 1,
	        .samples = 10000,
	};
	fake->options.labels[build] = image->path;
}

static void begin_case(struct fake *fake, const struct diff_output_options *options)
{
	*fake = (struct fake){
	        .comparison = {.unit = COMPARE_PER_CALL,
	                       .is_unit_chosen = true,
	                       .rejected_row = PAIRING_NONE,
	                       .unit_shares = {0.9, 0.8},
	                       .time_unit = PROFILE_SECONDS,
	                       .confidence = 0.95,
	                       .min_change = 0.01,
	                       .has_total_errors = true},
	        .options = *options,
	};
	for (enum build build = 0; build < BUILD_COUNT; build++)
		begin_build(fake, build);
	set_change(fake, &fake->comparison.time, false, (char *[]){"0.01", "0.01", NULL});
	set_change(fake, &fake->comparison.size, true, (char *[]){"4096", "4096", NULL});
}

static void free_case(const struct fake *fake)
{
	const struct comparison *comparison = &fake->comparison;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		free(comparison->pairing.owners[build]);
		free(comparison->pairing.pair_of[build]);
		free(fake->images[build].functions);
	}
	free(comparison->pairing.pairs);
	free(comparison->rows);
	free(comparison->arcs);
	free(comparison->first_arc);
	free(comparison->parent_arcs);
	free(comparison->first_parent);
}

static bool is_changed(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_PER_CALL_TIME; i++)
		if (compare_is_change(&row->changes[i]))
			return true;
	return false;
}

static void print_case(struct fake *fake, const struct diff_format *format)
{
	struct comparison *comparison = &fake->comparison;
	struct rule_set rules = {0};
	struct rule_results results = {0};
	struct error error = {.message = ""};

	while (comparison->changed_count < comparison->row_count &&
	       is_changed(&comparison->rows[comparison->changed_count]))
		comparison->changed_count++;
	enum status status = compare_index_arcs(comparison) ? STATUS_OK : STATUS_FAILED;
	for (size_t i = 0; status == STATUS_OK && i < fake->rule_count; i++)
		status = rule_set_add(&rules, "--fail-if", fake->rules[i], &error);
	if (status == STATUS_OK)
		status = rule_set_judge(&rules, comparison, fake->options.names, &results, &error);
	if (status == STATUS_OK)
		status = diff_write(format, comparison, &results, &fake->options, stdout, &error);
	if (status != STATUS_OK)
		fail("error:", error.message);
	rule_results_free(&results);
	rule_set_free(&rules);
	free_case(fake);
}

/* Replaces each \xNN by its byte; "" is an empty name. */
static char *unescape(char *word)
{
	char *end = word;

	for (const char *at = strcmp(word, "\"\"") == 0 ? "" : word; *at != '\0'; end++) {
		char digits[3] = {0};

		if (strncmp(at, "\\x", 2) == 0 && strlen(at) >= 4) {
			memcpy(digits, at + 2, 2);
			*end = (char)strtoul(digits, NULL, 16);
			at += 4;
		} else {
			*end = *at++;
		}
	}
	*end = '\0';
	return word;
}

static void run_line(struct fake *fake, char *line)
{
	char *words[WORDS_MAX + 1] = {NULL}, *word;
	size_t count = 0;

	if (strncmp(line, "rule ", 5) == 0 && fake->rule_count < RULES_MAX) {
		fake->rules[fake->rule_count++] = line + 5;
		return;
	}
	while (count < WORDS_MAX && (word = strsep(&line, " ")) != NULL)
		if (*word != '\0')
			words[count++] = unescape(word);
	for (size_t i = 0; count > 0 && i < sizeof commands / sizeof *commands; i++)
		if (strcmp(words[0], commands[i].name) == 0 && count > commands[i].words_min) {
			commands[i].run(fake, words + 1);
			return;
		}
	if (count > 0 && (count < 3 || !set_quantity(fake, words[0], words + 1)))
		fail("unexpected", words[0]);
}

/* The cases of one run, of which title selects one, unless it is NULL. */
static void print_cases(char *text, const char *title, const struct diff_format *format,
                        const struct diff_output_options *options)
{
	struct fake *fake = NULL, storage;

	for (char *line; (line = strsep(&text, "\n")) != NULL;) {
		if (strncmp(line, "case ", 5) == 0) {
			if (fake != NULL)
				print_case(fake, format);
			fake = title == NULL || strcmp(line + 5, title) == 0 ? &storage : NULL;
			if (fake != NULL && title == NULL)
				printf("== %s\n", line + 5);
			if (fake != NULL)
				begin_case(fake, options);
		} else if (fake != NULL && line[0] != '#') {
			run_line(fake, line);
		}
	}
	if (fake != NULL)
		print_case(fake, format);
}

int main(int argc, char **argv)
{
	struct demangle_style style;
	struct diff_output_options options = {.hints = hints};
	struct error error = {.message = ""};
	const struct diff_format *const *format = diff_formats;
	const char *title = NULL;
	uint8_t *bytes;
	size_t size;

	while (*format != NULL && argc > 1 && strcmp((*format)->name, argv[1]) != 0)
		format++;

	if (argc < 2 || *format == NULL)
		fail("usage:", "print_comparison FORMAT [all] [graph] [colour] [TITLE] <CASES");
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "all") == 0)
			options.all = true;
		else if (strcmp(argv[i], "graph") == 0)
			options.graph = true;
		else if (strcmp(argv[i], "colour") == 0)
			options.colour = true;
		else
			title = argv[i];
	}
	options.names = demangle_find_style("auto", &style) ? demangler_create(style) : NULL;
	if (options.names == NULL || file_read("-", &bytes, &size, &error) != STATUS_OK)
		fail("error:", error.message);
	char *text = strndup((const char *)bytes, size);
	print_cases(text, title, *format, &options);
	free(text);
	free(bytes);
	demangler_free(options.names);
	return 0;
}
