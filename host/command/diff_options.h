/* SPDX-License-Identifier: MIT */
/* The options of bareprof diff. Private to command/. */
#ifndef COMMAND_DIFF_OPTIONS_H
#define COMMAND_DIFF_OPTIONS_H

#include "base/file/inputs.h"
#include "command/captures.h"
#include "diff/compare.h"
#include "diff/formats/diff.h"
#include "diff/rules/rules.h"

struct diff_options {
	const struct command *command; /* for messages */
	struct compare_options compare;
	struct capture_options captures;
	struct diff_output_options output;
	const struct diff_format *format;
	const char *html; /* output file of the page; NULL: none */
	struct rule_set rules;
	struct file_inputs inputs; /* files of rules, and inputs added later */
	const char *baseline;      /* folder of the baseline; NULL: none */
	bool keep;                 /* keep the new build there */
	struct demangle_style demangle;
};

/* The format with this name, or NULL. */
const struct diff_format *diff_find_format(const char *name);

/* Parses all options; *first becomes the index of the first word after them. Freed by diff_options_free(), even after a
 * failure. */
enum status diff_options_parse(const struct command *command, int argc, char **argv, struct diff_options *options,
                               int *first, struct error *error);
void diff_options_free(struct diff_options *options);

#define DIFF_HELP                                                                                       \
	"      --per-call-of=F  show times and calls per call of function F\n"                          \
	"      --per-second     show them per second of sampled time\n"                                 \
	"      --per-sample     show them per sample\n"                                                 \
	"      --confidence=P   confidence of intervals and of changes (default 95%)\n"                 \
	"      --min-change=P   smallest difference to report as a change (default 1%)\n"               \
	"      --fail-if=RULE   exit with 3 if RULE is broken: 'total(main_loop) > +5%',\n"             \
	"                       'self(*) > +10% and significant', 'size > +2%'; may be repeated\n"      \
	"      --rules=FILE     read rules from FILE, one per line\n"                                   \
	"      --format=FORMAT  text (default), markdown, json, junit, folded or html\n"                \
	"      --html=FILE      also write a page with tables, search, callers and callees\n"           \
	"  -a, --all            also list functions that did not change\n"                              \
	"  -q, --graph          also print the call graph of the changes\n"                             \
	"      --baseline=DIR   find OLD among the builds kept in DIR: OLD may be omitted (the last\n"  \
	"                       build is used), or be the beginning of a build-id, or an ELF without\n" \
	"                       captures\n"                                                             \
	"      --keep           keep NEW in DIR, unless a rule is broken\n"

#endif
