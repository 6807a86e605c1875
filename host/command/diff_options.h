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
	struct compare_options compare;
	struct capture_options captures;
	struct diff_output_options output;
	const struct diff_format *format;
	const char *html; /* where the page goes; NULL: there is none */
	struct rule_set rules;
	struct file_inputs inputs; /* files that rules came from, and what is added later */
	const char *baseline;      /* folder of the builds that were kept; NULL: none are */
	bool keep;                 /* the new build is to be kept there */
	struct demangle_style demangle;
};

/* The format of that name, or NULL. */
const struct diff_format *diff_find_format(const char *name);

/* Takes all options; *first becomes the index of the first word behind them. Freed by diff_options_free(), also after a
 * failure. */
enum status diff_options_parse(int argc, char **argv, struct diff_options *options, int *first, struct error *error);
void diff_options_free(struct diff_options *options);

#define DIFF_HELP                                                                                       \
	"      --per-call-of=F  times and calls per call of the function F\n"                           \
	"      --per-second     per second of sampled time\n"                                           \
	"      --per-sample     per sample\n"                                                           \
	"      --confidence=P   of intervals, and of what is called a change; default 95%\n"            \
	"      --min-change=P   call less than this no change; default 1%\n"                            \
	"      --fail-if=RULE   exit with 3 if RULE is broken: 'total(main_loop) > +5%',\n"             \
	"                       'self(*) > +10% and significant', 'size > +2%'; may be given again\n"   \
	"      --rules=FILE     the same of each line of FILE\n"                                        \
	"      --format=FORMAT  text (default), markdown, json, junit, folded or html\n"                \
	"      --html=FILE      write a page with tables, search and callers and callees, too\n"        \
	"  -a, --all            functions that did not change, too\n"                                   \
	"  -q, --graph          the call graph of what changed, too\n"                                  \
	"      --baseline=DIR   builds are kept in DIR: OLD may be left out (the last one is taken),\n" \
	"                       or be the beginning of a build-id, or an ELF without captures\n"        \
	"      --keep           keep NEW in DIR, unless a rule is broken\n"

#endif
