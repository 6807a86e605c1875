/* SPDX-License-Identifier: MIT */
/* The parts of a profile and the names of functions, for formats of other viewers. Private to report/. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include "profile/analysis/analysis.h"
#include "profile/analysis/stacks.h"
#include "report/names.h"

#include <stdio.h>

#define VIEWS_PART_NAME_MAX 48

/* The number of parts: the profile's contexts, or 1 if it has none. */
size_t views_part_count(const struct profile *profile);
/* A part, and its name, which is empty if the profile has only one. */
const struct profile *views_part(const struct profile *profile, size_t index, char name[VIEWS_PART_NAME_MAX]);

/* Names as in the source; NULL when out of memory, with *error filled. */
struct names *views_names_create(const struct profile *profile, struct error *error);
/* The name of a node of a path, which may be PROFILE_NONE. Escape before printing. */
const char *views_name(struct names *names, const struct profile *profile, size_t node);

/* The name of PROFILE_NONE. */
#define VIEWS_CUT_NAME STACKS_CUT_NAME

/* States what the paths are, for titles, and for comments. */
#define VIEWS_PATHS_TITLE "paths as gprof's propagation implies"
#define VIEWS_PATHS_TEXT  VIEWS_PATHS_TITLE ": calls of a function are assumed to cost the same"

#endif
