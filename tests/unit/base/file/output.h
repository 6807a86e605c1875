/* SPDX-License-Identifier: MIT */
/* A temporary folder for files that a test writes, and checks of its contents. */
#ifndef UNIT_BASE_FILE_OUTPUT_H
#define UNIT_BASE_FILE_OUTPUT_H

#include "base/file/file.h"

#include <sys/resource.h>
#include <sys/types.h>

/* The setup and teardown of each test; fails if a temporary file is left. */
int output_open_folder(void **state);
int output_close_folder(void **state);
const char *output_folder(void);
/* The path of a file in the folder; the last two answers are valid. */
const char *in_folder(const char *name);
/* Removes all files of the folder; returns how many there were. */
int empty_folder(void);

/* Replaces a descriptor, such as standard input, by the open file; returns a copy of the replaced one, to be restored
 * by another call. Takes ownership of file. */
int redirect(int descriptor, int file);
/* Gives the folder this mode. Permissions do not bind root, so root becomes somebody else until seteuid() of the
 * result. */
uid_t become_nobody(mode_t mode);
/* Makes longer files fail to be written, as on a full disk; RLIM_INFINITY: no longer. */
void limit_file_size(rlim_t size);

struct file_writer create(const char *path);
void commit(struct file_writer *writer);
void expect_commit_fails(struct file_writer *writer, const char *message);
/* reason is the message without the path that it begins with. */
void expect_create_fails(const char *path, const char *reason);
void expect_contents(const char *path, const char *text);
/* Writes a whole file. */
void put(const char *path, const char *text);

#endif
