/* SPDX-License-Identifier: MIT */
/* Reading and writing whole files. */
#ifndef BASE_FILE_FILE_H
#define BASE_FILE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The largest input of the tool, because inputs are held in memory. */
#define FILE_SIZE_MAX ((size_t)1 << 30)

/* Reads all of path ("-": standard input) into *bytes, which the caller frees. For an empty file *bytes is still an
 * allocation and *size is 0. */
enum status file_read(const char *path, uint8_t **bytes, size_t *size, struct error *error);
/* Like file_read(), but fails on more than size_max bytes. */
enum status file_read_limited(const char *path, size_t size_max, uint8_t **bytes, size_t *size, struct error *error);

/*
 * Reads a regular file of at most size_max bytes. Its name comes from another file, not from the user, so reading must
 * not block: pipes and devices are refused, and as many bytes are read as the file's size states (none under /proc).
 * "-" is an ordinary name.
 */
enum status file_read_regular(const char *path, size_t size_max, uint8_t **bytes, size_t *size, struct error *error);

/* Whether both names exist and refer to the same regular file. */
bool file_is_same(const char *left, const char *right);

/* Whether file_read() can read the file twice: false for pipes, devices and standard input. */
bool file_can_be_read_again(const char *path);

/*
 * An output that appears under its name complete or not at all. It is written without a name, or under a temporary name
 * in the same folder, flushed, then renamed. "-" writes standard output. Write errors are kept until file_commit().
 */
struct file_writer {
	FILE *stream; /* write here, as to any stream */
	char *path;
	bool is_renamed; /* path appears by a final rename; false for devices, pipes and standard output */
	char *temporary; /* the temporary name, NULL while the file has none */
};

enum status file_create(struct file_writer *writer, const char *path, struct error *error);
/* Flushes, checks and renames. On failure nothing is left under either name; STATUS_PIPE if the output is standard
 * output and its reader has gone. Frees the writer's memory. */
enum status file_commit(struct file_writer *writer, struct error *error);
/* Commits the file if writing its content succeeded, as the status `written` states; otherwise discards it. */
enum status file_finish(struct file_writer *writer, enum status written, struct error *error);
/* Removes everything written so far. Safe after file_commit() and on an all-zero writer. */
void file_discard(struct file_writer *writer);

/* Writes a whole file. */
enum status file_write(const char *path, const void *bytes, size_t size, struct error *error);

/* Flushes a stream. Returns 0, or the errno of a write that failed now or earlier. */
int file_flush_error(FILE *stream);

#endif
