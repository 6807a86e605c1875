/* SPDX-License-Identifier: MIT */
/* Reading whole files, and the message for each failure. */
#include "output.h"
#include "test.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	struct file_writer writer = create(path);

	assert_int_equal(fwrite(bytes, 1, size, writer.stream), size);
	commit(&writer);
}

static void expect_read(const char *name, const void *expected, size_t expected_size)
{
	uint8_t *bytes;
	size_t size;
	struct error error;

	assert_int_equal(file_read(name, &bytes, &size, &error), STATUS_OK);
	assert_int_equal(size, expected_size);
	assert_non_null(bytes);
	assert_true(size == 0 || memcmp(bytes, expected, size) == 0);
	free(bytes);
}

/* reason is the message without the leading name. */
static void expect_refused(const char *name, const char *reason)
{
	uint8_t *bytes = (uint8_t *)"";
	size_t size = 1;
	struct error error = {.message = ""};

	assert_int_equal(file_read(name, &bytes, &size, &error), STATUS_FAILED);
	assert_null(bytes);
	assert_int_equal(size, 0);
	char message[400];
	snprintf(message, sizeof message, "%s: %s", strcmp(name, "-") == 0 ? "standard input" : name, reason);
	assert_string_equal(error.message, message);
}

EACH_TEST(output_open_folder, output_close_folder);

TEST(file_is_read_whole)
{
	static uint8_t bytes[300 * 1024 + 1];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 251);
	for (size_t size = 0; size <= sizeof bytes; size = size * 3 + 1) {
		write_bytes(in_folder("input"), bytes, size);
		expect_read(in_folder("input"), bytes, size);
	}
}

TEST(empty_file_has_no_bytes)
{
	put(in_folder("input"), "");
	expect_read(in_folder("input"), "", 0);
}

/* A child writes size bytes in odd pieces to the returned end of a pipe. */
static int pipe_from_child(size_t size)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		static uint8_t piece[4099];

		memset(piece, 'x', sizeof piece);
		for (size_t left = size; left > 0;) {
			ssize_t count = write(ends[1], piece, left < sizeof piece ? left : sizeof piece);

			if (count <= 0)
				_exit(1);
			left -= (size_t)count;
		}
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

TEST(pipe_is_read_to_its_end)
{
	static uint8_t expected[1000 * 1000];

	memset(expected, 'x', sizeof expected);
	int end = pipe_from_child(sizeof expected);
	char name[64];
	snprintf(name, sizeof name, "/dev/fd/%d", end);
	expect_read(name, expected, sizeof expected);
	close(end);
}

TEST(dash_is_standard_input)
{
	put(in_folder("input"), "from standard input");
	int saved = redirect(STDIN_FILENO, open(in_folder("input"), O_RDONLY));
	expect_read("-", "from standard input", 19);
	redirect(STDIN_FILENO, open(output_folder(), O_RDONLY | O_DIRECTORY));
	expect_refused("-", "is a directory, expected a file");
	close(redirect(STDIN_FILENO, saved));
}

TEST(unreadable_names_are_refused)
{
	expect_refused("no/such/file", "cannot open: No such file or directory");
	expect_refused(output_folder(), "is a directory, expected a file");
	/* Address 0 of a process is not mapped. */
	expect_refused("/proc/self/mem", "cannot read at offset 0: Input/output error");
}

TEST(empty_name_is_refused)
{
	uint8_t *bytes;
	size_t size;

	assert_failure(file_read("", &bytes, &size, &failure), &failure, "the name of the file to read is empty");
	assert_null(bytes);
}

TEST(file_without_permission_is_refused)
{
	put(in_folder("input"), "secret");
	assert_int_equal(chmod(in_folder("input"), 0), 0);
	uid_t user = become_nobody(0755);
	expect_refused(in_folder("input"), "cannot open: Permission denied");
	assert_int_equal(seteuid(user), 0);
}

TEST(input_larger_than_the_limit_is_refused)
{
	static const char reason[] = "larger than 1073741824 bytes, the largest supported input";

	put(in_folder("input"), "");
	assert_int_equal(truncate(in_folder("input"), (off_t)FILE_SIZE_MAX + 1), 0);
	expect_refused(in_folder("input"), reason);
	expect_refused("/dev/zero", reason);
}
