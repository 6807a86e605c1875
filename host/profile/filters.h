/* SPDX-License-Identifier: MIT */
/* Filters: functions and arcs that a user includes or excludes. Shared by `bareprof gprof`, with GNU's options, and
 * `bareprof report`, with options of its own. */
#ifndef PROFILE_FILTERS_H
#define PROFILE_FILTERS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Outputs that functions are included in or excluded from (GNU gprof manual, "Symspecs"). */
enum filter_list {
	FILTER_FLAT,   /* the flat profile; the time of excluded functions is subtracted from the total */
	FILTER_GRAPH,  /* entries of the call graph; descendants inherit */
	FILTER_TIME,   /* whose time is propagated */
	FILTER_SOURCE, /* annotated source */
	FILTER_COUNTS, /* execution counts */
	FILTER_LIST_COUNT,
};

/* A symbol to match with symspecs. */
struct filter_symbol {
	const char *name; /* as in the ELF */
	const char *file; /* NULL: unknown */
	int line;         /* 0: unknown */
};

struct filters;

/* Creates an empty set of filters, which excludes nothing. NULL when out of memory. */
struct filters *filters_create(void);
void filters_free(struct filters *filters);

/*
 * Includes (or, if exclude, excludes) the symbols that symspec names: FUNCTION, FILE.c (it has a dot), LINE,
 * FILE:FUNCTION, FILE:LINE, or :FUNCTION.WITH.DOT.
 */
enum status filters_add(struct filters *filters, enum filter_list list, bool exclude, const char *symspec,
                        struct error *error);

/*
 * The offset of FUNCTION or LINE in a symspec of length bytes, 0 if it has no FILE: before it. The last single colon
 * divides them, because paths may have colons, too; C++ scopes have two.
 */
size_t filters_find_name(const char *symspec, size_t length);

/* Includes (or excludes) the arcs FROM/TO; an empty name means any function. Calls on an excluded arc do not count. */
enum status filters_add_arc(struct filters *filters, bool exclude, const char *pair, struct error *error);

/* The lists that name the symbol, as bits `1 << list`. */
struct filter_marks {
	uint8_t included, excluded;
};
/* Match every symbol of the profile before the first arc: a rule for arcs whose caller names no symbol is ignored. */
struct filter_marks filters_match(struct filters *filters, const struct filter_symbol *symbol);

/* A list that matches no symbol of the profile counts as empty. all: the marks of all symbols, combined. */
static inline bool filter_wants(struct filter_marks marks, struct filter_marks all, enum filter_list list)
{
	unsigned bit = 1u << list;

	return (all.included & bit) != 0 ? (marks.included & bit) != 0 : (marks.excluded & bit) == 0;
}

/* True if a filter names a file or a line, so that symbols need theirs. */
bool filters_need_locations(const struct filters *filters);

/* The text of the first symspec that has matched no symbol so far; NULL: all have matched. Owned by filters. */
const char *filters_first_unmatched(const struct filters *filters);

/* False if the arc is filtered out. */
bool filters_want_arc(struct filters *filters, const struct filter_symbol *caller, const struct filter_symbol *callee);

/* True if filters_want_arc() was called with an arc that this rule names. Rules for arcs count from 0. */
bool filters_matched_arc(const struct filters *filters, size_t rule);

/* The number of rules for arcs. If it is 0, filters_want_arc() is always true. */
size_t filters_arc_rule_count(const struct filters *filters);

#endif
