/* SPDX-License-Identifier: MIT */
/* The rows of a view: functions, arcs, contexts, or a function with its callers and callees; filtered and sorted. */
#ifndef TOP_ROWS_H
#define TOP_ROWS_H

#include "top/filter.h"
#include "top/model.h"

#include <stdio.h>

/* The kind of the rows. */
enum top_list { TOP_FUNCTIONS, TOP_ARCS, TOP_CONTEXTS, TOP_ENTRY, TOP_LISTS };

/* The figures of a row; NAN: it has none. Parts are percentages of all time. */
enum top_figure {
	TOP_SELF,
	TOP_SELF_ERROR,
	TOP_TOTAL, /* for an arc, the part of the callee's time that the caller caused */
	TOP_TOTAL_ERROR,
	TOP_CALLS,
	TOP_SWITCHES,
	TOP_CALL_TIME, /* total time of one call, in the profile's time unit */
	TOP_RECORDER,
	TOP_FIGURES,
	TOP_NAME = TOP_FIGURES, /* only to sort by */
};

/* The relation of a row of TOP_ENTRY to the entry's function. */
enum top_relation { TOP_CALLER, TOP_ITSELF, TOP_CALLEE };

struct top_row {
	double figures[TOP_FIGURES];
	bool is_lower_bound; /* total time and time per call are lower bounds */
	const char *name;    /* safe to print; owned by the rows */
	size_t name_offset;
	enum profile_node_kind kind; /* kind of the function */
	size_t node;                 /* node of the row, for a view of its callers and callees; PROFILE_NONE: none */
	enum top_relation relation;
};

struct top_rows {
	struct top_row *rows;
	size_t count, hidden; /* hidden: rows that the filter hides */
	char *names;
};

/* A function that stays the same when the profile is made again, also from another ELF. */
struct top_place {
	char *name; /* NULL: none */
	enum profile_node_kind kind;
	uint64_t address;
};

struct top_view {
	enum top_list list;
	enum top_window window;
	enum top_figure sort[TOP_LISTS]; /* a column of the list, or TOP_NAME */
	bool is_reversed;
	struct top_filter filter;
	struct top_place place; /* the function that TOP_ENTRY shows */
};

/* Begins with functions, sorted by self time in the last interval. */
void top_view_begin(struct top_view *view);

/* Makes the rows of a view of a finished profile. Freed by top_rows_free(), also after a failure. If the place of an
 * entry is absent, there are no rows. */
enum status top_rows_make(const struct profile *profile, struct demangler *demangler, const struct top_view *view,
                          struct top_rows *rows, struct error *error);
void top_rows_free(struct top_rows *rows);

/* Sets *place to the place of a node. False when out of memory, with *place empty. */
bool top_place_set(struct top_place *place, const struct profile *profile, size_t node);
/* The node at a place: by address and name, else by name alone; PROFILE_NONE: none. */
size_t top_place_find(const struct top_place *place, const struct profile *profile);
void top_place_free(struct top_place *place);

#endif
