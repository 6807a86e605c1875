/* SPDX-License-Identifier: MIT */
/* Data and functions that all formats share. Private to formats/. */
#ifndef DIFF_FORMATS_OUTPUT_H
#define DIFF_FORMATS_OUTPUT_H

#include "diff/formats/diff.h"
#include "diff/formats/head.h"
#include "diff/formats/notes.h"

#define OUTPUT_CELL_BREACHES_MAX 20 /* listed in one cell of a table */

struct diff_output {
	const struct diff_format *format;
	const struct comparison *comparison;
	const struct rule_results *rules;
	const struct diff_output_options *options;
	struct notes notes;
	struct diff_head head;
	FILE *stream;
};

extern const struct diff_format diff_folded;
extern const struct diff_format diff_json;
extern const struct diff_format diff_junit;
extern const struct diff_format diff_markdown;
extern const struct diff_format diff_text;

/* The name of a row with its note in parentheses. */
void output_print_name(const struct diff_output *output, size_t row);
/* "fir_step: 2.9400 us -> 3.3020 us, +12.3 % [+8 .. +15 %]", or "the firmware: ...". */
void output_print_breach(const struct diff_output *output, const struct rule_result *result,
                         const struct rule_breach *breach);
/* Lists the breaches of a rule, or the nearest value if there are none. */
void output_print_breaches(const struct diff_output *output, const struct rule_result *result);
/* Begins the style of a row. The first change among self time, total time, calls and time per call decides: warning if
 * worse, good if better, dim if nothing changed. Ended by text_end(). */
void output_begin_row(const struct diff_output *output, const struct compare_row *row);

/* Prints the call graph as text, one entry per changed row: callers above, callees below, old and new values side by
 * side. */
enum status output_print_graph(const struct diff_output *output, struct error *error);

#endif
