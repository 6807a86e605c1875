/* SPDX-License-Identifier: MIT */
/* See report_filters.h. */
#include "command/report_filters.h"

#include "base/array.h"
#include "base/text/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIT(list) (1u << (list))
#define DIGITS    "0123456789"

/* The lists to which an option adds a function as included or excluded. Options for arcs have no lists. */
struct lists {
	unsigned included, excluded;
	bool excludes_arcs;
};

/* One option as given. */
struct report_filter {
	const struct command_option *row;
	const char *value;
	size_t first_rule, end_rule; /* range of its rules for arcs */
};

static const struct lists *lists_of(const struct command_option *row)
{
	return row->detail;
}

/* Appends an option to *text, which is allocated, or NULL if empty. */
static enum status note_option_text(char **text, const struct command_option *row, const char *value,
                                    struct error *error)
{
	char *longer = NULL;
	const char *before = *text != NULL ? *text : "";

	if (asprintf(&longer, "%s%s--%s=%s", before, before[0] != '\0' ? " " : "", row->name, value) < 0)
		return status_fail(error, "out of memory for --%s", row->name);
	free(*text);
	*text = longer;
	return STATUS_OK;
}

/* Limits the work: each symspec is compared with every symbol. */
#define SAME_NAME_MAX 64

/* The symspecs for one F of an option, one per function of this name. */
struct symspecs {
	char *items[SAME_NAME_MAX];
	size_t count;
};

static void symspecs_free(struct symspecs *symspecs)
{
	for (size_t i = 0; i < symspecs->count; i++)
		free(symspecs->items[i]);
}

static bool has_symspec(const struct symspecs *symspecs, const char *symspec)
{
	for (size_t i = 0; i < symspecs->count; i++)
		if (strcmp(symspecs->items[i], symspec) == 0)
			return true;
	return false;
}

static enum status add_symspec(struct symspecs *symspecs, const char *text, char *symspec, struct error *error)
{
	if (symspec == NULL)
		return status_no_memory(error, text);
	if (has_symspec(symspecs, symspec)) {
		free(symspec);
		return STATUS_OK;
	}
	if (symspecs->count == SAME_NAME_MAX) {
		free(symspec);
		return status_fail(error, "'%.80s' names more than %d functions: name one as --no-demangle prints it",
		                   text, SAME_NAME_MAX);
	}
	symspecs->items[symspecs->count++] = symspec;
	return STATUS_OK;
}

/* The functions among which names are looked up. */
struct function_lookup {
	const struct image *image;
	struct demangler *demangler;
};

/* Adds ":NAME", with the name in the ELF, for each function that has the given name only when demangled. A name in the
 * ELF, or a name that matches nothing, is added unchanged. */
static enum status resolve_symspec(const struct function_lookup *functions, const char *text, struct symspecs *symspecs,
                                   struct error *error)
{
	const struct image *image = functions->image;
	size_t start = filters_find_name(text, strlen(text));
	const char *name = text + start;
	bool is_exact = false;
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && name[0] != '\0' && i < image->function_count; i++) {
		const char *symbol = image->functions[i].name;
		char *symspec = NULL;

		is_exact |= strcmp(symbol, name) == 0;
		if (strcmp(symbol, name) == 0 || !demangler_matches(functions->demangler, symbol, name))
			continue;
		if (asprintf(&symspec, "%.*s:%s", start > 0 ? (int)start - 1 : 0, text, symbol) < 0)
			symspec = NULL;
		status = add_symspec(symspecs, text, symspec, error);
	}
	if (status == STATUS_OK && (is_exact || symspecs->count == 0))
		status = add_symspec(symspecs, text, strdup(text), error);
	return status;
}

static enum status add_function_filter(struct filters *filters, const struct command_option *row, const char *symspec,
                                       struct error *error)
{
	const struct lists *lists = lists_of(row);
	enum status status = STATUS_OK;

	for (unsigned list = 0; status == STATUS_OK && list < FILTER_LIST_COUNT; list++)
		if (((lists->included | lists->excluded) & BIT(list)) != 0)
			status = filters_add(filters, (enum filter_list)list, lists->excluded != 0, symspec, error);
	return status;
}

static enum status add_function_filters(struct filters *filters, const struct report_filter *given,
                                        const struct function_lookup *functions, struct error *error)
{
	struct symspecs symspecs = {0};
	enum status status = resolve_symspec(functions, given->value, &symspecs, error);

	for (size_t i = 0; status == STATUS_OK && i < symspecs.count; i++)
		status = add_function_filter(filters, given->row, symspecs.items[i], error);
	symspecs_free(&symspecs);
	return status;
}

static enum status add_arc_filter(struct filters *filters, const struct command_option *row, const char *caller,
                                  const char *callee, struct error *error)
{
	char *pair = NULL;

	if (asprintf(&pair, "%s/%s", caller, callee) < 0)
		return status_fail(error, "out of memory for --%s", row->name);
	enum status status = filters_add_arc(filters, lists_of(row)->excludes_arcs, pair, error);
	free(pair);
	return status;
}

/* The slash of F/G, skipping those in names of C++ operators. */
static const char *find_slash(const char *pair)
{
	static const char operator_name[] = "operator";
	const size_t length = sizeof operator_name - 1;
	const char *slash = strchr(pair, '/');

	while (slash != NULL && (size_t)(slash - pair) >= length && memcmp(slash - length, operator_name, length) == 0)
		slash = strchr(slash + 1, '/');
	return slash;
}

static enum status add_arc_filters(struct filters *filters, const struct report_filter *given,
                                   const struct function_lookup *functions, struct error *error)
{
	struct symspecs callers = {0}, callees = {0};
	const char *slash = find_slash(given->value);
	char *caller = strndup(given->value, (size_t)(slash - given->value));
	enum status status = caller != NULL ? resolve_symspec(functions, caller, &callers, error)
	                                    : status_fail(error, "out of memory for --%s", given->row->name);

	if (status == STATUS_OK)
		status = resolve_symspec(functions, slash + 1, &callees, error);
	for (size_t i = 0; i < callers.count; i++)
		for (size_t j = 0; status == STATUS_OK && j < callees.count; j++)
			status = add_arc_filter(filters, given->row, callers.items[i], callees.items[j], error);
	free(caller);
	symspecs_free(&callers);
	symspecs_free(&callees);
	return status;
}

static bool is_of_arcs(const struct command_option *row)
{
	return lists_of(row)->included == 0 && lists_of(row)->excluded == 0;
}

/* Refuses an empty name and line 0: gprof takes them as any function, so a typing error would silently exclude
 * everything. */
static bool names_something(const char *text, size_t length)
{
	size_t start = filters_find_name(text, length), name_length = length - start;
	size_t digits = strspn(text + start, DIGITS), zeros = strspn(text + start, "0");

	return name_length > 0 && (digits == 0 || (digits == name_length && zeros < digits));
}

/* An empty side of an arc stands for any function. */
static bool names_side(const char *text, size_t length)
{
	return length == 0 || names_something(text, length);
}

static enum status take_report_filter(const struct given_option *given, struct error *error)
{
	const struct command_option *row = given->row;
	struct report_filters *taken = given->target;
	const char *value = given->value, *slash = is_of_arcs(row) ? find_slash(value) : NULL;

	if (!is_of_arcs(row) && !names_something(value, strlen(value)))
		return option_refuse(given, value, "F", error);
	if (is_of_arcs(row) &&
	    (slash == NULL || !names_side(value, (size_t)(slash - value)) || !names_side(slash + 1, strlen(slash + 1))))
		return option_refuse(given, value, "F/G", error);
	const struct report_filter filter = {.row = row, .value = value};
	if (!array_append(&taken->given, &taken->count, &filter, sizeof filter))
		return status_fail(error, "out of memory for --%s", row->name);
	return note_option_text(&taken->text, row, value, error);
}

const struct command_option report_filter_options[] = {
        {'\0', "focus", "F", "in the call graph, only F, what it calls, and their time", .take = take_report_filter,
         .detail = &(const struct lists){.included = BIT(FILTER_GRAPH) | BIT(FILTER_TIME)}},
        {'\0', "hide", "F", "omit F and its time from flat profile and call graph", .take = take_report_filter,
         .detail = &(const struct lists){.excluded = BIT(FILTER_FLAT) | BIT(FILTER_GRAPH) | BIT(FILTER_TIME)}},
        {'\0', "flat-only", "F", "in the flat profile, only F, whose time is the 100 %", .take = take_report_filter,
         .detail = &(const struct lists){.included = BIT(FILTER_FLAT)}},
        {'\0', "only-arc", "F/G", "only calls of G by F; --only-arc=F/: all calls by F", .take = take_report_filter,
         .detail = &(const struct lists){0}},
        {'\0', "exclude-arc", "F/G",
         "as if F had never called G; --exclude-arc=/G: as if nothing had\n"
         "F is FUNCTION, FILE.c, FILE.c:FUNCTION, FILE.c:LINE or :NAME.WITH.DOT",
         .take = take_report_filter, .detail = &(const struct lists){.excludes_arcs = true}},
        {0},
};

enum status report_filters_resolve(struct report_filters *taken, const struct image *image, struct error *error)
{
	enum status status = STATUS_OK;

	if (taken->count == 0)
		return STATUS_OK;
	struct demangle_style style = {0};
	const struct function_lookup functions = {
	        .image = image,
	        .demangler = demangle_find_style("auto", &style) ? demangler_create(style) : NULL,
	};
	taken->filters = filters_create();
	if (taken->filters == NULL || functions.demangler == NULL)
		status = status_fail(error, "out of memory for filters");
	for (size_t i = 0; status == STATUS_OK && i < taken->count; i++) {
		struct report_filter *given = &taken->given[i];

		given->first_rule = filters_arc_rule_count(taken->filters);
		status = is_of_arcs(given->row) ? add_arc_filters(taken->filters, given, &functions, error)
		                                : add_function_filters(taken->filters, given, &functions, error);
		given->end_rule = filters_arc_rule_count(taken->filters);
	}
	demangler_free(functions.demangler);
	return status;
}

void report_filters_free(struct report_filters *taken)
{
	filters_free(taken->filters);
	free(taken->given);
	free(taken->text);
	free(taken->idle_arcs);
}

/* Whether the profile has none of the option's arcs. */
static bool is_idle(const struct report_filters *taken, const struct report_filter *given)
{
	bool is_seen = !is_of_arcs(given->row);

	for (size_t i = given->first_rule; i < given->end_rule; i++)
		is_seen |= filters_matched_arc(taken->filters, i);
	return !is_seen;
}

static bool ends_in_line(const char *symspec)
{
	size_t length = strlen(symspec), start = filters_find_name(symspec, length);

	return start < length && strspn(symspec + start, DIGITS) == length - start;
}

enum status report_filters_check(struct report_filters *taken, const char *firmware, struct error *error)
{
	const char *nobody = taken->filters != NULL ? filters_first_unmatched(taken->filters) : NULL;
	enum status status = STATUS_OK;

	if (nobody != NULL)
		return status_fail(error, "%s: '%.80s' matches no function%s", firmware, nobody,
		                   ends_in_line(nobody) ? ": give the line that one begins at"
		                                        : ": give a whole name, as reports print it");
	for (size_t i = 0; status == STATUS_OK && i < taken->count; i++)
		if (is_idle(taken, &taken->given[i]))
			status = note_option_text(&taken->idle_arcs, taken->given[i].row, taken->given[i].value, error);
	return status;
}
