/* SPDX-License-Identifier: MIT */
/* The set of rules, from the command line and from files. */
#include "diff/rules/rules.h"

#include "base/array.h"
#include "base/file/file.h"
#include "diff/rules/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULES_MAX     10000
#define RULE_SIZE_MAX ((size_t)64 * 1024)
#define FILE_MAX      ((size_t)16 * 1024 * 1024)

static void free_rule(struct rule *rule)
{
	free(rule->text);
	free(rule->origin);
	free(rule->pattern);
}

static enum status read_rule(struct rule *rule, const char *origin, const char *text, struct error *error)
{
	const char *first = text + strspn(text, RULE_BLANKS);
	size_t length = strlen(first);

	while (length > 0 && strchr(RULE_BLANKS, first[length - 1]) != NULL)
		length--;
	*rule = (struct rule){.text = strndup(first, length), .origin = strdup(origin)};
	if (rule->text == NULL || rule->origin == NULL)
		return status_no_memory(error, origin);
	return rule_read(rule, error);
}

enum status rule_set_add(struct rule_set *set, const char *origin, const char *text, struct error *error)
{
	if (set->count == RULES_MAX)
		return status_usage(error, "%s: more than %d rules", origin, RULES_MAX);
	if (strnlen(text, RULE_SIZE_MAX) == RULE_SIZE_MAX)
		return status_usage(error, "%s: the rule has %zu bytes or more", origin, RULE_SIZE_MAX);
	struct rule *rules = array_reserve(set->rules, sizeof *rules, set->count);
	if (rules == NULL)
		return status_no_memory(error, origin);
	set->rules = rules;
	struct rule *rule = &rules[set->count];
	enum status status = read_rule(rule, origin, text, error);
	if (status == STATUS_OK)
		set->count++;
	else
		free_rule(rule);
	return status;
}

/* The start of a comment. Names may contain #, so it counts only at the beginning or after a blank. */
static size_t find_rule_comment(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (line[i] == '#' && (i == 0 || strchr(RULE_BLANKS, line[i - 1]) != NULL))
			return i;
	return length;
}

static enum status add_rule_of_line(struct rule_set *set, const char *name, size_t number, const char *line,
                                    size_t length, struct error *error)
{
	char *text = strndup(line, find_rule_comment(line, length)), *origin = NULL;
	enum status status = STATUS_OK;

	if (asprintf(&origin, "%s:%zu", name, number) < 0)
		origin = NULL;
	if (text == NULL || origin == NULL)
		status = status_no_memory(error, name);
	else if (text[strspn(text, RULE_BLANKS)] != '\0')
		status = rule_set_add(set, origin, text, error);
	free(text);
	free(origin);
	return status;
}

enum status rule_set_add_lines(struct rule_set *set, const char *name, const char *text, size_t size,
                               struct error *error)
{
	enum status status = STATUS_OK;
	const char *zero = memchr(text, '\0', size);

	if (zero != NULL)
		return status_usage(error, "%s: not a file of rules: zero byte at offset %zu", name,
		                    (size_t)(zero - text));
	size_t before = set->count, number = 1;
	for (size_t at = 0; status == STATUS_OK && at < size; number++) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = end == NULL ? size - at : (size_t)(end - text) - at;

		status = add_rule_of_line(set, name, number, text + at, length, error);
		at += length + 1;
	}
	/* A file without rules is more likely a mistake than a wish to check nothing. */
	if (status == STATUS_OK && set->count == before)
		return status_usage(error, "%s: contains no rule", name);
	return status;
}

enum status rule_set_add_file(struct rule_set *set, const char *path, struct error *error)
{
	uint8_t *bytes = NULL;
	size_t size = 0;
	enum status status = file_read_limited(path, FILE_MAX, &bytes, &size, error);

	if (status == STATUS_OK)
		status = rule_set_add_lines(set, strcmp(path, "-") == 0 ? "standard input" : path, (const char *)bytes,
		                            size, error);
	free(bytes);
	return status;
}

void rule_set_free(struct rule_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free_rule(&set->rules[i]);
	free(set->rules);
	*set = (struct rule_set){0};
}
