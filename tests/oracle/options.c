/* SPDX-License-Identifier: MIT */
/* See options.h. Options are rows of a table, where % stands for an operand and a blank separates two words. */
#include "options.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum operand { NOTHING, SYMBOL, ARC_EXCLUDED, ARC_INCLUDED, WIDTH, NUMBER, STYLE };

struct option_row {
	unsigned percent; /* share of the command lines that have it */
	const char *spellings[3];
	enum operand operand;
};

static const struct option_row option_rows[] = {
        {45, {"-p", "--flat-profile", "--flat"}, NOTHING},
        {50, {"-q", "--graph", "-B"}, NOTHING},
        {6, {"-p%", "--flat-profile=%"}, SYMBOL},
        {2, {"-P", "--no-flat-profile"}, NOTHING},
        {6, {"-P%", "--no-flat-profile=%"}, SYMBOL},
        {6, {"-q%", "--graph=%"}, SYMBOL},
        {2, {"-Q", "--no-graph"}, NOTHING},
        {6, {"-Q%", "--no-graph=%"}, SYMBOL},
        {6, {"-q%", "--graph=%"}, ARC_INCLUDED},
        {6, {"-Q%", "--no-graph=%"}, ARC_EXCLUDED},
        {12, {"-k %", "-k%"}, ARC_EXCLUDED},
        {8, {"-e %", "-e%"}, SYMBOL},
        {8, {"-E %", "-E%"}, SYMBOL},
        {8, {"-f %", "-f%"}, SYMBOL},
        {8, {"-F %", "-F%"}, SYMBOL},
        {8, {"-n %", "-n%", "--time=%"}, SYMBOL},
        {8, {"-N %", "-N%", "--no-time=%"}, SYMBOL},
        {4, {"-C", "--exec-counts"}, NOTHING},
        {2, {"-C%", "--exec-counts=%"}, SYMBOL},
        {2, {"-Z", "--no-exec-counts"}, NOTHING},
        {2, {"-Z%", "--no-exec-counts=%"}, SYMBOL},
        {2, {"-J", "--no-annotated-source", "-J%"}, SYMBOL},
        {4, {"-i", "--file-info"}, NOTHING},
        {20, {"-z", "--display-unused-functions"}, NOTHING},
        {12, {"-T", "--traditional"}, NOTHING},
        {12, {"-w %", "-w%", "--width=%"}, WIDTH},
        {2, {"-m %", "--min-count=%"}, NUMBER},
        {2, {"-t %", "--table-length=%"}, NUMBER},
        {2, {"-x", "--all-lines"}, NOTHING},
        {2, {"-y", "--separate-files"}, NOTHING},
        {2, {"-L", "--print-path"}, NOTHING},
        {2, {"-I .", "--directory-path=.:.."}, NOTHING},
        {2, {"--inline-file-names"}, NOTHING},
        {6, {"--demangle", "--demangle=%"}, STYLE},
        {6, {"--no-demangle"}, NOTHING},
};

/* --- Words. */

static char *add_word(struct options *options)
{
	return options->words[options->word_count++];
}

static void add_words(struct options *options, const char *text)
{
	const char *blank = strchr(text, ' ');

	if (blank == NULL) {
		snprintf(add_word(options), WORD_SIZE, "%s", text);
		return;
	}
	snprintf(add_word(options), WORD_SIZE, "%.*s", (int)(blank - text), text);
	snprintf(add_word(options), WORD_SIZE, "%s", blank + 1);
}

static const char *choose_spelling(const struct option_row *row, struct random *random)
{
	size_t count = 1;

	while (count < COUNT(row->spellings) && row->spellings[count] != NULL)
		count++;
	return row->spellings[random_below(random, count)];
}

/* --- Operands. */

static const char *choose_name(const struct firmware *firmware, struct random *random)
{
	if (random_chance(random, 6))
		return random_chance(random, 50) ? "no_such_function" : "main";
	return firmware_choose_name(firmware, random);
}

/* GNU gprof takes a name with a dot for a file unless a colon precedes it. */
static void write_symspec(char *spec, size_t size, const char *name, struct random *random)
{
	bool has_dot = strchr(name, '.') != NULL;

	if (random_chance(random, 3))
		snprintf(spec, size, "main.c:%s", name);
	else if (random_chance(random, 2))
		snprintf(spec, size, random_chance(random, 50) ? "main.c" : "123");
	else
		snprintf(spec, size, "%s%s", has_dot && random_chance(random, 90) ? ":" : "", name);
}

/* An empty end stands for any function, but GNU gprof matches none outside .text. */
static void choose_end(char *spec, char *end, const struct firmware *firmware, struct random *random)
{
	bool may_be_empty = !firmware->sections[1].is_code;

	end[0] = spec[0] = '\0';
	if (random_chance(random, 25) && may_be_empty)
		return;
	snprintf(end, NAME_SIZE, "%s", choose_name(firmware, random));
	snprintf(spec, NAME_SIZE + 1, "%s%s", strchr(end, '.') != NULL ? ":" : "", end);
}

/* Whether the first symbol matches as a caller; then every function does. */
static bool begins_with_first(const char *from, const struct firmware *firmware)
{
	for (size_t i = 0; i < firmware->symbol_count; i++)
		if (firmware->symbols[i].address == firmware->low && strcmp(firmware->names[i], from) == 0)
			return true;
	return from[0] == '\0';
}

/* GNU gprof keeps only one of several rules whose callers begin at the same address. */
static bool hides_another(const struct options *options, const struct arc_rule *rule, const struct firmware *firmware)
{
	bool is_first = begins_with_first(rule->from, firmware);

	for (size_t i = 0; i < options->arc_rule_count; i++) {
		const struct arc_rule *other = &options->arc_rules[i];

		if (other->is_exclusion == rule->is_exclusion &&
		    (strcmp(other->from, rule->from) == 0 || (is_first && begins_with_first(other->from, firmware))))
			return true;
	}
	return false;
}

/* Empty if no rule can be added. */
static void choose_arc(struct options *options, char *text, size_t size, bool is_exclusion,
                       const struct firmware *firmware, struct random *random)
{
	struct arc_rule *rule = &options->arc_rules[options->arc_rule_count];
	char from[NAME_SIZE + 1], to[NAME_SIZE + 1];

	choose_end(from, rule->from, firmware, random);
	choose_end(to, rule->to, firmware, random);
	rule->is_exclusion = is_exclusion;
	if (hides_another(options, rule, firmware))
		return;
	options->arc_rule_count++;
	snprintf(text, size, "%s/%s", from, to);
}

static void choose_operand(struct options *options, const struct option_row *row, const struct firmware *firmware,
                           struct random *random, char *text, size_t size)
{
	static const char *const styles[] = {"auto", "gnu-v3", "rust", "java", "dlang"};

	switch (row->operand) {
	case NOTHING:
		break;
	case SYMBOL:
		write_symspec(text, size, choose_name(firmware, random), random);
		break;
	case ARC_EXCLUDED:
	case ARC_INCLUDED:
		choose_arc(options, text, size, row->operand == ARC_EXCLUDED, firmware, random);
		break;
	case WIDTH:
		snprintf(text, size, "%u", (unsigned)random_between(random, 1, 250));
		break;
	case NUMBER:
		snprintf(text, size, "%u", (unsigned)random_magnitude(random, 1000));
		break;
	case STYLE:
		snprintf(text, size, "%s", styles[random_below(random, COUNT(styles))]);
	}
}

static void add_option(struct options *options, const struct option_row *row, const struct firmware *firmware,
                       struct random *random)
{
	char operand[WORD_SIZE] = "", text[2 * WORD_SIZE];
	const char *spelling = choose_spelling(row, random);
	const char *place = strchr(spelling, '%');

	if (place == NULL) {
		add_words(options, spelling);
		return;
	}
	choose_operand(options, row, firmware, random, operand, sizeof operand);
	if (operand[0] == '\0')
		return;
	snprintf(text, sizeof text, "%.*s%s", (int)(place - spelling), spelling, operand);
	add_words(options, text);
}

static void add_rows(struct options *options, const struct firmware *firmware, struct random *random)
{
	size_t remaining[COUNT(option_rows)];

	for (size_t i = 0; i < COUNT(option_rows); i++)
		remaining[i] = i;
	for (size_t i = COUNT(option_rows); i > 0; i--) {
		size_t chosen = random_below(random, i);
		const struct option_row *row = &option_rows[remaining[chosen]];

		remaining[chosen] = remaining[i - 1];
		while (random_chance(random, row->percent) && options->word_count + 16 < WORDS_MAX &&
		       options->arc_rule_count < ARC_RULES_MAX)
			add_option(options, row, firmware, random);
	}
}

/* --- The command line. */

void options_generate_division(struct options *options, struct random *random)
{
	*options = (struct options){0};
	add_words(options, random_chance(random, 90) ? "-b" : "--brief");
	if (random_chance(random, 7)) {
		options->division.no_static = true;
		add_words(options, random_chance(random, 80) ? "-a" : "--no-static");
	}
	if (random_chance(random, 7)) {
		options->division.functions_only = true;
		add_words(options, random_chance(random, 80) ? "-D" : "--ignore-non-functions");
	}
	if (random_chance(random, 4)) {
		options->division.from_file = true;
		add_words(options, random_chance(random, 80) ? "-S symbols" : "--external-symbol-table=symbols");
	}
}

static void name_format(struct options *options, enum gmon_layout layout, struct random *random)
{
	static const char *const names[] = {
	        [LAYOUT_VERSION_1] = "magic",
	        [LAYOUT_VERSION_0] = "magic",
	        [LAYOUT_BSD] = "bsd",
	        [LAYOUT_BSD_44] = "4.4bsd",
	};
	char text[WORD_SIZE];

	if (!random_chance(random, 20))
		return;
	snprintf(text, sizeof text, "%s%s", random_chance(random, 70) ? "-O " : "--file-format=",
	         random_chance(random, 80) ? names[layout] : "auto");
	add_words(options, text);
}

static void name_files(struct options *options, unsigned file_count, struct random *random)
{
	if (file_count == 1 && random_chance(random, 10)) {
		if (random_chance(random, 50))
			add_words(options, "a.out");
		return;
	}
	add_words(options, "a.out");
	for (unsigned i = 0; i < file_count; i++)
		snprintf(add_word(options), WORD_SIZE, i == 0 ? "gmon.out" : "gmon.out.%u", i);
}

void options_generate(struct options *options, const struct firmware *firmware, const struct recording *recording,
                      struct random *random)
{
	name_format(options, recording->layout, random);
	add_rows(options, firmware, random);
	name_files(options, recording->file_count, random);
}

/* --- Arcs. */

static bool is_end(const char *wanted, const char *name)
{
	return wanted[0] == '\0' || strcmp(wanted, name) == 0;
}

static bool matches_any(const struct division *division, const char *wanted)
{
	for (size_t i = 0; i < division->count; i++)
		if (is_end(wanted, division->owners[i].name))
			return true;
	return false;
}

void options_resolve_rules(struct options *options, const struct division *division)
{
	for (size_t i = 0; i < options->arc_rule_count; i++) {
		struct arc_rule *rule = &options->arc_rules[i];

		rule->applies = matches_any(division, rule->from) && matches_any(division, rule->to);
	}
}

bool options_want_arc(const struct options *options, const struct division *division, size_t caller, size_t callee)
{
	bool has_inclusions = false, is_included = false, is_excluded = false;

	for (size_t i = 0; i < options->arc_rule_count; i++) {
		const struct arc_rule *rule = &options->arc_rules[i];
		bool matches = is_end(rule->from, division->owners[caller].name) &&
		               is_end(rule->to, division->owners[callee].name);

		has_inclusions |= !rule->is_exclusion && rule->applies;
		is_included |= !rule->is_exclusion && matches;
		is_excluded |= rule->is_exclusion && matches;
	}
	return has_inclusions ? is_included : !is_excluded;
}
