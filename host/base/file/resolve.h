/* SPDX-License-Identifier: MIT */
/* Which file the name of an output leads to. Knows nothing of writing it. */
#ifndef BASE_FILE_RESOLVE_H
#define BASE_FILE_RESOLVE_H

#include <stdbool.h>

/*
 * Follows the symbolic links at the end of path, also to a file that does not exist yet. Stops at a name of an open
 * descriptor (/dev/stdout, /proc/self/fd/N): such a link cannot be replaced. The caller frees the answer; NULL = errno
 * says why not.
 */
char *resolve_output(const char *path, bool *is_descriptor);

#endif
