/* SPDX-License-Identifier: MIT */
/* See user.h. */
#include "base/file/user.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if the process has this file open. */
static bool has_open(const char *process, const char *wanted)
{
	char path[PATH_MAX], target[PATH_MAX];
	const struct dirent *entry;
	bool found = false;

	snprintf(path, sizeof path, "/proc/%s/fd", process);
	DIR *files = opendir(path);
	while (files != NULL && !found && (entry = readdir(files)) != NULL) {
		ssize_t length = readlinkat(dirfd(files), entry->d_name, target, sizeof target - 1);

		target[length < 0 ? 0 : length] = 0;
		found = strcmp(target, wanted) == 0;
	}
	if (files != NULL)
		closedir(files);
	return found;
}

static void name_process(const char *process, char *text, size_t capacity)
{
	char path[PATH_MAX], name[64] = "";

	snprintf(path, sizeof path, "/proc/%s/comm", process);
	FILE *file = fopen(path, "re");
	if (file != NULL && fgets(name, sizeof name, file) != NULL)
		name[strcspn(name, "\n")] = 0;
	if (file != NULL)
		fclose(file);
	snprintf(text, capacity, "%s (process %s)", name[0] ? name : "a program", process);
}

bool file_find_user(const char *path, char *user, size_t capacity)
{
	const struct dirent *entry;
	bool found = false;
	long self = (long)getpid();

	DIR *processes = opendir("/proc");
	while (processes != NULL && !found && (entry = readdir(processes)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]) || strtol(entry->d_name, NULL, 10) == self)
			continue;
		found = has_open(entry->d_name, path);
		if (found)
			name_process(entry->d_name, user, capacity);
	}
	if (processes != NULL)
		closedir(processes);
	return found;
}
