/* SPDX-License-Identifier: MIT */
/* The file that lists build-ids in the order in which the builds were kept, one per line, the latest last. */
#include "base/array.h"
#include "base/file/file.h"
#include "diff/baseline/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_SIZE_MAX ((size_t)16 * 1024 * 1024)

static char *last_path(const char *folder)
{
	return baseline_path(folder, "last");
}

static enum status add_id(const char *path, const char *line, size_t length, char ***ids, size_t *count,
                          struct error *error)
{
	if (!baseline_is_id(line, length))
		return status_fail(error, "%s: line %zu is not a build-id", path, *count + 1);
	char **larger = array_reserve(*ids, sizeof **ids, *count), *id = strndup(line, length);
	if (larger != NULL)
		*ids = larger;
	if (larger == NULL || id == NULL) {
		free(id);
		return baseline_no_memory(path, error);
	}
	larger[(*count)++] = id;
	return STATUS_OK;
}

static enum status read_file(const char *path, char ***ids, size_t *count, struct error *error)
{
	uint8_t *bytes;
	size_t size;
	struct stat found;
	if (lstat(path, &found) != 0 && errno == ENOENT)
		return STATUS_OK;
	if (!baseline_is_file(path))
		return status_fail(error, "%s: not a regular file", path);
	enum status status = file_read_regular(path, LAST_SIZE_MAX, &bytes, &size, error);
	if (status != STATUS_OK)
		return status;
	for (size_t at = 0; status == STATUS_OK && at < size;) {
		const char *line = (const char *)bytes + at, *end = memchr(line, '\n', size - at);
		size_t length = end == NULL ? size - at : (size_t)(end - line);
		status = add_id(path, line, length, ids, count, error);
		at += length + 1;
	}
	free(bytes);
	return status;
}

enum status baseline_read_last(const char *folder, char ***ids, size_t *count, struct error *error)
{
	char *path = last_path(folder);
	*ids = NULL;
	*count = 0;
	enum status status = path == NULL ? baseline_no_memory(folder, error) : read_file(path, ids, count, error);
	free(path);
	return status;
}

void baseline_free_ids(char **ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(ids[i]);
	free(ids);
}

static enum status rewrite(const char *path, char *const *ids, size_t count, const char *id, struct error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	if (stream == NULL)
		return baseline_no_memory(path, error);
	for (size_t i = 0; i < count; i++)
		if (strcmp(ids[i], id) != 0)
			fprintf(stream, "%s\n", ids[i]);
	fprintf(stream, "%s\n", id);
	enum status status =
	        fclose(stream) == 0 ? baseline_write(path, text, size, error) : baseline_no_memory(path, error);
	free(text);
	return status;
}

enum status baseline_write_last(const char *folder, const char *id, struct error *error)
{
	char **ids;
	size_t count;
	char *path = last_path(folder);
	enum status status = baseline_read_last(folder, &ids, &count, error);
	if (status == STATUS_OK)
		status = path == NULL ? baseline_no_memory(folder, error) : rewrite(path, ids, count, id, error);
	baseline_free_ids(ids, count);
	free(path);
	return status;
}
