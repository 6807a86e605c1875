/* SPDX-License-Identifier: MIT */
/* Names as people read them: demangled, each one once. Private to report/. */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "base/text/demangle.h"
#include "profile/profile.h"

#include <stdio.h>

struct names;

/* For the nodes of profile, which must outlive it. NULL if memory is short. */
struct names *names_create(const struct profile *profile, struct demangle_style style);
void names_free(struct names *names);

/* The name of a node of the profile or of a part of it, node being its index there. Escape before printing. */
const char *names_of_node(struct names *names, const struct profile *profile, size_t node);

/* Whether wanted names this function: as in the ELF, or demangled without parameters, in any style of the report. */
bool names_is_called(struct names *names, const char *name, const char *wanted);

/* Prints any name of a function of the profile, escaped. */
void names_print(struct names *names, FILE *stream, const char *name);

#endif
