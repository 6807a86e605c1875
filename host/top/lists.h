/* SPDX-License-Identifier: MIT */
/* The lists as tables: columns, headings and cells. */
#ifndef TOP_LISTS_H
#define TOP_LISTS_H

#include "top/rows.h"

#include <stdio.h>

/* Shown instead of rows if the firmware has no contexts. */
#define TOP_NO_CONTEXTS "(no contexts: make the library WITH=contexts, firmware -DBAREPROF_CONTEXTS=N)"

/* Names for command lines, such as "functions". TOP_ENTRY has none. */
extern const char *const top_list_names[TOP_LISTS];
/* Names of figures to sort by, such as "self"; NULL: cannot be sorted by. The last is the name of TOP_NAME. */
extern const char *const top_figure_names[TOP_FIGURES + 1];

/* True if a list can be sorted by the figure. */
bool top_list_sorts_by(enum top_list list, enum top_figure figure);
/* The next figure that a list can be sorted by, to the right or left of this one; wraps around. */
enum top_figure top_list_next_sort(enum top_list list, enum top_figure figure, bool is_left);

/* Print the headings, with * at the column that rows are sorted by, or the cells of a row, without a newline. */
void top_print_headings(const struct top_view *view, FILE *stream);
void top_print_row(const struct profile *profile, const struct top_view *view, const struct top_row *row, FILE *stream);

#endif
