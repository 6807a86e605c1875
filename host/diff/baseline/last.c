/* SPDX-License-Identifier: MIT */
/* The file that lists build-ids in the order in which the builds were kept, one per line, the latest last. */
#include "base/file/file.h"
#include "diff/baseline/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LAST_SIZE_MAX ((size_t)16 * 1024 * 1024)

/* Checks the lines, and ends each by a zero byte. */
static enum status split_lines(const char *path, char *text, size_t size, struct error *error)
{
	size_t number = 1;
	for (size_t at = 0; at < size; number++) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = end == NULL ? size - at : (size_t)(end - text) - at;
		if (!baseline_is_id(text + at, length))
			return status_fail(error, "%s: line %zu is not a build-id", path, number);
		at += length;
		text[at++] = '\0';
	}
	return STATUS_OK;
}

static enum status read_file(const char *path, struct baseline_last *last, struct error *error)
{
	uint8_t *bytes;
	struct stat found;
	if (lstat(path, &found) != 0 && errno == ENOENT)
		return STATUS_OK;
	if (!baseline_is_file(path))
		return status_fail(error, "%s: not a regular file", path);
	enum status status = file_read_regular(path, LAST_SIZE_MAX, &bytes, &last->size, error);
	if (status != STATUS_OK)
		return status;
	last->ids = realloc(bytes, last->size + 1);
	if (last->ids == NULL) {
		free(bytes);
		return baseline_no_memory(path, error);
	}
	return split_lines(path, last->ids, last->size, error);
}

enum status baseline_read_last(const char *folder, struct baseline_last *last, struct error *error)
{
	*last = (struct baseline_last){.path = baseline_path(folder, "last")};
	return last->path == NULL ? baseline_no_memory(folder, error) : read_file(last->path, last, error);
}

const char *baseline_next_id(const struct baseline_last *last, const char *id)
{
	const char *next = id == NULL ? last->ids : id + strlen(id) + 1;
	return next == NULL || next >= last->ids + last->size ? NULL : next;
}

void baseline_free_last(struct baseline_last *last)
{
	free(last->path);
	free(last->ids);
}

static enum status rewrite(const struct baseline_last *last, const char *id, struct error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	if (stream == NULL)
		return baseline_no_memory(last->path, error);
	for (const char *other = NULL; (other = baseline_next_id(last, other)) != NULL;)
		if (strcmp(other, id) != 0)
			fprintf(stream, "%s\n", other);
	fprintf(stream, "%s\n", id);
	enum status status = fclose(stream) == 0 ? baseline_write(last->path, text, size, error)
	                                         : baseline_no_memory(last->path, error);
	free(text);
	return status;
}

enum status baseline_write_last(const char *folder, const char *id, struct error *error)
{
	struct baseline_last last;
	enum status status = baseline_read_last(folder, &last, error);
	if (status == STATUS_OK)
		status = rewrite(&last, id, error);
	baseline_free_last(&last);
	return status;
}
