/* SPDX-License-Identifier: MIT */
/* Files appear whole or not at all, and with the right permissions. */
#include "output.h"
#include "test.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

EACH_TEST(output_open_folder, output_close_folder);

TEST(file_appears_only_when_committed)
{
	const char *path = in_folder("out");
	struct file_writer writer = create(path);

	fputs("whole", writer.stream);
	fflush(writer.stream);
	assert_int_not_equal(access(path, F_OK), 0);
	commit(&writer);
	expect_contents(path, "whole");
}

TEST(old_file_stays_until_the_new_one_is_whole)
{
	const char *path = in_folder("out");

	put(path, "old");
	struct file_writer writer = create(path);
	fputs("new", writer.stream);
	fflush(writer.stream);
	expect_contents(path, "old");
	commit(&writer);
	expect_contents(path, "new");
}

TEST(discarded_file_leaves_nothing)
{
	struct file_writer writer = create(in_folder("out"));

	fputs("half", writer.stream);
	file_discard(&writer);
	file_discard(&writer);
	assert_int_equal(empty_folder(), 0);
}

TEST(discarding_an_all_zero_writer_does_nothing)
{
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

TEST(new_file_honours_the_umask)
{
	const char *path = in_folder("out");

	umask(027);
	put(path, "x");
	umask(022);
	assert_int_equal(mode_of(path), 0640);
}

TEST(replaced_file_keeps_its_permissions)
{
	const char *path = in_folder("out");

	put(path, "x");
	assert_int_equal(chmod(path, 0604), 0);
	put(path, "y");
	assert_int_equal(mode_of(path), 0604);
	expect_contents(path, "y");
}

TEST(symbolic_link_is_followed)
{
	put(in_folder("file"), "old");
	assert_int_equal(symlink("file", in_folder("link")), 0);
	put(in_folder("link"), "new");
	expect_contents(in_folder("file"), "new");
	struct stat status;
	assert_int_equal(lstat(in_folder("link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
}

TEST(longest_name_can_be_written)
{
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	char path[600];
	snprintf(path, sizeof path, "%s/%s", output_folder(), name);
	put(path, "x");
	expect_contents(path, "x");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(empty_folder(), 0);
}

TEST(leftovers_of_a_killed_run_are_skipped)
{
	struct file_writer killed = create(in_folder("out"));
	struct file_writer writer = create(in_folder("out"));

	fputs("x", writer.stream);
	commit(&writer);
	expect_contents(in_folder("out"), "x");
	file_discard(&killed);
}

TEST(killed_run_leaves_nothing_where_files_can_be_anonymous)
{
	int ready[2];

	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		struct file_writer writer = create(in_folder("out"));
		char is_anonymous = writer.temporary == NULL;

		fputs("half", writer.stream);
		fflush(writer.stream);
		_exit(write(ready[1], &is_anonymous, 1) == 1 && pause());
	}
	char is_anonymous;
	assert_int_equal(read(ready[0], &is_anonymous, 1), 1);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(empty_folder(), is_anonymous ? 0 : 1);
}

TEST(link_to_a_missing_file_creates_it)
{
	struct stat status;

	assert_int_equal(symlink("second", in_folder("first")), 0);
	assert_int_equal(symlink("file", in_folder("second")), 0);
	put(in_folder("first"), "new");
	expect_contents(in_folder("file"), "new");
	assert_int_equal(lstat(in_folder("first"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(lstat(in_folder("second"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
}

/* Writes half a file at path and discards it. */
static void write_and_discard(const char *path)
{
	struct file_writer writer = create(path);

	fputs("half", writer.stream);
	fflush(writer.stream);
	file_discard(&writer);
}

TEST(path_that_begins_with_dev_is_still_a_file)
{
	char path[PATH_MAX + 32];
	char *real = realpath(output_folder(), NULL);

	assert_non_null(real);
	snprintf(path, sizeof path, "/dev/..%s/out", real);
	free(real);
	put(path, "old");
	write_and_discard(path);
	expect_contents(in_folder("out"), "old");
}

TEST(file_in_shared_memory_stays_until_the_new_one_is_whole)
{
	char path[64];

	snprintf(path, sizeof path, "/dev/shm/bareprof-test-%ld", (long)getpid());
	put(path, "old");
	write_and_discard(path);
	expect_contents(path, "old");
	put(path, "new");
	expect_contents(path, "new");
	assert_int_equal(unlink(path), 0);
}

/* Changes the root to the folder, so there is no /proc. Other users than root first become root of a user namespace. */
static bool enter(const char *root)
{
	return (geteuid() == 0 || unshare(CLONE_NEWUSER) == 0) && chroot(root) == 0 && chdir("/") == 0;
}

TEST(file_is_written_without_proc)
{
	int result;

	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		struct file_writer writer;
		struct error error;

		if (!enter(output_folder()))
			_exit(2);
		if (file_create(&writer, "/out", &error) != STATUS_OK)
			_exit(3);
		fputs("whole", writer.stream);
		_exit(file_commit(&writer, &error) == STATUS_OK ? 0 : 4);
	}
	assert_int_equal(waitpid(child, &result, 0), child);
	assert_true(WIFEXITED(result));
	assert_int_equal(WEXITSTATUS(result), 0);
	expect_contents(in_folder("out"), "whole");
}
