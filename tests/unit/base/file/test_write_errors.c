/* SPDX-License-Identifier: MIT */
/* Failures to write are reported as early as possible and leave everything unchanged. */
#include "output.h"
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

EACH_TEST(output_open_folder, output_close_folder);

TEST(missing_folder_is_refused_at_once)
{
	expect_create_fails("no/such/folder/out", "cannot create: No such file or directory");
}

TEST(empty_name_is_a_usage_error)
{
	struct file_writer writer;
	struct error error = {.message = ""};

	assert_int_equal(file_create(&writer, "", &error), STATUS_USAGE);
	assert_string_equal(error.message, "the name of the file to write is empty");
}

TEST(directory_is_refused_at_once)
{
	expect_create_fails(output_folder(), "is a directory, expected the name of a file to write");
}

TEST(unwritable_folder_is_refused_at_once)
{
	uid_t user = become_nobody(0555);

	expect_create_fails(in_folder("out"), "cannot create: Permission denied");
	assert_int_equal(seteuid(user) | chmod(output_folder(), 0755), 0);
	assert_int_equal(empty_folder(), 0);
}

TEST(read_only_file_is_refused_at_once)
{
	put(in_folder("out"), "precious");
	assert_int_equal(chmod(in_folder("out"), 0444), 0);
	uid_t user = become_nobody(0777);
	expect_create_fails(in_folder("out"), "cannot create: Permission denied");
	assert_int_equal(seteuid(user), 0);
	expect_contents(in_folder("out"), "precious");
}

TEST(commit_fails_if_the_folder_was_removed)
{
	const char *inner = in_folder("inner");
	char path[400];

	snprintf(path, sizeof path, "%s/out", inner);
	assert_int_equal(mkdir(inner, 0755), 0);
	struct file_writer writer = create(path);
	fputs("x", writer.stream);
	if (writer.temporary != NULL) /* on file systems without anonymous files */
		assert_int_equal(unlink(writer.temporary), 0);
	assert_int_equal(rmdir(inner), 0);
	char message[500];
	snprintf(message, sizeof message, "%s: cannot write: No such file or directory", path);
	expect_commit_fails(&writer, message);
}

TEST(reason_of_an_earlier_failure_is_found)
{
	FILE *stream = fopen("/dev/full", "w");

	assert_non_null(stream);
	setvbuf(stream, NULL, _IONBF, 0);
	putc('x', stream);
	errno = EAGAIN;
	assert_int_equal(file_flush_error(stream), ENOSPC);
	fclose(stream);
}

TEST(commit_fails_on_a_full_device)
{
	/* Less than a buffer, and more than one. */
	for (size_t size = 1; size <= 1000000; size *= 1000000) {
		struct file_writer writer = create("/dev/full");

		for (size_t i = 0; i < size; i++)
			putc('x', writer.stream);
		expect_commit_fails(&writer, "/dev/full: cannot write: No space left on device");
	}
}

TEST(full_disk_leaves_neither_file_nor_temporary)
{
	char message[500];

	snprintf(message, sizeof message, "%s: cannot write: File too large", in_folder("out"));
	for (size_t size = 10001; size < 1000000; size *= 7) {
		struct file_writer writer = create(in_folder("out"));

		limit_file_size(10000);
		for (size_t i = 0; i < size; i++)
			putc('x', writer.stream);
		expect_commit_fails(&writer, message);
		limit_file_size(RLIM_INFINITY);
		assert_int_equal(empty_folder(), 0);
	}
}

TEST(full_disk_leaves_the_old_file)
{
	put(in_folder("out"), "old");
	struct file_writer writer = create(in_folder("out"));
	limit_file_size(1);
	fputs("new and longer", writer.stream);
	struct error error;
	assert_int_equal(file_commit(&writer, &error), STATUS_FAILED);
	limit_file_size(RLIM_INFINITY);
	expect_contents(in_folder("out"), "old");
}

TEST(circular_links_are_refused_at_once)
{
	assert_int_equal(symlink("second", in_folder("first")), 0);
	assert_int_equal(symlink("first", in_folder("second")), 0);
	expect_create_fails(in_folder("first"), "cannot create: Too many levels of symbolic links");
}
