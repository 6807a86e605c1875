/* SPDX-License-Identifier: MIT */
/* The filter of rows by name: a text in either case, or /EXPRESSION/. */
#ifndef TOP_FILTER_H
#define TOP_FILTER_H

#include <regex.h>
#include <stdbool.h>

#define TOP_FILTER_MAX 128

/* All zero: no filter. */
struct top_filter {
	char text[TOP_FILTER_MAX]; /* as typed; longer ones are cut */
	bool is_expression;        /* an extended regular expression of POSIX, in expression */
	regex_t expression;
};

/* Replaces the filter; an empty text removes it. Returns false, and sets no filter, if text is not a valid expression,
 * or would take too much memory because of its repetitions. */
bool top_filter_set(struct top_filter *filter, const char *text);
bool top_filter_matches(const struct top_filter *filter, const char *name);
void top_filter_free(struct top_filter *filter);

#endif
