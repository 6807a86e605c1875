/* SPDX-License-Identifier: MIT */
/* Whole files in, whole files out. Knows nothing of what they hold. */
#ifndef BASE_FILE_FILE_H
#define BASE_FILE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* No input of the tool may be larger: what is read is held in memory. */
#define FILE_SIZE_MAX ((size_t)1 << 30)

/* Reads all of path ("-": standard input) into *bytes, which the caller frees. An empty file gives a NULL-safe
 * one-byte allocation and *size 0. */
enum status file_read(const char *path, uint8_t **bytes, size_t *size, struct error *error);
/* The same, where more than size_max bytes are too many. */
enum status file_read_at_most(const char *path, size_t size_max, uint8_t **bytes, size_t *size, struct error *error);

/*
 * Reads path as file_read() does, for names that nobody at the keyboard chose: of a regular file of at most size_max
 * bytes as many as its size says, which are none under /proc. So it never waits and always ends. "-" is a file like
 * any other.
 */
enum status file_read_regular(const char *path, size_t size_max, uint8_t **bytes, size_t *size, struct error *error);

/* Whether both names exist and are one regular file. */
bool file_is_same(const char *left, const char *right);

/* Whether file_read() gives the same bytes a second time: not so of pipes, devices and standard input. */
bool file_can_be_read_again(const char *path);

/*
 * A file that appears under its name whole or not at all: written without a name, or under a temporary one beside it,
 * flushed, then renamed. "-" writes standard output. Errors of every write are kept until file_commit().
 */
struct file_writer {
	FILE *stream; /* write here, as to any stream */
	char *path;
	bool is_renamed; /* path appears by a rename at the end; not so for devices, pipes and standard output */
	char *temporary; /* the name to be renamed, NULL while the file has none */
};

enum status file_create(struct file_writer *writer, const char *path, struct error *error);
/* Flushes, checks and renames. On failure nothing is left under either name; STATUS_PIPE if the output is standard
 * output and its reader went away. Frees the writer's own memory. */
enum status file_commit(struct file_writer *writer, struct error *error);
/* Removes what was written so far. Safe after file_commit() and on a writer that is all zero. */
void file_discard(struct file_writer *writer);

/* Flushes a stream: 0, or the errno of the write that failed, now or at any time before. */
int file_flush_error(FILE *stream);

#endif
