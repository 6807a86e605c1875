/* SPDX-License-Identifier: MIT */
/* Finds builds that were kept. */
#include "diff/baseline/folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The fewest digits that identify a build. */
#define DIGITS_MIN 4

char *baseline_id(const struct image *image)
{
	char *id = calloc(2 * image->build_id_size + 1, 1);
	for (size_t i = 0; id != NULL && i < image->build_id_size; i++)
		snprintf(id + 2 * i, 3, "%02x", image->build_id[i]);
	return id;
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

/* Entries are sorted: those that begin alike are neighbours, the shortest first. */
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
	return baseline_load(folder, found, build, error);
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
	return baseline_load(folder, id, build, error);
}

enum status baseline_find_last(const char *folder, const char *except, struct baseline_build *build,
                               struct error *error)
{
	struct baseline_last last;
	const char *found = NULL;
	*build = (struct baseline_build){0};
	enum status status = baseline_read_last(folder, &last, error);
	for (const char *id = NULL; status == STATUS_OK && (id = baseline_next_id(&last, id)) != NULL;)
		if (except == NULL || strcmp(id, except) != 0)
			found = id;
	if (found != NULL)
		status = load_last(folder, found, build, error);
	baseline_free_last(&last);
	return status;
}
