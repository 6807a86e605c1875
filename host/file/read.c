/* SPDX-License-Identifier: MIT */
/* Whole files in. Knows nothing of what they hold and nothing of writing. */
#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* First allocation for what has no size of its own: pipes, terminals, files under /proc. */
#define UNKNOWN_SIZE_CAPACITY ((size_t)64 * 1024)

static enum status fail_too_large(const char *name, struct error *error)
{
	return status_fail(error, "%s: larger than %zu bytes, the largest input there is", name, FILE_SIZE_MAX);
}

/* For a regular file: one byte more than it holds, so that its end is seen without growing. Else *capacity stays. */
static enum status first_capacity(int descriptor, const char *name, size_t *capacity, struct error *error)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0)
		return status_fail(error, "%s: cannot read: %s", name, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return status_fail(error, "%s: is a directory, expected a file", name);
	if (!S_ISREG(status.st_mode) || status.st_size <= 0)
		return STATUS_OK;
	if ((uintmax_t)status.st_size > FILE_SIZE_MAX)
		return fail_too_large(name, error);
	*capacity = (size_t)status.st_size + 1;
	return STATUS_OK;
}

static enum status grow(const char *name, uint8_t **bytes, size_t *capacity, struct error *error)
{
	/* One byte more than is allowed suffices to tell that it is too much. */
	size_t larger = *capacity > FILE_SIZE_MAX / 2 ? FILE_SIZE_MAX + 1 : *capacity * 2;
	uint8_t *moved = realloc(*bytes, larger);
	if (moved == NULL)
		return status_fail(error, "%s: out of memory after %zu bytes", name, *capacity);
	*bytes = moved;
	*capacity = larger;
	return STATUS_OK;
}

static enum status read_to_end(int descriptor, const char *name, uint8_t **bytes, size_t capacity, size_t *size,
                               struct error *error)
{
	for (;;) {
		if (*size > FILE_SIZE_MAX)
			return fail_too_large(name, error);
		if (*size == capacity && grow(name, bytes, &capacity, error) != STATUS_OK)
			return STATUS_FAILED;
		ssize_t count = read(descriptor, *bytes + *size, capacity - *size);
		if (count == 0)
			return STATUS_OK;
		if (count > 0)
			*size += (size_t)count;
		else if (errno != EINTR)
			return status_fail(error, "%s: cannot read at offset %zu: %s", name, *size, strerror(errno));
	}
}

static enum status read_descriptor(int descriptor, const char *name, uint8_t **bytes, size_t *size, struct error *error)
{
	size_t capacity = UNKNOWN_SIZE_CAPACITY;
	if (first_capacity(descriptor, name, &capacity, error) != STATUS_OK)
		return STATUS_FAILED;
	uint8_t *contents = malloc(capacity);
	if (contents == NULL)
		return status_fail(error, "%s: out of memory for %zu bytes", name, capacity);
	size_t length = 0;
	if (read_to_end(descriptor, name, &contents, capacity, &length, error) != STATUS_OK) {
		free(contents);
		return STATUS_FAILED;
	}
	*bytes = contents;
	*size = length;
	return STATUS_OK;
}

enum status file_read(const char *path, uint8_t **bytes, size_t *size, struct error *error)
{
	*bytes = NULL;
	*size = 0;
	if (strcmp(path, "-") == 0)
		return read_descriptor(STDIN_FILENO, "standard input", bytes, size, error);
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return status_fail(error, "%s: cannot open: %s", path, strerror(errno));
	enum status status = read_descriptor(descriptor, path, bytes, size, error);
	close(descriptor);
	return status;
}

bool file_is_same(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}
