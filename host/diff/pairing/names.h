/* SPDX-License-Identifier: MIT */
/* Names of functions and paths of files, as far as they are the same in two builds. Private to pairing/. */
#ifndef DIFF_PAIRING_NAMES_H
#define DIFF_PAIRING_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How much of a name the programmer wrote: it may end in what GCC and clang add, several times over. Never 0 of a name
 * that is not empty. *is_clone tells whether some of that makes a function of a part or a variant of another one;
 * .lto_priv and .llvm only keep local functions of several files apart.
 */
size_t name_base_length(const char *name, bool *is_clone);

/* The last components of a path, at most so many; the folders of Unix and of Windows. */
const char *path_tail(const char *path, unsigned components);

/* As strcmp() does; NULL, what is not known, comes first. */
int compare_texts(const char *left, const char *right);

#endif
