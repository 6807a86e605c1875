/* SPDX-License-Identifier: MIT */
/* See filter.h. */
#include "top/filter.h"

#include <stdio.h>
#include <string.h>

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

bool top_filter_set(struct top_filter *filter, const char *text)
{
	char pattern[TOP_FILTER_MAX];

	top_filter_free(filter);
	snprintf(filter->text, sizeof filter->text, "%s", text);
	if (!has_slashes(filter->text))
		return true;
	snprintf(pattern, sizeof pattern, "%.*s", (int)strlen(filter->text) - 2, filter->text + 1);
	filter->is_expression = regcomp(&filter->expression, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0;
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
