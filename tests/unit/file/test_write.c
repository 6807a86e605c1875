/* SPDX-License-Identifier: MIT */
/* A file appears whole or not at all, whatever goes wrong while it is written. */
#include "file/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[256];

/* The path of a file in the folder; the last two answers are valid. */
static const char *in_folder(const char *name)
{
	static char paths[2][600];
	static unsigned turn;
	turn = !turn;
	snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
	return paths[turn];
}

static int open_folder(void **state)
{
	(void)state;
	const char *build = getenv("BUILD");
	snprintf(folder, sizeof folder, "%s/unit-file-XXXXXX", build == NULL ? "build" : build);
	umask(022);
	return mkdtemp(folder) == NULL ? -1 : 0;
}

/* Removes all files of the folder; returns how many there were. */
static int empty_folder(void)
{
	DIR *directory = opendir(folder);
	assert_non_null(directory);
	int count = 0;
	for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		unlink(in_folder(entry->d_name));
		count++;
	}
	closedir(directory);
	return count;
}

static int close_folder(void **state)
{
	(void)state;
	empty_folder();
	return rmdir(folder);
}

static struct file_writer create(const char *path)
{
	struct file_writer writer;
	struct error error;
	if (file_create(&writer, path, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return writer;
}

static void commit(struct file_writer *writer)
{
	struct error error;
	if (file_commit(writer, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_null(writer->stream);
	assert_null(writer->path);
	file_discard(writer);
}

static void expect_commit_fails(struct file_writer *writer, const char *message)
{
	struct error error = {.message = ""};
	assert_int_equal(file_commit(writer, &error), STATUS_FAILED);
	assert_string_equal(error.message, message);
	file_discard(writer);
}

static void expect_create_fails(const char *path, const char *reason)
{
	struct file_writer writer;
	struct error error = {.message = ""};
	char message[600];
	snprintf(message, sizeof message, "%s: %s", path, reason);
	assert_int_equal(file_create(&writer, path, &error), STATUS_FAILED);
	assert_string_equal(error.message, message);
	file_discard(&writer);
}

static void expect_contents(const char *path, const char *text)
{
	uint8_t *bytes;
	size_t size;
	struct error error;
	assert_int_equal(file_read(path, &bytes, &size, &error), STATUS_OK);
	assert_int_equal(size, strlen(text));
	assert_memory_equal(bytes, text, size);
	free(bytes);
}

static void put(const char *path, const char *text)
{
	struct file_writer writer = create(path);
	fputs(text, writer.stream);
	commit(&writer);
}

static void file_appears_only_when_committed(void **state)
{
	(void)state;
	const char *path = in_folder("out");
	struct file_writer writer = create(path);
	fputs("whole", writer.stream);
	fflush(writer.stream);
	assert_int_not_equal(access(path, F_OK), 0);
	commit(&writer);
	expect_contents(path, "whole");
	assert_int_equal(empty_folder(), 1);
}

static void old_file_stays_until_the_new_one_is_whole(void **state)
{
	(void)state;
	const char *path = in_folder("out");
	put(path, "old");
	struct file_writer writer = create(path);
	fputs("new", writer.stream);
	fflush(writer.stream);
	expect_contents(path, "old");
	commit(&writer);
	expect_contents(path, "new");
	assert_int_equal(empty_folder(), 1);
}

static void discarded_file_leaves_nothing(void **state)
{
	(void)state;
	struct file_writer writer = create(in_folder("out"));
	fputs("half", writer.stream);
	file_discard(&writer);
	file_discard(&writer);
	assert_int_equal(empty_folder(), 0);
}

static void discard_of_a_zero_writer_does_nothing(void **state)
{
	(void)state;
	struct file_writer writer = {0};
	file_discard(&writer);
	assert_null(writer.stream);
}

static mode_t mode_of(const char *path)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 0777;
}

static void new_file_honours_the_umask(void **state)
{
	(void)state;
	const char *path = in_folder("out");
	umask(027);
	put(path, "x");
	umask(022);
	assert_int_equal(mode_of(path), 0640);
	assert_int_equal(empty_folder(), 1);
}

static void replaced_file_keeps_its_permissions(void **state)
{
	(void)state;
	const char *path = in_folder("out");
	put(path, "x");
	assert_int_equal(chmod(path, 0604), 0);
	put(path, "y");
	assert_int_equal(mode_of(path), 0604);
	expect_contents(path, "y");
	assert_int_equal(empty_folder(), 1);
}

static void symbolic_link_is_followed(void **state)
{
	(void)state;
	put(in_folder("file"), "old");
	assert_int_equal(symlink("file", in_folder("link")), 0);
	put(in_folder("link"), "new");
	expect_contents(in_folder("file"), "new");
	struct stat status;
	assert_int_equal(lstat(in_folder("link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(empty_folder(), 2);
}

static void name_of_the_greatest_length_can_be_written(void **state)
{
	(void)state;
	char name[256];
	memset(name, 'n', 255);
	name[255] = '\0';
	char path[600];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	put(path, "x");
	expect_contents(path, "x");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(empty_folder(), 0);
}

static void leftover_of_a_killed_run_is_no_obstacle(void **state)
{
	(void)state;
	struct file_writer killed = create(in_folder("out"));
	struct file_writer writer = create(in_folder("out"));
	fputs("x", writer.stream);
	commit(&writer);
	expect_contents(in_folder("out"), "x");
	file_discard(&killed);
	assert_int_equal(empty_folder(), 1);
}

static void missing_folder_is_refused_at_once(void **state)
{
	(void)state;
	expect_create_fails("no/such/folder/out", "cannot create: No such file or directory");
}

static void empty_name_is_a_usage_error(void **state)
{
	(void)state;
	struct file_writer writer;
	struct error error = {.message = ""};
	assert_int_equal(file_create(&writer, "", &error), STATUS_USAGE);
	assert_string_equal(error.message, "the name of the file to write is empty");
}

static void directory_is_refused_at_once(void **state)
{
	(void)state;
	expect_create_fails(folder, "is a directory, expected the name of a file to write");
}

/* Permissions do not bind root, so root becomes somebody else meanwhile. */
#define NOBODY 65534

static void unwritable_folder_is_refused_at_once(void **state)
{
	(void)state;
	uid_t user = geteuid();
	assert_int_equal(chmod(folder, 0555), 0);
	if (user == 0)
		assert_int_equal(seteuid(NOBODY), 0);
	expect_create_fails(in_folder("out"), "cannot create: Permission denied");
	assert_int_equal(seteuid(user), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(empty_folder(), 0);
}

static void read_only_file_is_refused_at_once(void **state)
{
	(void)state;
	uid_t user = geteuid();
	put(in_folder("out"), "precious");
	assert_int_equal(chmod(in_folder("out"), 0444), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	if (user == 0)
		assert_int_equal(seteuid(NOBODY), 0);
	expect_create_fails(in_folder("out"), "cannot create: Permission denied");
	assert_int_equal(seteuid(user), 0);
	expect_contents(in_folder("out"), "precious");
	assert_int_equal(empty_folder(), 1);
}

static void folder_removed_meanwhile_fails_the_commit(void **state)
{
	(void)state;
	const char *inner = in_folder("inner");
	char path[400];
	snprintf(path, sizeof path, "%s/out", inner);
	assert_int_equal(mkdir(inner, 0755), 0);
	struct file_writer writer = create(path);
	fputs("x", writer.stream);
	if (writer.temporary != NULL) /* on file systems without nameless files */
		assert_int_equal(unlink(writer.temporary), 0);
	assert_int_equal(rmdir(inner), 0);
	char message[500];
	snprintf(message, sizeof message, "%s: cannot write: No such file or directory", path);
	expect_commit_fails(&writer, message);
}

static void killed_run_leaves_nothing_where_files_may_be_nameless(void **state)
{
	(void)state;
	int ready[2];
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		struct file_writer writer = create(in_folder("out"));
		char nameless = writer.temporary == NULL;
		fputs("half", writer.stream);
		fflush(writer.stream);
		_exit(write(ready[1], &nameless, 1) == 1 && pause());
	}
	char nameless;
	assert_int_equal(read(ready[0], &nameless, 1), 1);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(empty_folder(), nameless ? 0 : 1);
}

static void full_device_fails_the_commit(void **state)
{
	(void)state;
	/* Less than a buffer, and more than one. */
	for (size_t size = 1; size <= 1000000; size *= 1000000) {
		struct file_writer writer = create("/dev/full");
		for (size_t i = 0; i < size; i++)
			putc('x', writer.stream);
		expect_commit_fails(&writer, "/dev/full: cannot write: No space left on device");
	}
}

static void full_disk_leaves_neither_file_nor_temporary(void **state)
{
	(void)state;
	struct rlimit unlimited;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	struct rlimit limit = {.rlim_cur = 10000, .rlim_max = unlimited.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	char message[500];
	snprintf(message, sizeof message, "%s: cannot write: File too large", in_folder("out"));
	for (size_t size = 10001; size < 1000000; size *= 7) {
		struct file_writer writer = create(in_folder("out"));
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		for (size_t i = 0; i < size; i++)
			putc('x', writer.stream);
		expect_commit_fails(&writer, message);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
		assert_int_equal(empty_folder(), 0);
	}
	signal(SIGXFSZ, SIG_DFL);
}

static void full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	put(in_folder("out"), "old");
	struct rlimit unlimited;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	struct rlimit limit = {.rlim_cur = 1, .rlim_max = unlimited.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	struct file_writer writer = create(in_folder("out"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fputs("new and longer", writer.stream);
	struct error error;
	assert_int_equal(file_commit(&writer, &error), STATUS_FAILED);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	signal(SIGXFSZ, SIG_DFL);
	expect_contents(in_folder("out"), "old");
	assert_int_equal(empty_folder(), 1);
}

static void fifo_is_written_directly(void **state)
{
	(void)state;
	const char *path = in_folder("fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	put(path, "through");
	char text[8] = "";
	assert_int_equal(read(reader, text, 7), 7);
	assert_string_equal(text, "through");
	close(reader);
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	assert_int_equal(empty_folder(), 1);
}

/* Standard output leads to descriptor meanwhile; returns what file_commit() said. */
static enum status commit_to_standard_output(int descriptor, const char *name, size_t size, struct error *error)
{
	fflush(stdout);
	int saved = dup(STDOUT_FILENO);
	dup2(descriptor, STDOUT_FILENO);
	struct file_writer writer;
	enum status status = file_create(&writer, name, error);
	for (size_t i = 0; status == STATUS_OK && i < size; i++)
		putc('x', writer.stream);
	if (status == STATUS_OK)
		status = file_commit(&writer, error);
	clearerr(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	return status;
}

static void dash_is_standard_output_and_stays_open(void **state)
{
	(void)state;
	int file = open(in_folder("out"), O_RDWR | O_CREAT, 0600);
	struct error error;
	assert_int_equal(commit_to_standard_output(file, "-", 3, &error), STATUS_OK);
	assert_int_equal(commit_to_standard_output(file, "-", 2, &error), STATUS_OK);
	close(file);
	expect_contents(in_folder("out"), "xxxxx");
	assert_int_equal(empty_folder(), 1);
}

static void name_of_standard_output_is_written_in_place(void **state)
{
	(void)state;
	int file = open(in_folder("out"), O_RDWR | O_CREAT, 0600);
	struct stat before;
	struct stat after;
	assert_int_equal(fstat(file, &before), 0);
	struct error error;
	assert_int_equal(commit_to_standard_output(file, "/dev/stdout", 3, &error), STATUS_OK);
	close(file);
	assert_int_equal(stat(in_folder("out"), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	expect_contents(in_folder("out"), "xxx");
	assert_int_equal(empty_folder(), 1);
}

static void closed_pipe_behind_standard_output_is_an_error(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	for (size_t size = 1; size <= 1000000; size *= 1000000) {
		int ends[2];
		assert_int_equal(pipe(ends), 0);
		close(ends[0]);
		struct error error = {.message = ""};
		assert_int_equal(commit_to_standard_output(ends[1], "-", size, &error), STATUS_FAILED);
		assert_string_equal(error.message, "standard output: cannot write: Broken pipe");
		close(ends[1]);
	}
	signal(SIGPIPE, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(file_appears_only_when_committed),
	        cmocka_unit_test(old_file_stays_until_the_new_one_is_whole),
	        cmocka_unit_test(discarded_file_leaves_nothing),
	        cmocka_unit_test(discard_of_a_zero_writer_does_nothing),
	        cmocka_unit_test(new_file_honours_the_umask),
	        cmocka_unit_test(replaced_file_keeps_its_permissions),
	        cmocka_unit_test(symbolic_link_is_followed),
	        cmocka_unit_test(name_of_the_greatest_length_can_be_written),
	        cmocka_unit_test(leftover_of_a_killed_run_is_no_obstacle),
	        cmocka_unit_test(missing_folder_is_refused_at_once),
	        cmocka_unit_test(empty_name_is_a_usage_error),
	        cmocka_unit_test(read_only_file_is_refused_at_once),
	        cmocka_unit_test(directory_is_refused_at_once),
	        cmocka_unit_test(unwritable_folder_is_refused_at_once),
	        cmocka_unit_test(folder_removed_meanwhile_fails_the_commit),
	        cmocka_unit_test(killed_run_leaves_nothing_where_files_may_be_nameless),
	        cmocka_unit_test(full_device_fails_the_commit),
	        cmocka_unit_test(full_disk_leaves_neither_file_nor_temporary),
	        cmocka_unit_test(full_disk_leaves_the_old_file),
	        cmocka_unit_test(fifo_is_written_directly),
	        cmocka_unit_test(dash_is_standard_output_and_stays_open),
	        cmocka_unit_test(name_of_standard_output_is_written_in_place),
	        cmocka_unit_test(closed_pipe_behind_standard_output_is_an_error),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
