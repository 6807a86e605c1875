/* SPDX-License-Identifier: MIT */
/* See filters.h. There are few rules, so each symbol is compared with all of them. */
#include "profile/filters.h"

#include "base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A parsed symspec. Missing fields are NULL or 0, and match everything. */
struct symspec {
	const char *name, *file; /* they point into text */
	long line;
	char *text;
	char *given; /* a copy of text before it was split */
};

struct function_rule {
	struct symspec symspec;
	enum filter_list list;
	bool exclude;
	bool is_seen; /* some symbol matched */
};

struct arc_rule {
	struct symspec caller, callee;
	bool exclude;
	bool is_seen, callee_is_seen; /* some symbol matched the caller, the callee */
	bool arc_is_seen;
};

struct filters {
	struct function_rule *functions;
	size_t function_count;
	struct arc_rule *arcs;
	size_t arc_count;
};

struct filters *filters_create(void)
{
	return calloc(1, sizeof(struct filters));
}

static void symspec_free(struct symspec *symspec)
{
	free(symspec->text);
	free(symspec->given);
}

void filters_free(struct filters *filters)
{
	if (filters == NULL)
		return;
	for (size_t i = 0; i < filters->function_count; i++)
		symspec_free(&filters->functions[i].symspec);
	for (size_t i = 0; i < filters->arc_count; i++) {
		symspec_free(&filters->arcs[i].caller);
		symspec_free(&filters->arcs[i].callee);
	}
	free(filters->functions);
	free(filters->arcs);
	free(filters);
}

size_t filters_find_name(const char *symspec, size_t length)
{
	size_t start = 0;

	for (size_t i = 0; i < length; i++) {
		if (symspec[i] != ':')
			continue;
		if (i + 1 < length && symspec[i + 1] == ':')
			i++;
		else
			start = i + 1;
	}
	return start;
}

static void take_function_or_line(struct symspec *symspec, const char *text)
{
	if (isdigit((unsigned char)text[0]))
		symspec->line = strtol(text, NULL, 10);
	else if (text[0] != '\0')
		symspec->name = text;
}

/* False when out of memory; *symspec must be freed even then. */
static bool parse_symspec(struct symspec *symspec, const char *text, size_t length)
{
	*symspec = (struct symspec){.text = strndup(text, length), .given = strndup(text, length)};
	if (symspec->text == NULL || symspec->given == NULL)
		return false;
	size_t name = filters_find_name(symspec->text, strlen(symspec->text));
	if (name > 0) {
		symspec->text[name - 1] = '\0';
		symspec->file = symspec->text[0] != '\0' ? symspec->text : NULL;
		take_function_or_line(symspec, symspec->text + name);
	} else if (strchr(symspec->text, '.') != NULL && !isdigit((unsigned char)text[0])) {
		symspec->file = symspec->text;
	} else {
		take_function_or_line(symspec, symspec->text);
	}
	return true;
}

enum status filters_add(struct filters *filters, enum filter_list list, bool exclude, const char *symspec,
                        struct error *error)
{
	struct function_rule rule = {.list = list, .exclude = exclude};

	if (parse_symspec(&rule.symspec, symspec, strlen(symspec)) &&
	    array_append(&filters->functions, &filters->function_count, &rule, sizeof rule))
		return STATUS_OK;
	symspec_free(&rule.symspec);
	return status_no_memory(error, symspec);
}

enum status filters_add_arc(struct filters *filters, bool exclude, const char *pair, struct error *error)
{
	struct arc_rule rule = {.exclude = exclude};
	const char *slash = strchr(pair, '/');

	if (slash == NULL)
		return status_usage(error, "'%.80s' names no arc: expected FROM/TO", pair);
	if (parse_symspec(&rule.caller, pair, (size_t)(slash - pair)) &&
	    parse_symspec(&rule.callee, slash + 1, strlen(slash + 1)) &&
	    array_append(&filters->arcs, &filters->arc_count, &rule, sizeof rule))
		return STATUS_OK;
	symspec_free(&rule.caller);
	symspec_free(&rule.callee);
	return status_no_memory(error, pair);
}

/* A file is named by its path or, without a slash, by the last part of it. */
static bool is_file(const char *wanted, const char *file)
{
	const char *slash = strrchr(file, '/');

	return strcmp(wanted, file) == 0 ||
	       (strchr(wanted, '/') == NULL && slash != NULL && strcmp(wanted, slash + 1) == 0);
}

static bool symspec_matches(const struct symspec *symspec, const struct filter_symbol *symbol)
{
	if (symspec->name != NULL && strcmp(symspec->name, symbol->name) != 0)
		return false;
	if (symspec->line != 0 && symspec->line != symbol->line)
		return false;
	return symspec->file == NULL || (symbol->file != NULL && is_file(symspec->file, symbol->file));
}

struct filter_marks filters_match(struct filters *filters, const struct filter_symbol *symbol)
{
	struct filter_marks marks = {0};

	for (size_t i = 0; i < filters->function_count; i++) {
		struct function_rule *rule = &filters->functions[i];
		uint8_t *lists = rule->exclude ? &marks.excluded : &marks.included;

		if (!symspec_matches(&rule->symspec, symbol))
			continue;
		*lists |= (uint8_t)(1u << rule->list);
		rule->is_seen = true;
	}
	for (size_t i = 0; i < filters->arc_count; i++) {
		struct arc_rule *rule = &filters->arcs[i];

		rule->is_seen |= symspec_matches(&rule->caller, symbol);
		rule->callee_is_seen |= symspec_matches(&rule->callee, symbol);
	}
	return marks;
}

const char *filters_first_unmatched(const struct filters *filters)
{
	for (size_t i = 0; i < filters->function_count; i++)
		if (!filters->functions[i].is_seen)
			return filters->functions[i].symspec.given;
	for (size_t i = 0; i < filters->arc_count; i++) {
		const struct arc_rule *rule = &filters->arcs[i];

		if (!rule->is_seen || !rule->callee_is_seen)
			return rule->is_seen ? rule->callee.given : rule->caller.given;
	}
	return NULL;
}

static bool names_place(const struct symspec *symspec)
{
	return symspec->file != NULL || symspec->line != 0;
}

bool filters_need_locations(const struct filters *filters)
{
	bool named = false;

	for (size_t i = 0; i < filters->function_count; i++)
		named |= names_place(&filters->functions[i].symspec);
	for (size_t i = 0; i < filters->arc_count; i++)
		named |= names_place(&filters->arcs[i].caller) || names_place(&filters->arcs[i].callee);
	return named;
}

bool filters_matched_arc(const struct filters *filters, size_t rule)
{
	return filters->arcs[rule].arc_is_seen;
}

size_t filters_arc_rule_count(const struct filters *filters)
{
	return filters->arc_count;
}

bool filters_want_arc(struct filters *filters, const struct filter_symbol *caller, const struct filter_symbol *callee)
{
	bool any_included = false, included = false, excluded = false;

	for (size_t i = 0; i < filters->arc_count; i++) {
		struct arc_rule *rule = &filters->arcs[i];
		bool is_match = symspec_matches(&rule->caller, caller) && symspec_matches(&rule->callee, callee);

		rule->arc_is_seen |= is_match;
		any_included |= !rule->exclude && rule->is_seen;
		included |= !rule->exclude && is_match;
		excluded |= rule->exclude && is_match;
	}
	return any_included ? included : !excluded;
}
