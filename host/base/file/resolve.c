/* SPDX-License-Identifier: MIT */
/* See resolve.h. */
#include "base/file/resolve.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* As many as the kernel follows (path_resolution(7)). */
#define LINKS_MAX 40

/* The length of path up to and including its last slash. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (size_t)(slash - path + 1);
}

/* Whether this is a process's folder of open descriptors, /proc/N/fd, under any name. */
static bool holds_descriptors(const char *folder)
{
	struct statfs status;
	char *real = realpath(folder, NULL);
	bool answer = real != NULL && strcmp(real + folder_length(real), "fd") == 0 && statfs(real, &status) == 0 &&
	              status.f_type == PROC_SUPER_MAGIC;

	free(real);
	return answer;
}

static bool is_descriptor_name(const char *path)
{
	size_t length = folder_length(path);
	char *folder = length == 0 ? strdup(".") : strndup(path, length);
	bool answer = folder != NULL && holds_descriptors(folder);

	free(folder);
	return answer;
}

/* Replaces *path by the target of the link. 1: done, 0: not a link, -1: failed, see errno. */
static int follow_link(char **path)
{
	char link[PATH_MAX];
	ssize_t size = readlink(*path, link, sizeof link);

	if (size < 0)
		return errno == EINVAL || errno == ENOENT ? 0 : -1;
	size_t folder = size > 0 && link[0] == '/' ? 0 : folder_length(*path);
	char *next = malloc(folder + (size_t)size + 1);
	if (next == NULL)
		return -1;
	memcpy(next, *path, folder);
	memcpy(next + folder, link, (size_t)size);
	next[folder + (size_t)size] = '\0';
	free(*path);
	*path = next;
	return 1;
}

char *resolve_output(const char *path, bool *is_descriptor)
{
	char *current = strdup(path);
	int followed = 1;

	*is_descriptor = false;
	for (unsigned links = 0; current != NULL && followed > 0; links++) {
		*is_descriptor = is_descriptor_name(current);
		if (*is_descriptor)
			return current;
		errno = ELOOP;
		followed = links < LINKS_MAX ? follow_link(&current) : -1;
	}
	if (followed == 0)
		return current;
	free(current);
	return NULL;
}
