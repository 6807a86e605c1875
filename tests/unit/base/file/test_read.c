/* SPDX-License-Identifier: MIT */
/* Reading of whole files, with one clear message for each failure. */
#include "base/file/file.h"
#include "test.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];
static char path[300];

static int open_folder(void **state)
{
	const char *build = getenv("BUILD");
	snprintf(folder, sizeof folder, "%s/unit-file-XXXXXX", build == NULL ? "build" : build);
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/input", folder);
	return 0;
}

static int close_folder(void **state)
{
	unlink(path);
	return rmdir(folder);
}

static void write_bytes(const void *bytes, size_t size)
{
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
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

static void expect_refused(const char *name, const char *message)
{
	uint8_t *bytes = (uint8_t *)path;
	size_t size = 1;
	struct error error = {.message = ""};
	assert_int_equal(file_read(name, &bytes, &size, &error), STATUS_FAILED);
	assert_null(bytes);
	assert_int_equal(size, 0);
	assert_string_equal(error.message, message);
}

ALL_TESTS(open_folder, close_folder);

TEST(file_is_read_whole)
{
	static uint8_t bytes[300 * 1024 + 1];
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 251);
	for (size_t size = 0; size <= sizeof bytes; size = size * 3 + 1) {
		write_bytes(bytes, size);
		expect_read(path, bytes, size);
	}
}

TEST(empty_file_has_no_bytes)
{
	write_bytes("", 0);
	expect_read(path, "", 0);
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
	int saved = dup(STDIN_FILENO);
	write_bytes("from standard input", 19);
	int file = open(path, O_RDONLY);
	assert_true(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
	expect_read("-", "from standard input", 19);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(file);
}

TEST(directory_as_standard_input_is_refused)
{
	int saved = dup(STDIN_FILENO);
	int directory = open(folder, O_RDONLY | O_DIRECTORY);
	assert_true(directory >= 0 && dup2(directory, STDIN_FILENO) == STDIN_FILENO);
	expect_refused("-", "standard input: is a directory, expected a file");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(directory);
}

TEST(missing_file_is_refused)
{
	expect_refused("no/such/file", "no/such/file: cannot open: No such file or directory");
	expect_refused("", ": cannot open: No such file or directory");
}

TEST(directory_is_refused)
{
	char message[400];
	snprintf(message, sizeof message, "%s: is a directory, expected a file", folder);
	expect_refused(folder, message);
}

TEST(unreadable_bytes_are_refused_with_their_offset)
{
	/* Address 0 of a process is not mapped. */
	expect_refused("/proc/self/mem", "/proc/self/mem: cannot read at offset 0: Input/output error");
}

TEST(file_without_permission_is_refused)
{
	/* Permissions do not bind root, so root becomes somebody else meanwhile. */
	uid_t user = geteuid();
	write_bytes("secret", 6);
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	if (user == 0)
		assert_int_equal(seteuid(65534), 0);
	char message[400];
	snprintf(message, sizeof message, "%s: cannot open: Permission denied", path);
	expect_refused(path, message);
	assert_int_equal(seteuid(user), 0);
	unlink(path);
}

TEST(file_larger_than_the_limit_is_refused_unread)
{
	write_bytes("", 0);
	assert_int_equal(truncate(path, (off_t)FILE_SIZE_MAX + 1), 0);
	char message[400];
	snprintf(message, sizeof message, "%s: larger than 1073741824 bytes, the largest supported input", path);
	expect_refused(path, message);
}

TEST(endless_input_is_refused)
{
	expect_refused("/dev/zero", "/dev/zero: larger than 1073741824 bytes, the largest supported input");
}
