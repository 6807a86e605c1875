/* SPDX-License-Identifier: MIT */
/* A generator of symbol names. */
#ifndef ORACLE_NAMES_H
#define ORACLE_NAMES_H

#include "random.h"

#include <stddef.h>

/* A name as in C, C++, Rust or assembly, with leading underscores, or of the runtime of gprof. */
void name_function(struct random *random, char *name, size_t size);
/* A name of a local function that GNU gprof accepts, such as of a clone (.constprop, .NUMBER). */
void name_local(struct random *random, char *name, size_t size);
/* A name that no profiler shows: a mapping symbol or a label of a compiler. */
void name_ignored(struct random *random, char *name, size_t size);

#endif
