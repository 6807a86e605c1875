/* SPDX-License-Identifier: MIT */
/* The program that has a file or device open. */
#ifndef BASE_FILE_USER_H
#define BASE_FILE_USER_H

#include <stdbool.h>
#include <stddef.h>

#define FILE_USER_MAX 96

/* Finds another process that has the file open, "cat (process 4711)", in FILE_USER_MAX characters. path is its own
 * name, not a link. False if there is none, as far as /proc shows other users' files. */
bool file_find_user(const char *path, char *user, size_t capacity);

#endif
