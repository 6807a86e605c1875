/* SPDX-License-Identifier: MIT */
/* See source.h. */
#include "report/source.h"

#include "base/array.h"
#include "base/file/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SOURCE_SIZE_MAX ((size_t)64 << 20)

/* While more bytes than this are open, no other source is opened. */
#define SOURCES_SIZE_MAX ((size_t)64 << 20)

struct opened_source {
	const char *name;
	struct source_file source;
	bool is_found;
};

/* Returns a copy of name with its prefix replaced, malloc'd; NULL when out of memory. */
static char *replace_prefix(const struct output_source_paths *paths, const char *name)
{
	for (size_t i = 0; i < paths->prefix_count; i++) {
		const struct output_source_prefix *prefix = &paths->prefixes[i];

		if (strncmp(name, prefix->old, prefix->old_length) != 0)
			continue;
		char *replaced = NULL;
		return asprintf(&replaced, "%s%s", prefix->new, name + prefix->old_length) < 0 ? NULL : replaced;
	}
	return strdup(name);
}

static char *path_in_folder(const char *folder, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Reads path if it is a source file; source then owns path, which is freed otherwise. */
static bool take_if_source(struct source_file *source, char *path)
{
	struct error ignored;

	if (path != NULL &&
	    file_read_regular(path, SOURCE_SIZE_MAX, &source->bytes, &source->size, &ignored) == STATUS_OK) {
		source->path = path;
		return true;
	}
	free(path);
	return false;
}

static bool find_source_file(const struct output_source_paths *paths, const char *name, struct source_file *source)
{
	if (take_if_source(source, strdup(name)))
		return true;
	const char *slash = strrchr(name, '/');
	for (size_t i = 0; i < paths->folder_count; i++)
		if (take_if_source(source, path_in_folder(paths->folders[i], name)))
			return true;
	for (size_t i = 0; slash != NULL && i < paths->folder_count; i++)
		if (take_if_source(source, path_in_folder(paths->folders[i], slash + 1)))
			return true;
	return paths->compilation_folder != NULL &&
	       take_if_source(source, path_in_folder(paths->compilation_folder, name));
}

static size_t count_lines(const uint8_t *bytes, size_t size)
{
	size_t count = size > 0 && bytes[size - 1] != '\n';

	for (size_t i = 0; i < size; i++)
		count += bytes[i] == '\n';
	return count;
}

static enum status split_source_lines(struct source_file *source, struct error *error)
{
	size_t size = source->size;

	source->line_count = count_lines(source->bytes, size);
	source->line_start = calloc(source->line_count + 1, sizeof *source->line_start);
	if (source->line_start == NULL)
		return status_no_memory(error, source->path);
	size_t line = 0;
	for (size_t i = 0; i < size && line < source->line_count; i++)
		if (source->bytes[i] == '\n')
			source->line_start[++line] = (uint32_t)(i + 1);
	source->line_start[source->line_count] = (uint32_t)size;
	return STATUS_OK;
}

enum status source_open(const struct output_source_paths *paths, const char *name, struct source_file *source,
                        struct error *error)
{
	*source = (struct source_file){.path = NULL};
	char *wanted = replace_prefix(paths, name);
	bool is_found = wanted != NULL && find_source_file(paths, wanted, source);
	free(wanted);
	if (!is_found)
		return status_fail(error, "no source");
	return split_source_lines(source, error);
}

void source_close(struct source_file *source)
{
	free(source->path);
	free(source->bytes);
	free(source->line_start);
}

bool source_is_newer(const struct source_file *source, const char *path)
{
	struct stat mine, other;

	if (stat(source->path, &mine) != 0 || stat(path, &other) != 0)
		return false;
	if (mine.st_mtim.tv_sec != other.st_mtim.tv_sec)
		return mine.st_mtim.tv_sec > other.st_mtim.tv_sec;
	return mine.st_mtim.tv_nsec > other.st_mtim.tv_nsec;
}

const char *source_line(const struct source_file *source, size_t line, size_t *length)
{
	*length = 0;
	if (line == 0 || line > source->line_count)
		return "";
	size_t start = source->line_start[line - 1], end = source->line_start[line];
	const char *text = (const char *)source->bytes + start;
	while (end > start && (source->bytes[end - 1] == '\n' || source->bytes[end - 1] == '\r'))
		end--;
	*length = end - start;
	return text;
}

const struct source_file *sources_find(struct sources *sources, const char *name)
{
	struct error ignored;

	for (size_t i = 0; i < sources->count; i++)
		if (sources->opened[i].name == name || strcmp(sources->opened[i].name, name) == 0)
			return sources->opened[i].is_found ? &sources->opened[i].source : NULL;
	struct opened_source opened = {.name = name};
	opened.is_found = sources->size <= SOURCES_SIZE_MAX &&
	                  source_open(&sources->paths, name, &opened.source, &ignored) == STATUS_OK;
	if (!array_append(&sources->opened, &sources->count, &opened, sizeof opened)) {
		source_close(&opened.source);
		return NULL;
	}
	sources->size += opened.source.size;
	return opened.is_found ? &sources->opened[sources->count - 1].source : NULL;
}

void sources_trim(struct sources *sources)
{
	if (sources->size > SOURCES_SIZE_MAX)
		sources_free(sources);
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		source_close(&sources->opened[i].source);
	free(sources->opened);
	sources->opened = NULL;
	sources->count = 0;
	sources->size = 0;
}
