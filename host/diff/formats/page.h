/* SPDX-License-Identifier: MIT */
/* The page for a terminal, and what its parts share. Private to formats/. */
#ifndef DIFF_FORMATS_PAGE_H
#define DIFF_FORMATS_PAGE_H

#include "diff/formats/columns.h"
#include "diff/formats/head.h"

struct page {
	const struct comparison *comparison;
	const struct rule_results *rules;
	const struct diff_output_options *options;
	const struct notes *notes;
	FILE *stream;
};

/* The name of a row with its note in parentheses. */
void page_print_name(const struct page *page, size_t row);
/* Begins the style of a row: a warning if it is worse, good if it is better, otherwise dim. Ended by text_end(). */
void page_begin_row(const struct page *page, const struct compare_row *row);

/* One entry per changed row: callers above, callees below, old and new values side by side. */
enum status page_print_graph(const struct page *page, struct error *error);

#endif
