/* SPDX-License-Identifier: MIT */
/* Invents names of symbols. Knows nothing of what they name. */
#ifndef ORACLE_NAMES_H
#define ORACLE_NAMES_H

#include "random.h"

#include <stddef.h>

/* As in C, C++, Rust or assembly; with underscores in front; what gprof's runtime is called. */
void name_function(struct random *random, char *name, size_t size);
/* A local function's that GNU gprof takes: also of a clone (.constprop, .NUMBER). */
void name_local(struct random *random, char *name, size_t size);
/* What no profiler shows: mapping symbols and compilers' labels. */
void name_ignored(struct random *random, char *name, size_t size);

#endif
