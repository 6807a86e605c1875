/* SPDX-License-Identifier: MIT */
/* See report_filters.h. */
#include "command/report_filters.h"

#include <stdio.h>
#include <stdlib.h>

#define BIT(list) (1u << (list))

/* Which lists a function goes to, for or against. */
static const struct row {
	int option;
	const char *name;
	unsigned included, excluded;
} rows[] = {
        {OPTION_FOCUS, "focus", BIT(FILTER_GRAPH) | BIT(FILTER_TIME), 0},
        {OPTION_HIDE, "hide", 0, BIT(FILTER_FLAT) | BIT(FILTER_GRAPH) | BIT(FILTER_TIME)},
        {OPTION_FLAT_ONLY, "flat-only", BIT(FILTER_FLAT), 0},
        {OPTION_ONLY_ARC, "only-arc", 0, 0},
        {OPTION_EXCLUDE_ARC, "exclude-arc", 0, 0},
};

static const struct row *find_row(int option)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].option == option)
			return &rows[i];
	return NULL;
}

static enum status note(struct report_filters *taken, const struct row *row, const char *value, struct error *error)
{
	char *text = NULL;
	const char *before = taken->text != NULL ? taken->text : "";
	if (asprintf(&text, "%s%s--%s=%s", before, before[0] != '\0' ? " " : "", row->name, value) < 0)
		return status_fail(error, "out of memory for --%s", row->name);
	free(taken->text);
	taken->text = text;
	return STATUS_OK;
}

static enum status add(struct filters *filters, const struct row *row, const char *value, struct error *error)
{
	enum status status = STATUS_OK;
	if (row->included == 0 && row->excluded == 0)
		return filters_add_arc(filters, row->option == OPTION_EXCLUDE_ARC, value, error);
	for (unsigned list = 0; status == STATUS_OK && list < FILTER_LIST_COUNT; list++)
		if (((row->included | row->excluded) & BIT(list)) != 0)
			status = filters_add(filters, (enum filter_list)list, row->excluded != 0, value, error);
	return status;
}

enum status report_filters_take(int option, const char *value, struct report_filters *taken, bool *is_taken,
                                struct error *error)
{
	const struct row *row = find_row(option);
	*is_taken = row != NULL;
	if (row == NULL)
		return STATUS_OK;
	if (taken->filters == NULL)
		taken->filters = filters_create();
	if (taken->filters == NULL)
		return status_fail(error, "out of memory for --%s", row->name);
	enum status status = add(taken->filters, row, value, error);
	return status == STATUS_OK ? note(taken, row, value, error) : status;
}

void report_filters_free(struct report_filters *taken)
{
	filters_free(taken->filters);
	free(taken->text);
}

enum status report_filters_check(const struct report_filters *taken, const char *firmware, struct error *error)
{
	const char *idle = taken->filters != NULL ? filters_idle(taken->filters) : NULL;
	if (idle == NULL)
		return STATUS_OK;
	return status_fail(error, "%s: '%.80s' names no function of it", firmware, idle);
}
