/* SPDX-License-Identifier: MIT */
/*
 * The cost of demangling a name, estimated before libiberty starts, because it cannot be interrupted. A mangled name
 * can refer to parts of itself, so its expansion can grow exponentially. Private to text/.
 */
#ifndef BASE_TEXT_DEMANGLE_COST_H
#define BASE_TEXT_DEMANGLE_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Longer names are not demangled. libiberty, too, gives up on C++ names beyond 1024 characters (2048 components). */
#define DEMANGLE_MANGLED_MAX 1024

/* Subtracts steps, or all that are left; true if any remain. */
bool demangle_spend(uint64_t *steps_left, uint64_t steps);

/* Each returns true if libiberty can demangle name, of at most DEMANGLE_MANGLED_MAX bytes, at a reasonable cost, which
 * is subtracted from *steps_left. True also for names that are not mangled in the language. */
bool demangle_is_cheap_cplus(const char *name, int options, uint64_t *steps_left);
bool demangle_is_cheap_rust(const char *name, uint64_t *steps_left);
bool demangle_is_cheap_dlang(const char *name, uint64_t *steps_left);

#endif
