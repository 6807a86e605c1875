/* SPDX-License-Identifier: MIT */
/* See filter.h. */
#include "top/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest expression, with its repetitions written out. */
#define EXPANDED_LENGTH_MAX 10000

void top_filter_free(struct top_filter *filter)
{
	if (filter->is_expression)
		regfree(&filter->expression);
	filter->is_expression = false;
	filter->text[0] = '\0';
}

/* "/x/" or longer. */
static bool has_slashes(const char *text)
{
	const size_t length = strlen(text);

	return length > 2 && text[0] == '/' && text[length - 1] == '/';
}

/* How often regcomp() writes out an expression before "+", "{3}", "{3,}" or "{3,5}" at text; 1 for any other
 * character. */
static double repetition_copies(const char *text)
{
	char *end;

	if (*text != '{')
		return *text == '+' ? 2 : 1;
	const double low = (double)strtoul(text + 1, &end, 10);
	const double high = *end == ',' ? (double)strtoul(end + 1, NULL, 10) : 0;
	return fmax(1, fmax(low, high));
}

/* Whether a pattern is too long with its repetitions written out, as regcomp() does, whose memory can grow with the
 * square of the length. The estimate is an upper limit: it treats all repetitions as nested. */
static bool is_too_long(const char *pattern)
{
	double length = (double)strlen(pattern);

	for (const char *at = pattern; *at != '\0'; at++) {
		if (at[0] == '\\' && at[1] != '\0')
			at++; /* an ordinary character */
		else
			length *= repetition_copies(at);
	}
	return length > EXPANDED_LENGTH_MAX;
}

bool top_filter_set(struct top_filter *filter, const char *text)
{
	char pattern[TOP_FILTER_MAX];

	top_filter_free(filter);
	snprintf(filter->text, sizeof filter->text, "%s", text);
	if (!has_slashes(filter->text))
		return true;
	snprintf(pattern, sizeof pattern, "%.*s", (int)strlen(filter->text) - 2, filter->text + 1);
	filter->is_expression = !is_too_long(pattern) &&
	                        regcomp(&filter->expression, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0;
	if (!filter->is_expression)
		filter->text[0] = '\0';
	return filter->is_expression;
}

bool top_filter_matches(const struct top_filter *filter, const char *name)
{
	if (filter->is_expression)
		return regexec(&filter->expression, name, 0, NULL, 0) == 0;
	return strcasestr(name, filter->text) != NULL;
}
