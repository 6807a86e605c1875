/* SPDX-License-Identifier: MIT */
/* See output.h. */
#include "output.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];

const char *output_folder(void)
{
	return folder;
}

const char *in_folder(const char *name)
{
	static char paths[2][600];
	static unsigned turn;

	turn = !turn;
	snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
	return paths[turn];
}

int output_open_folder(void **state)
{
	const char *build = getenv("BUILD");

	snprintf(folder, sizeof folder, "%s/unit-file-XXXXXX", build == NULL ? "build" : build);
	umask(022);
	return mkdtemp(folder) == NULL ? -1 : 0;
}

/* Removes all files; returns how many of them had names with this prefix. */
static int empty(const char *prefix)
{
	DIR *directory = opendir(folder);

	assert_non_null(directory);
	int count = 0;
	for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
		if (unlink(in_folder(entry->d_name)) == 0)
			count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	closedir(directory);
	return count;
}

int empty_folder(void)
{
	return empty("");
}

int output_close_folder(void **state)
{
	int leftovers = empty(".bareprof-");

	return rmdir(folder) != 0 || leftovers > 0 ? -1 : 0;
}

int redirect(int descriptor, int file)
{
	int saved = dup(descriptor);

	assert_true(saved >= 0 && file >= 0 && dup2(file, descriptor) == descriptor);
	close(file);
	return saved;
}

uid_t become_nobody(mode_t mode)
{
	uid_t user = geteuid();

	assert_int_equal(chmod(folder, mode), 0);
	if (user == 0)
		assert_int_equal(seteuid(65534), 0);
	return user;
}

void limit_file_size(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	signal(SIGXFSZ, size == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
}

struct file_writer create(const char *path)
{
	struct file_writer writer;

	assert_success(file_create(&writer, path, &failure), &failure);
	return writer;
}

void commit(struct file_writer *writer)
{
	assert_success(file_commit(writer, &failure), &failure);
	assert_null(writer->stream);
	assert_null(writer->path);
	file_discard(writer);
}

void expect_commit_fails(struct file_writer *writer, const char *message)
{
	struct error error = {.message = ""};

	assert_int_equal(file_commit(writer, &error), STATUS_FAILED);
	assert_string_equal(error.message, message);
	file_discard(writer);
}

void expect_create_fails(const char *path, const char *reason)
{
	struct file_writer writer;
	struct error error = {.message = ""};
	char message[600];

	snprintf(message, sizeof message, "%s: %s", path, reason);
	assert_int_equal(file_create(&writer, path, &error), STATUS_FAILED);
	assert_string_equal(error.message, message);
	file_discard(&writer);
}

void expect_contents(const char *path, const char *text)
{
	uint8_t *bytes;
	size_t size;
	struct error error;

	assert_int_equal(file_read(path, &bytes, &size, &error), STATUS_OK);
	assert_int_equal(size, strlen(text));
	assert_memory_equal(bytes, text, size);
	free(bytes);
}

void put(const char *path, const char *text)
{
	struct file_writer writer = create(path);

	fputs(text, writer.stream);
	commit(&writer);
}
