/* SPDX-License-Identifier: MIT */
/* The parts of a profile and the names of functions, for formats of other viewers. Private to report/. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include "base/text/demangle.h"
#include "profile/analysis.h"
#include "profile/part_names.h"
#include "profile/stacks/stacks.h"

#include <stdio.h>

/* The number of parts, or 1 if the profile is not split. */
size_t views_part_count(const struct profile *profile);
/* A part with its name by core and context, which may be stored in text. If the profile is not split: the whole, and
 * "". */
const struct profile *views_part(const struct profile *profile, size_t index, char text[PART_NAME_MAX],
                                 const char **name);

/* Numbers for functions in formats that list the functions of all parts once: node n of the whole has number n, then
 * comes PROFILE_NONE, then the nodes that only parts have, part by part. */
typedef void views_function_found(void *context, const struct profile *profile, size_t node);
/* Calls found() for each function in this order; node may be PROFILE_NONE. */
void views_each_function(const struct profile *profile, views_function_found *found, void *context);
/* The number of a node of a part. first_own: the number of the first node that only this part has, from
 * views_first_own() for the first part and from views_next_own() for each later one. */
size_t views_function_number(const struct profile *whole, size_t first_own, size_t node);
size_t views_first_own(const struct profile *whole);
size_t views_next_own(const struct profile *whole, const struct profile *part, size_t first_own);

/* Names as in the source; NULL when out of memory, with *error filled. */
struct demangler *views_names_create(const struct profile *profile, struct error *error);
/* The name of a node of a path, which may be PROFILE_NONE. Escape before printing. */
const char *views_name(struct demangler *names, const struct profile *profile, size_t node);

/* The name of PROFILE_NONE. */
#define VIEWS_CUT_NAME STACKS_CUT_NAME

#define VIEWS_TOTALS_MEASURED "total times measured from stacks"

/* Describes the paths, for titles and for comments. */
const char *views_paths_title(const struct profile *profile);
#define VIEWS_PATHS_TEXT_MAX 256
const char *views_format_paths_text(const struct profile *profile, char text[VIEWS_PATHS_TEXT_MAX]);

/* Texts mention cycles with several callers if at least this part of the time is in them. The format of the text. */
#define VIEWS_CYCLES_PART 0.05
#define VIEWS_IN_CYCLES \
	"%.0f %% of the time is in cycles that several functions call; the shares of these callers can be far off"

#endif
