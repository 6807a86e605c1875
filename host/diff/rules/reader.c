/* SPDX-License-Identifier: MIT */
/* The text of a rule while it is read. */
#include "diff/rules/rule.h"

#include <string.h>

/* The number of characters of a rule, and of its unread rest, that a message shows. */
#define SHOWN_MAX 60
#define LEFT_MAX  20

enum status rule_unexpected(const struct rule_reader *reader, const char *expected)
{
	const char *more = strlen(reader->text) > SHOWN_MAX ? "..." : "";
	if (*reader->at == '\0')
		return status_usage(reader->error, "%s: rule '%.*s%s': expected %s at its end", reader->origin,
		                    SHOWN_MAX, reader->text, more, expected);
	return status_usage(reader->error, "%s: rule '%.*s%s': expected %s at '%.*s%s'", reader->origin, SHOWN_MAX,
	                    reader->text, more, expected, LEFT_MAX, reader->at,
	                    strlen(reader->at) > LEFT_MAX ? "..." : "");
}

bool rule_is_blank(char character)
{
	return character != '\0' && strchr(RULE_BLANKS, character) != NULL;
}

void rule_skip_blanks(struct rule_reader *reader)
{
	while (rule_is_blank(*reader->at))
		reader->at++;
}
