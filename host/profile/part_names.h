/* SPDX-License-Identifier: MIT */
/* The names of contexts and of the parts of a split profile. */
#ifndef PROFILE_PART_NAMES_H
#define PROFILE_PART_NAMES_H

#include "profile/split.h"

#include <stdio.h>

/* Prints the name of a context for people, escaped: "uart <context 1>", "<context 2>" or "<no context>". */
void part_names_print_context(FILE *stream, uint32_t number, const char *name, bool is_rest);
/* Prints the name of a part's context as part_names_print_context() does, or "<core 1>" for the part of a core. */
void part_names_print(FILE *stream, const struct profile_part *part);

/* Room for the name of a context with its core. */
#define PART_NAME_MAX 64
/* Formats the name of a context for programs: "uart", "<context 2>" or "<no context>". Escape before printing. */
const char *part_names_format_context(const struct profile_part *part, char text[PART_NAME_MAX]);
/* Formats the core and context of a part for programs: "core 1, uart", "core 1" or "uart". Escape before printing. */
const char *part_names_format(const struct profile_part *part, char text[PART_NAME_MAX]);

#endif
