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
/* The path of a file in the folder; the last two results stay valid. */
const char *in_folder(const char *name);
/* Removes all files in the folder; returns their number. */
int empty_folder(void);

/* Makes a descriptor, such as standard input, refer to the open file; returns a copy of the old one, with which another
 * call restores it. Takes ownership of file. */
int redirect(int descriptor, int file);
/* Sets the mode of the folder. Permissions do not restrict root, so root becomes another user until seteuid() is called
 * with the result. */
uid_t become_nobody(mode_t mode);
/* Makes writes beyond this size fail, as on a full disk; RLIM_INFINITY removes the limit. */
void limit_file_size(rlim_t size);

struct file_writer create(const char *path);
void commit(struct file_writer *writer);
void expect_commit_fails(struct file_writer *writer, const char *message);
/* reason is the message without the leading path. */
void expect_create_fails(const char *path, const char *reason);
void expect_contents(const char *path, const char *text);
/* Writes a whole file. */
void put(const char *path, const char *text);

#endif
