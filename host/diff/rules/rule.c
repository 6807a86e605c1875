/* SPDX-License-Identifier: MIT */
/* The parser of one rule. */
#include "diff/rules/rule.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The unread rest of a rule. */
struct rule_reader {
	const char *origin, *text;
	const char *at;
	struct error *error;
};

/* The number of characters of a rule, and of its unread rest, that a message shows. */
#define SHOWN_MAX 60
#define LEFT_MAX  20

/* Fails with a usage error that reports the expectation and shows the text found. */
static enum status fail_unexpected(const struct rule_reader *reader, const char *expected)
{
	const char *more = strlen(reader->text) > SHOWN_MAX ? "..." : "";

	if (*reader->at == '\0')
		return status_usage(reader->error, "%s: rule '%.*s%s': expected %s at its end", reader->origin,
		                    SHOWN_MAX, reader->text, more, expected);

	return status_usage(reader->error, "%s: rule '%.*s%s': expected %s at '%.*s%s'", reader->origin, SHOWN_MAX,
	                    reader->text, more, expected, LEFT_MAX, reader->at,
	                    strlen(reader->at) > LEFT_MAX ? "..." : "");
}

static bool is_blank(char character)
{
	return character != '\0' && strchr(RULE_BLANKS, character) != NULL;
}

static void skip_blanks(struct rule_reader *reader)
{
	while (is_blank(*reader->at))
		reader->at++;
}

/* --- Limits: numbers with signs and units. */

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum dimension { DIMENSION_TIME, DIMENSION_CALLS, DIMENSION_PART, DIMENSION_BYTES, DIMENSION_ANY };

static const enum dimension dimension_of[COMPARE_QUANTITIES] = {
        [COMPARE_SELF] = DIMENSION_TIME,          [COMPARE_TOTAL] = DIMENSION_TIME, [COMPARE_CALLS] = DIMENSION_CALLS,
        [COMPARE_PER_CALL_TIME] = DIMENSION_TIME, [COMPARE_SHARE] = DIMENSION_PART, [COMPARE_SIZE] = DIMENSION_BYTES,
};

static const char *const units_of[] = {
        [DIMENSION_TIME] = "a unit of time (ns, us, ms, s, samples), or % after a sign,",
        [DIMENSION_CALLS] = "no unit, or % after a sign,",
        [DIMENSION_PART] = "%, or pp after a sign,",
        [DIMENSION_BYTES] = "B, KB (1000 B) or KiB (1024 B), or % after a sign,",
};

/* A unit. The value of a number is number * times / per; this order rounds least. */
struct rule_unit {
	const char *name;
	enum dimension dimension;
	double times, per;
	enum profile_time_unit time_unit;
	bool is_change_only; /* only for changes, except for shares, whose values are in %, too */
};

static const struct rule_unit units[] = {
        {.name = "ns", .dimension = DIMENSION_TIME, .times = 1, .per = 1e9},
        {.name = "us", .dimension = DIMENSION_TIME, .times = 1, .per = 1e6},
        {.name = "ms", .dimension = DIMENSION_TIME, .times = 1, .per = 1e3},
        {.name = "s", .dimension = DIMENSION_TIME, .times = 1, .per = 1},
        {.name = "samples", .dimension = DIMENSION_TIME, .times = 1, .per = 1, .time_unit = PROFILE_SAMPLES},
        {.name = "", .dimension = DIMENSION_CALLS, .times = 1, .per = 1},
        {.name = "%", .dimension = DIMENSION_PART, .times = 1, .per = 100},
        {.name = "pp", .dimension = DIMENSION_PART, .times = 1, .per = 100, .is_change_only = true},
        {.name = "B", .dimension = DIMENSION_BYTES, .times = 1, .per = 1},
        {.name = "KB", .dimension = DIMENSION_BYTES, .times = 1000, .per = 1},
        {.name = "KiB", .dimension = DIMENSION_BYTES, .times = 1024, .per = 1},
        {.name = "%", .dimension = DIMENSION_ANY, .times = 1, .per = 100, .is_change_only = true},
};

/* Reads digits with at most one point among them, because strtod() also accepts other forms. */
static enum status read_limit_number(struct rule_reader *reader, double *number)
{
	size_t length = strspn(reader->at, "0123456789.");
	char *end = NULL;

	*number = strtod(reader->at, &end);
	if (length == 0 || end != reader->at + length || !isfinite(*number))
		return fail_unexpected(reader, "a number such as +5% or 3.5ms");
	reader->at = end;
	skip_blanks(reader);
	return STATUS_OK;
}

/* The length of the unit, which may be 0: calls have no unit, so the next word may follow the number. */
static size_t unit_length(const char *text)
{
	size_t length = *text == '%' ? 1 : strcspn(text, RULE_BLANKS);

	return length == strlen("and") && strncmp(text, "and", length) == 0 ? 0 : length;
}

static const struct rule_unit *find_rule_unit(const char *text, enum dimension dimension)
{
	size_t length = unit_length(text);

	for (size_t i = 0; i < COUNT(units); i++)
		if ((units[i].dimension == dimension || units[i].dimension == DIMENSION_ANY) &&
		    strlen(units[i].name) == length && strncmp(units[i].name, text, length) == 0)
			return &units[i];
	return NULL;
}

static enum status fail_unsigned(const struct rule_reader *reader, double number, const struct rule_unit *unit,
                                 bool is_below)
{
	char expected[80];

	snprintf(expected, sizeof expected, "a sign, as in %c%.15g%s,", is_below ? '-' : '+', number, unit->name);
	return fail_unexpected(reader, expected);
}

/* Reads the limit after an operator: a number with sign and unit, which must fit the quantity. */
static enum status read_limit(struct rule_reader *reader, enum compare_quantity quantity, bool is_below,
                              struct rule_limit *limit)
{
	skip_blanks(reader);
	struct rule_reader first = *reader;
	char sign = *reader->at == '+' || *reader->at == '-' ? *reader->at++ : '\0';
	skip_blanks(reader);
	double number = 0;
	enum status status = read_limit_number(reader, &number);
	if (status != STATUS_OK)
		return status;
	const struct rule_unit *unit = find_rule_unit(reader->at, dimension_of[quantity]);
	if (unit == NULL)
		return fail_unexpected(reader, units_of[dimension_of[quantity]]);
	if (sign == '\0' && unit->is_change_only)
		return fail_unsigned(&first, number, unit, is_below);
	reader->at += strlen(unit->name);
	bool is_ratio = sign != '\0' && strcmp(unit->name, "%") == 0;
	if (is_ratio && sign == '-' && number > 100)
		return fail_unexpected(&first, "at least -100%");
	double value = (sign == '-' ? -number : number) * unit->times / unit->per;
	*limit = (struct rule_limit){
	        .measure = sign == '\0' ? RULE_VALUE
	                   : is_ratio   ? RULE_RATIO
	                                : RULE_DIFFERENCE,
	        .value = is_ratio ? 1 + value : value,
	        .is_time = dimension_of[quantity] == DIMENSION_TIME && !is_ratio,
	        .time_unit = unit->time_unit,
	};
	return STATUS_OK;
}

/* --- Rules. */

/* Reads the word and blanks after it, if it is next. */
static bool skip_if_word(struct rule_reader *reader, const char *word)
{
	size_t length = strlen(word);

	skip_blanks(reader);
	if (strncmp(reader->at, word, length) != 0 || isalnum((unsigned char)reader->at[length]))
		return false;
	reader->at += length;
	skip_blanks(reader);
	return true;
}

/* Names may contain parentheses, so the last closing one ends the pattern. NULL: it is missing. */
static const char *find_end(const char *text, bool is_point)
{
	const char *end = strrchr(text, ')');

	if (end == NULL || !is_point)
		return end;
	while (end > text && is_blank(end[-1]))
		end--;
	return end > text && end[-1] == ')' ? end - 1 : NULL;
}

static enum status fail_unclosed(const struct rule_reader *reader)
{
	struct rule_reader behind = *reader;
	const char *last = strrchr(reader->at, ')');

	behind.at = last == NULL ? reader->at + strlen(reader->at) : last + 1;
	return fail_unexpected(&behind, last == NULL ? "')'" : "one more ')'");
}

static enum status keep_pattern(struct rule_reader *reader, const char *end, struct rule *rule)
{
	const char *first = reader->at;

	while (first < end && is_blank(*first))
		first++;
	while (end > first && is_blank(end[-1]))
		end--;
	if (end - first >= 2 && *first == '"' && end[-1] == '"') {
		first++;
		end--;
	}
	if (first == end)
		return fail_unexpected(reader, "the name of a function, or a pattern such as 'uart_*',");
	rule->pattern = strndup(first, (size_t)(end - first));
	if (rule->pattern == NULL)
		return status_no_memory(reader->error, reader->origin);
	return STATUS_OK;
}

static enum status read_pattern(struct rule_reader *reader, struct rule *rule)
{
	if (*reader->at != '(')
		return fail_unexpected(reader, "'(' and the name of a function");
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
	if (skip_if_word(reader, "time")) {
		rule->quantity = COMPARE_SELF;
		return STATUS_OK;
	}
	for (rule->quantity = 0; rule->quantity < COMPARE_QUANTITIES; rule->quantity++)
		if (skip_if_word(reader, compare_quantity_name(rule->quantity)))
			return rule->quantity == COMPARE_SIZE && *reader->at != '(' ? STATUS_OK
			                                                            : read_pattern(reader, rule);
	return fail_unexpected(reader, "self, total, calls, percall, share, size, time or point");
}

static enum status read_left_side(struct rule_reader *reader, struct rule *rule)
{
	rule->is_point = skip_if_word(reader, "point");
	if (rule->is_point && *reader->at != '(')
		return fail_unexpected(reader, "'('");
	reader->at += rule->is_point;
	enum status status = read_subject(reader, rule);
	skip_blanks(reader);
	if (status != STATUS_OK || !rule->is_point)
		return status;
	if (*reader->at != ')')
		return fail_unexpected(reader, "')'");
	reader->at++;
	skip_blanks(reader);
	return STATUS_OK;
}

static enum status read_operator(struct rule_reader *reader, struct rule *rule)
{
	if (*reader->at != '<' && *reader->at != '>')
		return fail_unexpected(reader, "<, >, <= or >=");

	rule->is_below = *reader->at++ == '<';
	rule->takes_limit = *reader->at == '=';
	reader->at += rule->takes_limit;
	return STATUS_OK;
}

static enum status read_end(struct rule_reader *reader, struct rule *rule)
{
	rule->is_significant = skip_if_word(reader, "and");
	if (rule->is_significant && !skip_if_word(reader, "significant"))
		return fail_unexpected(reader, "'significant'");
	skip_blanks(reader);
	return *reader->at == '\0' ? STATUS_OK
	                           : fail_unexpected(reader, rule->is_significant ? "nothing more"
	                                                                          : "'and significant' or nothing");
}

enum status rule_read(struct rule *rule, struct error *error)
{
	struct rule_reader reader = {.origin = rule->origin, .text = rule->text, .at = rule->text, .error = error};
	enum status status = read_left_side(&reader, rule);

	if (status == STATUS_OK)
		status = read_operator(&reader, rule);
	if (status == STATUS_OK)
		status = read_limit(&reader, rule->quantity, rule->is_below, &rule->limit);
	if (status == STATUS_OK)
		status = read_end(&reader, rule);
	return status;
}
