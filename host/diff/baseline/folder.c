/* SPDX-License-Identifier: MIT */
/* See folder.h. */
#include "diff/baseline/folder.h"

#include "base/file/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum status baseline_no_memory(const char *folder, struct error *error)
{
	return status_no_memory(error, folder);
}

bool baseline_is_id(const char *text, size_t length)
{
	bool is_hexadecimal = true;

	for (size_t i = 0; i < length && is_hexadecimal; i++)
		is_hexadecimal = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
	return is_hexadecimal && length >= 2 * BASELINE_ID_BYTES_MIN && length <= 2 * BASELINE_ID_BYTES_MAX &&
	       length % 2 == 0;
}

char *baseline_path(const char *folder, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

bool baseline_is_folder(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool baseline_is_file(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

int baseline_is_capture_name(const struct dirent *entry)
{
	char expected[BASELINE_NAME_SIZE];
	unsigned number = (unsigned)strtoul(entry->d_name, NULL, 10) % (BASELINE_NUMBER_MAX + 1);

	snprintf(expected, sizeof expected, BASELINE_NAME_FORMAT, number);
	return number > 0 && strcmp(entry->d_name, expected) == 0;
}

int baseline_is_build_name(const struct dirent *entry)
{
	return baseline_is_id(entry->d_name, strlen(entry->d_name));
}

enum status baseline_list(const char *path, int (*is_wanted)(const struct dirent *entry), struct dirent ***entries,
                          size_t *count, struct error *error)
{
	int found = scandir(path, entries, is_wanted, alphasort);

	*count = found < 0 ? 0 : (size_t)found;
	return found < 0 ? status_fail(error, "%s: cannot open: %s", path, strerror(errno)) : STATUS_OK;
}

void baseline_free_entries(struct dirent **entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

void baseline_free(struct baseline_build *build)
{
	for (size_t i = 0; i < build->capture_count; i++)
		free(build->captures[i]);
	free(build->captures);
	free(build->firmware);
	free(build->id);
	*build = (struct baseline_build){0};
}

enum status baseline_write(const char *path, const void *bytes, size_t size, struct error *error)
{
	struct stat found;
	struct file_writer writer;

	if (lstat(path, &found) == 0 && !S_ISREG(found.st_mode))
		return status_fail(error, "%s: not a regular file, so it is not overwritten", path);
	enum status status = file_create(&writer, path, error);
	if (status != STATUS_OK)
		return status;
	fwrite(bytes, 1, size, writer.stream);
	return file_commit(&writer, error);
}
