/* SPDX-License-Identifier: MIT */
/* Demangling of C++, Rust, D and Ada names, by libiberty. */
#ifndef BASE_TEXT_DEMANGLE_H
#define BASE_TEXT_DEMANGLE_H

#include <stdbool.h>
#include <stdint.h>

/* The mangling scheme to undo. All zero: none. */
struct demangle_style {
	int options; /* for libiberty, from demangle_find_style() */
};

/* Finds a style by its name in GNU's tools (auto: Rust and C++, gnu-v3, rust, dlang, gnat, ...); false if unknown. */
bool demangle_find_style(const char *name, struct demangle_style *style);

/* The longest demangled name. */
#define DEMANGLE_NAME_MAX 16384

/* The budget for all names of one run, in printing steps and bytes read and written: about a second. */
#define DEMANGLE_STEPS_MAX (UINT64_C(1) << 26)

/*
 * Returns the demangled name with its parameters; the caller frees it. NULL if name is not mangled, if its expansion is
 * out of proportion to its length, if no steps are left, or when out of memory. Subtracts the cost from *steps_left.
 */
char *demangle_name(const char *name, struct demangle_style style, uint64_t *steps_left);
/* Like demangle_name(), without parameters and without the return type of C++ templates: "ns::apply<int>". */
char *demangle_plain_name(const char *name, struct demangle_style style, uint64_t *steps_left);

/* A cache of demangled names: each is demangled once, and all of them within DEMANGLE_STEPS_MAX. */
struct demangler;

/* NULL when out of memory. */
struct demangler *demangler_create(struct demangle_style style);
void demangler_free(struct demangler *demangler);

/* Like demangle_name(), but the result belongs to the demangler, which name must outlive. */
const char *demangler_find(struct demangler *demangler, const char *name);
/* Like demangler_find(), but returns name itself instead of NULL. Escape before printing. */
const char *demangler_name(struct demangler *demangler, const char *name);

/* Like demangle_plain_name(), for templates only: NULL if the name has no template arguments. */
const char *demangler_find_template(struct demangler *demangler, const char *name);

/*
 * Whether wanted names the function: its symbol, its demangled name with or without parameters, or its plain name with
 * or without the arguments of templates.
 */
bool demangler_matches(struct demangler *demangler, const char *name, const char *wanted);

#endif
