/* SPDX-License-Identifier: MIT */
/*
 * What demangling a name would cost. A mangled name refers to parts of itself, and parts that refer to parts grow by a
 * power of their number, while libiberty cannot be stopped once it has begun. Private to text/.
 */
#ifndef BASE_TEXT_DEMANGLE_COST_H
#define BASE_TEXT_DEMANGLE_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Longer names are not demangled: libiberty gives up on C++ names of more than half of its 2048 components, too. */
#define DEMANGLE_MANGLED_MAX 1024

/* Takes steps, or all that are left; true if there are some left then. */
bool demangle_spend(uint64_t *steps_left, uint64_t steps);

/* Each is true if name of at most DEMANGLE_MANGLED_MAX bytes may be given to libiberty with options: what it costs,
 * which is taken from the steps left, is in proportion. A name that is not of the language may be, too. */
bool demangle_is_cheap_cplus(const char *name, int options, uint64_t *steps_left);
bool demangle_is_cheap_rust(const char *name, uint64_t *steps_left);
bool demangle_is_cheap_dlang(const char *name, uint64_t *steps_left);

#endif
