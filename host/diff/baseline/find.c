/* SPDX-License-Identifier: MIT */
/* The search for kept builds, by build-id or by order. The file FOLDER/last lists build-ids in the order in which the
 * builds were kept, one per line, the latest last. */
#include "base/file/file.h"
#include "diff/baseline/folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LAST_SIZE_MAX ((size_t)16 * 1024 * 1024)

/* FOLDER/last; ids is NULL if there is no such file. */
struct last {
	char *path;
	char *ids; /* each ends with a zero byte; the latest build is last */
	size_t size;
};

/* Checks the lines, and replaces their ends by zero bytes. */
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

static enum status read_file(const char *path, struct last *last, struct error *error)
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

/* Freed by free_last(), also after a failure. */
static enum status read_last(const char *folder, struct last *last, struct error *error)
{
	*last = (struct last){.path = baseline_path(folder, "last")};
	return last->path == NULL ? baseline_no_memory(folder, error) : read_file(last->path, last, error);
}

/* The first build-id after NULL, then the one after id; NULL after the last one. */
static const char *next_id(const struct last *last, const char *id)
{
	const char *next = id == NULL ? last->ids : id + strlen(id) + 1;

	return next == NULL || next >= last->ids + last->size ? NULL : next;
}

static void free_last(struct last *last)
{
	free(last->path);
	free(last->ids);
}

static enum status rewrite(const struct last *last, const char *id, struct error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL)
		return baseline_no_memory(last->path, error);
	for (const char *other = NULL; (other = next_id(last, other)) != NULL;)
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
	struct last last;
	enum status status = read_last(folder, &last, error);

	if (status == STATUS_OK)
		status = rewrite(&last, id, error);
	free_last(&last);
	return status;
}

/* --- Loading. */

/* Adds a file that is a capture. An empty one is still being written by another process. */
static enum status add_capture(struct baseline_build *build, const char *path, const char *name, struct error *error)
{
	char *capture = baseline_path(path, name);
	struct stat status;

	if (capture == NULL)
		return baseline_no_memory(path, error);
	if (lstat(capture, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		build->captures[build->capture_count++] = capture;
	else
		free(capture);
	return STATUS_OK;
}

static enum status load_captures(const char *path, struct baseline_build *build, struct error *error)
{
	struct dirent **entries;
	size_t count;
	enum status status = baseline_list(path, baseline_is_capture_name, &entries, &count, error);

	if (status != STATUS_OK)
		return status;
	build->captures = calloc(count + 1, sizeof *build->captures);
	if (build->captures == NULL)
		status = baseline_no_memory(path, error);
	for (size_t i = 0; build->captures != NULL && status == STATUS_OK && i < count; i++)
		status = add_capture(build, path, entries[i]->d_name, error);
	baseline_free_entries(entries, count);
	if (status == STATUS_OK && build->capture_count == 0)
		return status_fail(error, "%s: contains no capture such as 0001.bprof", path);
	return status;
}

/* Loads FOLDER/ID; fails if firmware or captures are missing, and then leaves the build empty. */
static enum status load(const char *folder, const char *id, struct baseline_build *build, struct error *error)
{
	char *path = baseline_path(folder, id);

	build->id = strdup(id);
	build->firmware = path == NULL ? NULL : baseline_path(path, "firmware.elf");
	enum status status;
	if (build->id == NULL || build->firmware == NULL)
		status = baseline_no_memory(folder, error);
	else if (!baseline_is_folder(path))
		status = status_fail(error, "%s: not a folder", path);
	else if (!baseline_is_file(build->firmware))
		status = status_fail(error, "%s: missing or not a regular file", build->firmware);
	else
		status = load_captures(path, build, error);
	if (status != STATUS_OK)
		baseline_free(build);
	free(path);
	return status;
}

/* --- Finding. */

/* The fewest digits that identify a build. */
#define DIGITS_MIN 4

char *baseline_id(const struct image *image)
{
	char text[IMAGE_BUILD_ID_TEXT_SIZE];

	return strdup(image_format_build_id(image, text));
}

/* Converts the digits to the form of folder names; false if they cannot begin a build-id. */
static bool read_digits(const char *id, char digits[2 * BASELINE_ID_BYTES_MAX + 1])
{
	size_t length = strlen(id);

	if (length < DIGITS_MIN || length > 2 * BASELINE_ID_BYTES_MAX)
		return false;
	for (size_t i = 0; i <= length; i++)
		digits[i] = (char)tolower((unsigned char)id[i]);
	return strspn(digits, "0123456789abcdef") == length;
}

/* Entries are sorted, so those with a common prefix are neighbours, the shortest first. */
static enum status load_only(const char *folder, struct dirent *const *entries, size_t count, const char *digits,
                             struct baseline_build *build, struct error *error)
{
	size_t first = 0, length = strlen(digits);

	while (first < count && strncmp(entries[first]->d_name, digits, length) != 0)
		first++;
	if (first == count)
		return status_fail(error, "%s: contains no build whose build-id begins with %s", folder, digits);
	const char *found = entries[first]->d_name;
	if (strlen(found) > length && first + 1 < count && strncmp(entries[first + 1]->d_name, digits, length) == 0)
		return status_fail(error, "%s: more than one build-id begins with %s: %s, %s", folder, digits, found,
		                   entries[first + 1]->d_name);
	return load(folder, found, build, error);
}

enum status baseline_find(const char *folder, const char *id, struct baseline_build *build, struct error *error)
{
	char digits[2 * BASELINE_ID_BYTES_MAX + 1];
	struct dirent **entries;
	size_t count;

	*build = (struct baseline_build){0};
	if (!read_digits(id, digits))
		return status_usage(error,
		                    "'%.40s' is not a build-id: expected %d to %d hexadecimal digits, or the first "
		                    "ones if no other build begins with them",
		                    id, DIGITS_MIN, 2 * BASELINE_ID_BYTES_MAX);
	enum status status = baseline_list(folder, baseline_is_build_name, &entries, &count, error);
	if (status != STATUS_OK)
		return status;
	status = load_only(folder, entries, count, digits, build, error);
	baseline_free_entries(entries, count);
	return status;
}

/* Fails rather than choose an older build: the user may not know that the folder is missing. */
static enum status load_last(const char *folder, const char *id, struct baseline_build *build, struct error *error)
{
	char *path = baseline_path(folder, id);
	struct stat found;
	bool is_gone = path != NULL && lstat(path, &found) != 0 && errno == ENOENT;

	free(path);
	if (is_gone)
		return status_fail(error, "%s/last: the folder of build %s is missing; restore it or remove its line",
		                   folder, id);
	return load(folder, id, build, error);
}

enum status baseline_find_last(const char *folder, const char *except, struct baseline_build *build,
                               struct error *error)
{
	struct last last;
	const char *found = NULL;

	*build = (struct baseline_build){0};
	enum status status = read_last(folder, &last, error);
	for (const char *id = NULL; status == STATUS_OK && (id = next_id(&last, id)) != NULL;)
		if (except == NULL || strcmp(id, except) != 0)
			found = id;
	if (found != NULL)
		status = load_last(folder, found, build, error);
	free_last(&last);
	return status;
}
