/* SPDX-License-Identifier: MIT */
/* C++, Rust, D and Ada names as their programmers wrote them, by libiberty. Knows nothing of where names come from. */
#ifndef BASE_TEXT_DEMANGLE_H
#define BASE_TEXT_DEMANGLE_H

#include <stdbool.h>
#include <stdint.h>

/* What demangle_name() tries. All zero: nothing. */
struct demangle_style {
	int options; /* of libiberty, chosen by demangle_find_style() */
};

/* The style of a name as in GNU's --demangle=NAME ("auto": Rust and C++, "gnu-v3", "rust", "dlang", "gnat", ...); false
 * if there is none such. */
bool demangle_find_style(const char *name, struct demangle_style *style);

/* A demangled name is at most this long. */
#define DEMANGLE_NAME_MAX 16384

/* What all names of a run may cost together, in steps of printing and bytes read and made: about a second. */
#define DEMANGLE_STEPS_MAX (UINT64_C(1) << 26)

/*
 * The demangled name with its parameters, malloc'd, the caller's. NULL if name is not mangled, if what it stands for is
 * out of all proportion to its length, if no steps are left, or if memory is short. What it costs is taken from
 * *steps_left.
 */
char *demangle_name(const char *name, struct demangle_style style, uint64_t *steps_left);

/* Names of a run: each is demangled once, and all of them within DEMANGLE_STEPS_MAX. */
struct demangler;

/* NULL if memory is short. */
struct demangler *demangler_create(struct demangle_style style);
void demangler_free(struct demangler *demangler);

/* As demangle_name(), but what it returns is the demangler's. name must outlive it. */
const char *demangler_find(struct demangler *demangler, const char *name);

/* Whether wanted is what the function of this name is called: as the ELF has it, or demangled, with its parameters or
 * without. */
bool demangler_is_called(struct demangler *demangler, const char *name, const char *wanted);

#endif
