/* SPDX-License-Identifier: MIT */
/* Limits of rules: numbers with signs and units. */
#include "diff/rules/rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A number stands for number * times / per: in this order it is as exact as it can be. */
struct unit {
	const char *name;
	enum dimension dimension;
	double times, per;
	enum profile_time_unit time_unit;
	bool is_change_only; /* except for shares, which are themselves in % */
};

static const struct unit units[] = {
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

/* Digits with at most one point among them: strtod() alone takes more. */
static enum status read_number(struct rule_reader *reader, double *number)
{
	size_t length = strspn(reader->at, "0123456789.");
	char *end = NULL;
	*number = strtod(reader->at, &end);
	if (length == 0 || end != reader->at + length || !isfinite(*number))
		return rule_unexpected(reader, "a number such as +5% or 3.5ms");
	reader->at = end;
	rule_skip_blanks(reader);
	return STATUS_OK;
}

/* Calls have no unit, so what is next may be the word after the limit. */
static size_t unit_length(const char *text)
{
	size_t length = *text == '%' ? 1 : strcspn(text, RULE_BLANKS);
	return length == strlen("and") && strncmp(text, "and", length) == 0 ? 0 : length;
}

static const struct unit *find_unit(const char *text, enum dimension dimension)
{
	size_t length = unit_length(text);
	for (size_t i = 0; i < COUNT(units); i++)
		if ((units[i].dimension == dimension || units[i].dimension == DIMENSION_ANY) &&
		    strlen(units[i].name) == length && strncmp(units[i].name, text, length) == 0)
			return &units[i];
	return NULL;
}

static enum status fail_unsigned(const struct rule_reader *reader, double number, const struct unit *unit,
                                 bool is_below)
{
	char expected[80];
	snprintf(expected, sizeof expected, "a sign, as in %c%.15g%s,", is_below ? '-' : '+', number, unit->name);
	return rule_unexpected(reader, expected);
}

enum status rule_read_limit(struct rule_reader *reader, enum compare_quantity quantity, bool is_below,
                            struct rule_limit *limit)
{
	rule_skip_blanks(reader);
	struct rule_reader first = *reader;
	char sign = *reader->at == '+' || *reader->at == '-' ? *reader->at++ : '\0';
	rule_skip_blanks(reader);
	double number = 0;
	enum status status = read_number(reader, &number);
	if (status != STATUS_OK)
		return status;
	const struct unit *unit = find_unit(reader->at, dimension_of[quantity]);
	if (unit == NULL)
		return rule_unexpected(reader, units_of[dimension_of[quantity]]);
	if (sign == '\0' && unit->is_change_only)
		return fail_unsigned(&first, number, unit, is_below);
	reader->at += strlen(unit->name);
	bool is_ratio = sign != '\0' && strcmp(unit->name, "%") == 0;
	if (is_ratio && sign == '-' && number > 100)
		return rule_unexpected(&first, "at least -100%");
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
