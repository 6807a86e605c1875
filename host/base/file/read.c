/* SPDX-License-Identifier: MIT */
/* Reading whole files. */
#include "base/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* First allocation for inputs of unknown size: pipes, terminals, files under /proc. */
#define UNKNOWN_SIZE_CAPACITY ((size_t)64 * 1024)

struct input {
	int descriptor;
	const char *name;
	size_t size_max;
	bool is_bounded; /* must be a regular file, and is not read beyond the size that it states */
};

static enum status fail_too_large(const struct input *input, struct error *error)
{
	return status_fail(error, "%s: larger than %zu bytes, the largest supported input", input->name,
	                   input->size_max);
}

/* For a regular file, sets *capacity to one byte more than its size, so that reading finds the end without growing.
 * *end: the maximum number of bytes to read. */
static enum status first_capacity(const struct input *input, size_t *capacity, size_t *end, struct error *error)
{
	struct stat info;

	if (fstat(input->descriptor, &info) != 0)
		return status_fail(error, "%s: cannot read: %s", input->name, strerror(errno));
	if (input->is_bounded && !S_ISREG(info.st_mode))
		return status_fail(error, "%s: not a regular file", input->name);
	if (S_ISDIR(info.st_mode))
		return status_fail(error, "%s: is a directory, expected a file", input->name);
	if (!S_ISREG(info.st_mode) || info.st_size < 0 || (info.st_size == 0 && !input->is_bounded))
		return STATUS_OK;
	if ((uintmax_t)info.st_size > input->size_max)
		return fail_too_large(input, error);
	*capacity = (size_t)info.st_size + 1;
	if (input->is_bounded)
		*end = (size_t)info.st_size;
	return STATUS_OK;
}

static enum status enlarge_buffer(const struct input *input, uint8_t **bytes, size_t *capacity, struct error *error)
{
	/* One byte beyond the limit is enough to detect that the input is too large. */
	size_t larger = *capacity > input->size_max / 2 ? input->size_max + 1 : *capacity * 2;
	uint8_t *moved = realloc(*bytes, larger);

	if (moved == NULL)
		return status_no_memory(error, input->name);
	*bytes = moved;
	*capacity = larger;
	return STATUS_OK;
}

/* Reads up to room bytes and appends them; *is_end: the end of the input was reached. */
static enum status read_to_buffer(const struct input *input, uint8_t *bytes, size_t room, size_t *size, bool *is_end,
                                  struct error *error)
{
	ssize_t count = read(input->descriptor, bytes + *size, room);

	*is_end = count == 0;
	if (count > 0)
		*size += (size_t)count;
	else if (count < 0 && errno != EINTR)
		return status_fail(error, "%s: cannot read at offset %zu: %s", input->name, *size, strerror(errno));
	return STATUS_OK;
}

static enum status read_input(const struct input *input, uint8_t **bytes, size_t *size, struct error *error)
{
	size_t capacity = UNKNOWN_SIZE_CAPACITY, end = SIZE_MAX;
	enum status status = first_capacity(input, &capacity, &end, error);

	if (status != STATUS_OK)
		return status;
	*bytes = malloc(capacity);
	if (*bytes == NULL)
		return status_no_memory(error, input->name);
	for (bool is_end = false; status == STATUS_OK && !is_end && *size < end;) {
		if (*size > input->size_max)
			status = fail_too_large(input, error);
		else if (*size == capacity)
			status = enlarge_buffer(input, bytes, &capacity, error);
		else
			status = read_to_buffer(input, *bytes, (end < capacity ? end : capacity) - *size, size, &is_end,
			                        error);
	}
	if (status != STATUS_OK) {
		free(*bytes);
		*bytes = NULL;
		*size = 0;
	}
	return status;
}

static enum status open_and_read(const char *path, int flags, size_t size_max, bool is_bounded, uint8_t **bytes,
                                 size_t *size, struct error *error)
{
	const struct input input = {open(path, O_RDONLY | O_CLOEXEC | flags), path, size_max, is_bounded};

	if (input.descriptor < 0)
		return status_fail(error, "%s: cannot open: %s", path, strerror(errno));
	enum status status = read_input(&input, bytes, size, error);
	close(input.descriptor);
	return status;
}

enum status file_read(const char *path, uint8_t **bytes, size_t *size, struct error *error)
{
	return file_read_limited(path, FILE_SIZE_MAX, bytes, size, error);
}

enum status file_read_limited(const char *path, size_t size_max, uint8_t **bytes, size_t *size, struct error *error)
{
	*bytes = NULL;
	*size = 0;
	const struct input input = {STDIN_FILENO, "standard input", size_max, false};
	if (path[0] == '\0')
		return status_fail(error, "the name of the file to read is empty");
	if (strcmp(path, "-") == 0)
		return read_input(&input, bytes, size, error);
	return open_and_read(path, 0, size_max, false, bytes, size, error);
}

enum status file_read_regular(const char *path, size_t size_max, uint8_t **bytes, size_t *size, struct error *error)
{
	struct stat info;

	*bytes = NULL;
	*size = 0;
	/* Checked before opening, which can have effects on a device, and again afterwards, because the name may
	 * change. */
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return status_fail(error, "%s: not a regular file", path);
	return open_and_read(path, O_NONBLOCK | O_NOCTTY, size_max, true, bytes, size, error);
}

bool file_is_same(const char *left, const char *right)
{
	struct stat a, b;

	return stat(left, &a) == 0 && stat(right, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool file_can_be_read_again(const char *path)
{
	struct stat info;

	return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}
