/* SPDX-License-Identifier: MIT */
/* The parser of one rule. */
#include "diff/rules/rule.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads the word and blanks after it, if it is next. */
static bool read_word(struct rule_reader *reader, const char *word)
{
	size_t length = strlen(word);
	rule_skip_blanks(reader);
	if (strncmp(reader->at, word, length) != 0 || isalnum((unsigned char)reader->at[length]))
		return false;
	reader->at += length;
	rule_skip_blanks(reader);
	return true;
}

/* Names may contain parentheses, so the last closing one ends the pattern. NULL: it is missing. */
static const char *find_end(const char *text, bool is_point)
{
	const char *end = strrchr(text, ')');
	if (end == NULL || !is_point)
		return end;
	while (end > text && rule_is_blank(end[-1]))
		end--;
	return end > text && end[-1] == ')' ? end - 1 : NULL;
}

static enum status fail_unclosed(const struct rule_reader *reader)
{
	struct rule_reader behind = *reader;
	const char *last = strrchr(reader->at, ')');
	behind.at = last == NULL ? reader->at + strlen(reader->at) : last + 1;
	return rule_unexpected(&behind, last == NULL ? "')'" : "one more ')'");
}

static enum status keep_pattern(struct rule_reader *reader, const char *end, struct rule *rule)
{
	const char *first = reader->at;
	while (first < end && rule_is_blank(*first))
		first++;
	while (end > first && rule_is_blank(end[-1]))
		end--;
	if (end - first >= 2 && *first == '"' && end[-1] == '"') {
		first++;
		end--;
	}
	if (first == end)
		return rule_unexpected(reader, "the name of a function, or a pattern such as 'uart_*',");
	rule->pattern = strndup(first, (size_t)(end - first));
	if (rule->pattern == NULL)
		return status_fail(reader->error, "%s: out of memory for a rule", reader->origin);
	return STATUS_OK;
}

static enum status read_pattern(struct rule_reader *reader, struct rule *rule)
{
	if (*reader->at != '(')
		return rule_unexpected(reader, "'(' and the name of a function");
	const char *end = find_end(++reader->at, rule->is_point);
	if (end == NULL)
		return fail_unclosed(reader);
	enum status status = keep_pattern(reader, end, rule);
	reader->at = end + 1;
	return status;
}

/* Reads the left side: QUANTITY(PATTERN), size or time. */
static enum status read_subject(struct rule_reader *reader, struct rule *rule)
{
	if (read_word(reader, "time")) {
		rule->quantity = COMPARE_SELF;
		return STATUS_OK;
	}
	for (rule->quantity = 0; rule->quantity < COMPARE_QUANTITIES; rule->quantity++)
		if (read_word(reader, compare_quantity_name(rule->quantity)))
			return rule->quantity == COMPARE_SIZE && *reader->at != '(' ? STATUS_OK
			                                                            : read_pattern(reader, rule);
	return rule_unexpected(reader, "self, total, calls, percall, share, size, time or point");
}

static enum status read_left_side(struct rule_reader *reader, struct rule *rule)
{
	rule->is_point = read_word(reader, "point");
	if (rule->is_point && *reader->at != '(')
		return rule_unexpected(reader, "'('");
	reader->at += rule->is_point;
	enum status status = read_subject(reader, rule);
	rule_skip_blanks(reader);
	if (status != STATUS_OK || !rule->is_point)
		return status;
	if (*reader->at != ')')
		return rule_unexpected(reader, "')'");
	reader->at++;
	rule_skip_blanks(reader);
	return STATUS_OK;
}

static enum status read_operator(struct rule_reader *reader, struct rule *rule)
{
	if (*reader->at != '<' && *reader->at != '>')
		return rule_unexpected(reader, "<, >, <= or >=");
	rule->is_below = *reader->at++ == '<';
	rule->takes_limit = *reader->at == '=';
	reader->at += rule->takes_limit;
	return STATUS_OK;
}

static enum status read_end(struct rule_reader *reader, struct rule *rule)
{
	rule->is_significant = read_word(reader, "and");
	if (rule->is_significant && !read_word(reader, "significant"))
		return rule_unexpected(reader, "'significant'");
	rule_skip_blanks(reader);
	return *reader->at == '\0' ? STATUS_OK
	                           : rule_unexpected(reader, rule->is_significant ? "nothing more"
	                                                                          : "'and significant' or nothing");
}

enum status rule_read_rule(struct rule *rule, struct error *error)
{
	struct rule_reader reader = {.origin = rule->origin, .text = rule->text, .at = rule->text, .error = error};
	enum status status = read_left_side(&reader, rule);
	if (status == STATUS_OK)
		status = read_operator(&reader, rule);
	if (status == STATUS_OK)
		status = rule_read_limit(&reader, rule->quantity, rule->is_below, &rule->limit);
	if (status == STATUS_OK)
		status = read_end(&reader, rule);
	return status;
}
