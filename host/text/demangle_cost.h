/* SPDX-License-Identifier: MIT */
/*
 * What demangling a name would cost. A mangled name refers to parts of itself, and parts that refer to parts grow by a
 * power of their number, while libiberty cannot be stopped once it has begun. Private to text/.
 */
#ifndef TEXT_DEMANGLE_COST_H
#define TEXT_DEMANGLE_COST_H

#include <stdbool.h>

/* Longer names are not demangled: libiberty gives up on C++ names of more than half of its 2048 components, too. */
#define DEMANGLE_MANGLED_MAX 1024

/* Each is true if name of at most DEMANGLE_MANGLED_MAX bytes may be given to libiberty with options. A name that is not
 * of the language may be, too. */
bool demangle_is_cheap_cplus(const char *name, int options);
bool demangle_is_cheap_rust(const char *name);
bool demangle_is_cheap_dlang(const char *name);

#endif
