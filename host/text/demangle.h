/* SPDX-License-Identifier: MIT */
/* C++, Rust, D and Ada names as their programmers wrote them, by libiberty. Knows nothing of where names come from. */
#ifndef TEXT_DEMANGLE_H
#define TEXT_DEMANGLE_H

#include <stdbool.h>

/* What demangle_name() tries. All zero: nothing. */
struct demangle_style {
	int options; /* of libiberty, chosen by demangle_find_style() */
};

/* The style of a name as in GNU's --demangle=NAME ("auto": Rust and C++, "gnu-v3", "rust", "dlang", "gnat", ...); false
 * if there is none such. */
bool demangle_find_style(const char *name, struct demangle_style *style);

/* A demangled name is at most this long. */
#define DEMANGLE_NAME_MAX 16384

/*
 * The demangled name with its parameters, malloc'd, the caller's. NULL if name is not mangled, if what it stands for is
 * out of all proportion to its length, or if memory is short.
 */
char *demangle_name(const char *name, struct demangle_style style);

/* Whether wanted is what the function of this name is called: as the ELF has it, or demangled, with its parameters or
 * without. */
bool demangle_is_called(const char *name, const char *wanted);

#endif
