/* SPDX-License-Identifier: MIT */
/* The file that the name of an output refers to. */
#ifndef BASE_FILE_RESOLVE_H
#define BASE_FILE_RESOLVE_H

#include <stdbool.h>

/*
 * Follows the symbolic links at the end of path, including to a file that does not exist yet. Stops at the name of an
 * open descriptor (/dev/stdout, /proc/self/fd/N), because such a link cannot be replaced. The caller frees the result;
 * NULL: failed, see errno.
 */
char *resolve_output(const char *path, bool *is_descriptor);

#endif
