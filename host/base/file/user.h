/* SPDX-License-Identifier: MIT */
/* Finds the program that has a file or device open. */
#ifndef BASE_FILE_USER_H
#define BASE_FILE_USER_H

#include <stdbool.h>
#include <stddef.h>

#define FILE_USER_MAX 96

/* Names another process that has the file open, as "cat (process 4711)", in at most FILE_USER_MAX characters. path must
 * not be a link. False if there is none, as far as /proc shows other users' files. */
bool file_find_user(const char *path, char *user, size_t capacity);

#endif
