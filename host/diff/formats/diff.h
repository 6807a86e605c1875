/* SPDX-License-Identifier: MIT */
/*
 * What a comparison is printed as: one file per format, one row each in table.c. Every writer takes a
 * finished comparison and a stream, and leaves errors of the stream to the stream's owner. Knows nothing of commands.
 */
#ifndef DIFF_FORMATS_DIFF_H
#define DIFF_FORMATS_DIFF_H

#include "base/text/demangle.h"
#include "diff/compare.h"
#include "diff/rules/rules.h"

#include <stdio.h>

struct diff_output_options {
	bool colour;
	bool all;                        /* rows within noise, too, however many */
	bool graph;                      /* the call graph of differences, too */
	struct demangler *names;         /* how functions are shown */
	const char *labels[BUILD_COUNT]; /* what the builds are called: the names of their ELFs */
};

struct diff_format {
	const char *name;    /* as in `bareprof diff --format=NAME` */
	const char *summary; /* one line for --help */
	/* rules: no rules, if there were none. */
	enum status (*write)(const struct comparison *comparison, const struct rule_results *rules,
	                     const struct diff_output_options *options, FILE *stream, struct error *error);
};

/* Ended by NULL. The first is the default. */
extern const struct diff_format *const diff_formats[];

#endif
