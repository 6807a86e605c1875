/* SPDX-License-Identifier: MIT */
/* The parts of function names and file paths that two builds have in common. Private to pairing/. */
#ifndef DIFF_PAIRING_NAMES_H
#define DIFF_PAIRING_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The length of a name without the suffixes, one or several, that GCC and clang add. It is 0 only for an empty name.
 * *is_clone: a suffix marks a part or a variant of another function; .lto_priv and .llvm only distinguish local
 * functions of several files.
 */
size_t name_base_length(const char *name, bool *is_clone);

/* The last components of a path, at most the given number. Folders may end in / or \\. */
const char *path_tail(const char *path, unsigned components);

/* Like strcmp(); NULL, an unknown name, comes first. */
int compare_texts(const char *left, const char *right);

#endif
