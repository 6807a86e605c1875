/* SPDX-License-Identifier: MIT */
/* Demangled names of functions, each demangled once. Private to report/. */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "base/text/demangle.h"

#include <stdbool.h>

struct names;

/* NULL when out of memory. */
struct names *names_create(struct demangle_style style);
void names_free(struct names *names);

/* The name of a function, demangled in the style of the report. Escape before printing. */
const char *names_find(struct names *names, const char *name);

/*
 * Whether wanted is this function's name: as in the ELF, or demangled without parameters, in any style of the report.
 */
bool names_is_called(struct names *names, const char *name, const char *wanted);

#endif
