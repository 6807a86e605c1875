/* SPDX-License-Identifier: MIT */
/* Outputs that are written in place: pipes, devices, standard output, open descriptors. */
#include "output.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

EACH_TEST(output_open_folder, output_close_folder);

TEST(fifo_is_written_directly)
{
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
}

/* Writes with standard output redirected to descriptor; returns the result of file_commit(). */
static enum status commit_to_standard_output(int descriptor, const char *name, size_t size, struct error *error)
{
	fflush(stdout);
	int saved = redirect(STDOUT_FILENO, dup(descriptor));
	struct file_writer writer;
	enum status status = file_create(&writer, name, error);
	for (size_t i = 0; status == STATUS_OK && i < size; i++)
		putc('x', writer.stream);
	if (status == STATUS_OK)
		status = file_commit(&writer, error);
	clearerr(stdout);
	close(redirect(STDOUT_FILENO, saved));
	return status;
}

static ino_t node_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_ino;
}

TEST(dash_is_standard_output_and_stays_open)
{
	int file = open(in_folder("out"), O_RDWR | O_CREAT, 0600);
	struct error error;

	assert_int_equal(commit_to_standard_output(file, "-", 3, &error), STATUS_OK);
	assert_int_equal(commit_to_standard_output(file, "-", 2, &error), STATUS_OK);
	close(file);
	expect_contents(in_folder("out"), "xxxxx");
}

TEST(name_of_standard_output_is_written_in_place)
{
	int file = open(in_folder("out"), O_RDWR | O_CREAT, 0600);
	ino_t node = node_of(in_folder("out"));
	struct error error;

	assert_int_equal(commit_to_standard_output(file, "/dev/stdout", 3, &error), STATUS_OK);
	close(file);
	assert_int_equal(node_of(in_folder("out")), node);
	expect_contents(in_folder("out"), "xxx");
}

TEST(closed_standard_output_is_not_an_error)
{
	signal(SIGPIPE, SIG_IGN);
	for (size_t size = 1; size <= 1000000; size *= 1000000) {
		int ends[2];

		assert_int_equal(pipe(ends), 0);
		close(ends[0]);
		struct error error = {.message = ""};
		assert_int_equal(commit_to_standard_output(ends[1], "-", size, &error), STATUS_PIPE);
		assert_string_equal(error.message, "");
		close(ends[1]);
	}
	signal(SIGPIPE, SIG_DFL);
}

TEST(closed_pipe_other_than_standard_output_is_an_error)
{
	int ends[2];
	char name[64];

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
	struct file_writer writer;
	struct error error = {.message = ""};
	assert_int_equal(file_create(&writer, name, &error), STATUS_OK);
	close(ends[0]);
	putc('x', writer.stream);
	assert_int_equal(file_commit(&writer, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, ": cannot write: Broken pipe"));
	close(ends[1]);
	signal(SIGPIPE, SIG_DFL);
}

/* By number, through a link, and by a path that does not begin with /dev or /proc. */
TEST(every_name_of_an_open_descriptor_is_written_in_place)
{
	static const char *const formats[] = {"/dev/fd/%d", "/proc/self/fd/%d", "//dev/../proc/self/fd/%d"};

	for (size_t i = 0; i < 3; i++) {
		char name[64];
		int file = open(in_folder("out"), O_RDWR | O_CREAT, 0600);
		ino_t node = node_of(in_folder("out"));

		snprintf(name, sizeof name, formats[i], file);
		assert_int_equal(symlink(name, in_folder("link")), 0);
		put(i == 0 ? in_folder("link") : name, "xxx");
		close(file);
		assert_int_equal(node_of(in_folder("out")), node);
		expect_contents(in_folder("out"), "xxx");
		assert_int_equal(empty_folder(), 2);
	}
}
