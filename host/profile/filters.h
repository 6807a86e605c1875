/* SPDX-License-Identifier: MIT */
/*
 * What a user wants of a profile: functions named for and against, and arcs. One implementation for `bareprof gprof`,
 * whose options are GNU's, and for `bareprof report`, whose options have readable names. Knows nothing of either.
 */
#ifndef PROFILE_FILTERS_H
#define PROFILE_FILTERS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What functions can be named for or against (GNU gprof manual, "Symspecs"). */
enum filter_list {
	FILTER_FLAT,   /* the flat profile: time of what is left out leaves the total, too */
	FILTER_GRAPH,  /* entries of the call graph; descendants inherit */
	FILTER_TIME,   /* whose time is propagated */
	FILTER_SOURCE, /* annotated source */
	FILTER_COUNTS, /* execution counts */
	FILTER_LIST_COUNT,
};

/* What a symspec is matched with. */
struct filter_symbol {
	const char *name; /* as in the ELF */
	const char *file; /* NULL: not known */
	int line;         /* 0: not known */
};

struct filters;

/* No filters: everything is wanted. NULL when memory runs out. */
struct filters *filters_create(void);
void filters_free(struct filters *filters);

/*
 * For (or, if exclude, against) what symspec names: FUNCTION, FILE.c (it has a dot), LINE, FILE:FUNCTION, FILE:LINE, or
 * :FUNCTION.WITH.DOT.
 */
enum status filters_add(struct filters *filters, enum filter_list list, bool exclude, const char *symspec,
                        struct error *error);

/*
 * Where in a symspec of so many bytes FUNCTION or LINE begins, behind FILE: if there is one. One colon divides them,
 * the last one, as paths may have some; C++'s scopes have two.
 */
size_t filters_find_name(const char *symspec, size_t length);

/* For (or against) the arcs FROM/TO; either may be empty, which is any function. An arc that is not wanted counts no
 * call. */
enum status filters_add_arc(struct filters *filters, bool exclude, const char *pair, struct error *error);

/* Which lists name the symbol: bit `1 << list` for those for it, and against it. */
struct filter_marks {
	uint8_t included, excluded;
};
/* Every symbol of the profile is to be matched before the first arc: a rule for arcs of which the caller names no
 * symbol does not count. */
struct filter_marks filters_match(struct filters *filters, const struct filter_symbol *symbol);

/*
 * A list for which no symbol of the profile is a match counts as empty; so whoever has all the symbols says which lists
 * have a match: the union of all marks.
 */
static inline bool filter_wants(struct filter_marks marks, struct filter_marks all, enum filter_list list)
{
	unsigned bit = 1u << list;
	return (all.included & bit) != 0 ? (marks.included & bit) != 0 : (marks.excluded & bit) == 0;
}

/* True if a file or a line is named, so that symbols must tell theirs. */
bool filters_name_places(const struct filters *filters);

/* What was added and names no symbol so far, as it was given; NULL: all of it names some. Owned by filters. */
const char *filters_idle(const struct filters *filters);

/* False if the arc is filtered out. */
bool filters_want_arc(struct filters *filters, const struct filter_symbol *caller, const struct filter_symbol *callee);

/* True if filters_want_arc() was asked of an arc that this rule names. rule: how many rules for arcs were added before
 * it. */
bool filters_saw_arc(const struct filters *filters, size_t rule);

/* How many rules for arcs there are. */
size_t filters_arc_rules(const struct filters *filters);

/* True if any arc is filtered out, so that filters_want_arc() is worth asking. */
bool filters_have_arcs(const struct filters *filters);

#endif
