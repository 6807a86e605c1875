/* SPDX-License-Identifier: MIT */
/* Output formats of a comparison, one file per format. */
#ifndef DIFF_FORMATS_DIFF_H
#define DIFF_FORMATS_DIFF_H

#include "base/text/demangle.h"
#include "diff/compare.h"
#include "diff/rules/rules.h"

#include <stdio.h>

struct diff_output_options {
	bool colour;
	const char *const *hints;        /* by enum hint: advice for the user */
	bool all;                        /* also list rows within noise, and do not limit their number */
	bool graph;                      /* also print the call graph of differences */
	struct demangler *names;         /* demangles the names of functions */
	const char *labels[BUILD_COUNT]; /* names of the builds, from their ELFs */
};

struct diff_output;

struct diff_format {
	const char *name;    /* as in `bareprof diff --format=NAME` */
	const char *summary; /* one line for --help */
	enum status (*write)(const struct diff_output *output, struct error *error);
	/* Print names and text from ELFs and paths, and numbers, escaped for the format. */
	void (*print_name)(FILE *stream, const char *name);
	void (*print_text)(FILE *stream, const char *text);
	void (*print_numbers)(FILE *stream, const char *numbers);
	/* Text before and after each listed breach of a rule, and the maximum number listed. */
	const char *breach_begin, *breach_end;
	size_t breaches_max;
	bool lists_all_breaches; /* with diff_output_options.all; a hint then mentions this option */
	bool has_notes_in_breaches;
};

/* NULL-terminated. The first is the default. */
extern const struct diff_format *const diff_formats[];
extern const struct diff_format diff_html;

/* Writes a finished comparison. The owner of the stream checks it for errors. rules may be empty. */
enum status diff_write(const struct diff_format *format, const struct comparison *comparison,
                       const struct rule_results *rules, const struct diff_output_options *options, FILE *stream,
                       struct error *error);

#endif
