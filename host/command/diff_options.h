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

/* The options that only diff has; they set a struct diff_options. */
extern const struct command_option diff_options[];

/* Parses all options; *first_operand becomes the index of the first word after them. Freed by diff_options_free(), even
 * after a failure. */
enum status diff_options_parse(const struct command *command, int argc, char **argv, struct diff_options *options,
                               int *first_operand, struct error *error);
void diff_options_free(struct diff_options *options);

#endif
