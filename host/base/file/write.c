/* SPDX-License-Identifier: MIT */
/* Writing whole files: see struct file_writer. */
#include "base/file/file.h"
#include "base/file/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Leftover temporary files of one process number to skip before giving up. */
#define TEMPORARY_ATTEMPTS 1000

static enum status fail_create(const char *path, struct error *error)
{
	return status_fail(error, "%s: cannot create: %s", path, strerror(errno));
}

static enum status open_directly(struct file_writer *writer, const char *path, struct error *error)
{
	free(writer->path);
	writer->path = strdup(path); /* for messages, as the user wrote it: /dev/stdout, not /proc/self/fd/1 */
	if (writer->path == NULL)
		return fail_create(path, error);
	writer->stream = fopen(path, "we");
	if (writer->stream == NULL)
		return fail_create(path, error);
	return STATUS_OK;
}

/* A name in the folder of path. It is short, so that path may have the longest name allowed. NULL: out of memory. */
static char *temporary_name(const char *path, unsigned attempt)
{
	const char *slash = strrchr(path, '/');
	int folder_length = slash == NULL ? 0 : (int)(slash - path + 1);
	size_t capacity = (size_t)folder_length + 64;
	char *name = malloc(capacity);

	if (name != NULL)
		snprintf(name, capacity, "%.*s.bareprof-%ld-%u", folder_length, path, (long)getpid(), attempt);
	return name;
}

/*
 * Finds a free temporary name: calls take(), which returns 0 or more on success and -1 with errno otherwise, and
 * returns its result; writer->temporary is then the name.
 */
static int take_temporary_name(struct file_writer *writer, int (*take)(const char *name, int descriptor),
                               int descriptor)
{
	for (unsigned attempt = 0; attempt < TEMPORARY_ATTEMPTS; attempt++) {
		writer->temporary = temporary_name(writer->path, attempt);
		if (writer->temporary == NULL)
			return -1;
		int result = take(writer->temporary, descriptor);
		if (result >= 0)
			return result;
		free(writer->temporary);
		writer->temporary = NULL;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* open() instead of mkstemp(), because open() honours the umask. */
static int create_named(const char *name, int descriptor)
{
	(void)descriptor;
	return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* The name under which an anonymous file can be linked. */
struct self_name {
	char text[64];
};

static struct self_name self_name(int descriptor)
{
	struct self_name name;

	snprintf(name.text, sizeof name.text, "/proc/self/fd/%d", descriptor);
	return name;
}

static int link_anonymous(const char *name, int descriptor)
{
	return linkat(AT_FDCWD, self_name(descriptor).text, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* A file without a name disappears with the process, even when it is killed. -1: the file system does not support it,
 * or /proc, needed to name the file later, is missing. */
static int open_anonymous(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path + 1));

	if (folder == NULL)
		return -1;
	int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(folder);
	if (descriptor < 0 || access(self_name(descriptor).text, F_OK) == 0)
		return descriptor;
	close(descriptor);
	return -1;
}

static int open_temporary(struct file_writer *writer)
{
	writer->is_renamed = true;
	int descriptor = open_anonymous(writer->path);
	return descriptor >= 0 ? descriptor : take_temporary_name(writer, create_named, -1);
}

/* Keeps the permissions of the file that is replaced. If that fails, the output is written anyway. */
static void keep_mode(int descriptor, bool exists, const struct stat *info)
{
	if (exists && fchmod(descriptor, info->st_mode & 0777) != 0)
		errno = 0;
}

/* Renaming onto a symbolic link would replace the link, so writer->path is the file it refers to. */
static enum status open_replacement(struct file_writer *writer, const char *path, bool exists, const struct stat *info,
                                    struct error *error)
{
	/* rename() would replace even a write-protected file. */
	if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
		return fail_create(path, error);
	int descriptor = open_temporary(writer);
	if (descriptor < 0)
		return fail_create(path, error);
	keep_mode(descriptor, exists, info);
	writer->stream = fdopen(descriptor, "w");
	if (writer->stream != NULL)
		return STATUS_OK;
	fail_create(path, error);
	close(descriptor);
	return STATUS_FAILED;
}

static enum status open_output(struct file_writer *writer, const char *path, struct error *error)
{
	if (path[0] == '\0')
		return status_usage(error, "the name of the file to write is empty");
	struct stat info;
	bool exists = stat(path, &info) == 0;
	if (exists && S_ISDIR(info.st_mode))
		return status_fail(error, "%s: is a directory, expected the name of a file to write", path);
	bool is_descriptor;
	writer->path = resolve_output(path, &is_descriptor);
	if (writer->path == NULL)
		return fail_create(path, error);
	/* Devices, pipes and the names of open files (/dev/stdout) cannot be replaced by a rename. */
	if (is_descriptor || (exists && !S_ISREG(info.st_mode)))
		return open_directly(writer, path, error);
	return open_replacement(writer, path, exists, &info, error);
}

enum status file_create(struct file_writer *writer, const char *path, struct error *error)
{
	*writer = (struct file_writer){0};
	if (strcmp(path, "-") == 0) {
		writer->stream = stdout;
		return STATUS_OK;
	}
	enum status status = open_output(writer, path, error);
	if (status != STATUS_OK)
		file_discard(writer);
	return status;
}

/* A stream remembers that a write failed but not why. Writing one more byte most likely fails for the same reason, and
 * the output is lost anyway. */
int file_flush_error(FILE *stream)
{
	bool failed_before = ferror(stream) != 0;

	if (fflush(stream) != 0)
		return errno;
	if (!failed_before)
		return 0;
	return write(fileno(stream), "\n", 1) < 0 ? errno : EIO;
}

/* This and the next three functions return 0 or an errno. The bytes must be on the disk before the file appears under
 * its name. Some file systems cannot synchronise. */
static int synchronise_file(int descriptor)
{
	return fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

static int close_stream(struct file_writer *writer)
{
	if (writer->stream == NULL || writer->stream == stdout)
		return 0;
	int result = fclose(writer->stream) != 0 ? errno : 0;
	writer->stream = NULL;
	return result;
}

/* Gives an anonymous file its temporary name. */
static int give_temporary_name(struct file_writer *writer)
{
	if (writer->temporary != NULL)
		return 0;
	return take_temporary_name(writer, link_anonymous, fileno(writer->stream)) < 0 ? errno : 0;
}

/* On failure the temporary name is left to file_discard(). */
static int rename_output(struct file_writer *writer)
{
	if (rename(writer->temporary, writer->path) != 0)
		return errno;
	free(writer->temporary);
	writer->temporary = NULL;
	return 0;
}

enum status file_commit(struct file_writer *writer, struct error *error)
{
	int reason = file_flush_error(writer->stream);

	if (reason == 0 && writer->is_renamed)
		reason = synchronise_file(fileno(writer->stream));
	if (reason == 0 && writer->is_renamed)
		reason = give_temporary_name(writer);
	bool is_reader_gone = reason == EPIPE && writer->stream == stdout;
	int closing = close_stream(writer);
	if (reason == 0)
		reason = closing;
	if (reason == 0 && writer->is_renamed)
		reason = rename_output(writer);
	enum status status = is_reader_gone ? STATUS_PIPE : STATUS_OK;
	if (reason != 0 && !is_reader_gone)
		status = status_fail(error, "%s: cannot write: %s",
		                     writer->path == NULL ? "standard output" : writer->path, strerror(reason));
	file_discard(writer);
	return status;
}

enum status file_write(const char *path, const void *bytes, size_t size, struct error *error)
{
	struct file_writer writer;
	enum status status = file_create(&writer, path, error);

	if (status != STATUS_OK)
		return status;
	fwrite(bytes, 1, size, writer.stream);
	return file_commit(&writer, error);
}

void file_discard(struct file_writer *writer)
{
	if (writer->stream != NULL && writer->stream != stdout)
		fclose(writer->stream);
	if (writer->temporary != NULL)
		unlink(writer->temporary);
	free(writer->temporary);
	free(writer->path);
	*writer = (struct file_writer){0};
}

enum status file_finish(struct file_writer *writer, enum status written, struct error *error)
{
	if (written == STATUS_OK)
		return file_commit(writer, error);
	file_discard(writer);
	return written;
}
