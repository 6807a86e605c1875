/* SPDX-License-Identifier: MIT */
/* Text for a reader that is late, absent or gone: printing never blocks, and lost text is counted. */
#include "command/nonblocking_output.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE "0123456789abcde\n"

static int ends[2];
static struct nonblocking_output output;

static int begin(void **state)
{
	struct error error;

	output = (struct nonblocking_output){.stream = NULL};
	signal(SIGPIPE, SIG_IGN);
	/* Ends a test that blocks. */
	alarm(20);
	return pipe(ends) < 0 || nonblocking_output_open(&output, ends[1], 0, &error) ? -1 : 0;
}

static int end(void **state)
{
	nonblocking_output_close(&output, 0);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static void print(size_t size)
{
	for (size_t printed = 0; printed < size; printed += strlen(LINE)) {
		fputs(LINE, output.stream);
		fflush(output.stream);
	}
}

/* Reads the pipe, which must hold whole lines; returns the number of bytes. */
static size_t read_lines(void)
{
	char line[sizeof LINE];
	size_t size = 0;
	ssize_t got;

	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	while ((got = read(ends[0], line, strlen(LINE))) > 0) {
		assert_int_equal(got, strlen(LINE));
		assert_memory_equal(line, LINE, strlen(LINE));
		size += (size_t)got;
	}
	return size;
}

EACH_TEST(begin, end);

TEST(text_arrives_at_once)
{
	print(1600);
	assert_int_equal(read_lines(), 1600);
	assert_int_equal(output.dropped, 0);
}

TEST(unread_text_is_dropped_and_counted)
{
	print(1 << 20);
	nonblocking_output_close(&output, 10);
	size_t taken = read_lines();
	assert_true(taken > 0);
	assert_int_equal(taken + output.dropped, 1 << 20);
}

TEST(late_reader_gets_all_buffered_text)
{
	fcntl(ends[1], F_SETPIPE_SZ, 4096);
	print(NONBLOCKING_OUTPUT_CAPACITY);
	size_t size = read_lines();
	assert_in_range(size, 1, NONBLOCKING_OUTPUT_CAPACITY - 1);
	for (int i = 0; i < 100 && size < NONBLOCKING_OUTPUT_CAPACITY; i++) {
		nonblocking_output_offer(&output);
		size += read_lines();
	}
	assert_int_equal(size, NONBLOCKING_OUTPUT_CAPACITY);
	assert_int_equal(output.dropped, 0);
}

static void *read_slowly(void *context)
{
	size_t *size = context;

	usleep(100000);
	while (*size < 1 << 20)
		*size += read_lines();
	return NULL;
}

TEST(waiting_for_the_reader_loses_nothing)
{
	pthread_t reader;
	size_t size = 0;

	output.timeout = -1;
	assert_int_equal(pthread_create(&reader, NULL, read_slowly, &size), 0);
	print(1 << 20);
	nonblocking_output_close(&output, -1);
	pthread_join(reader, NULL);
	assert_int_equal(size, 1 << 20);
	assert_int_equal(output.dropped, 0);
}

TEST(failure_is_kept_and_writing_stops)
{
	close(ends[0]);
	print(160);
	assert_int_equal(output.failure, EPIPE);
	assert_int_equal(output.dropped, 0);
}

TEST(shared_descriptor_stays_blocking)
{
	assert_int_equal(fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0);
}

/* A write of more than fits would block although poll() reports the terminal as ready. */
static void assert_no_wait_for_terminal(bool is_foreign)
{
	uid_t user = geteuid();
	struct error error;
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);

	assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
	int other_side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	nonblocking_output_close(&output, 0);
	if (is_foreign)
		assert_int_equal(fchmod(other_side, 0), 0);
	/* Root may open everything, so become another user. */
	if (is_foreign && user == 0)
		assert_int_equal(seteuid(65534), 0);
	assert_int_equal(nonblocking_output_open(&output, other_side, 0, &error), STATUS_OK);
	assert_int_equal(output.is_shared, is_foreign);
	assert_int_equal(seteuid(user), 0);
	for (int i = 0; i < 100; i++) {
		fprintf(output.stream, "%3001s", "");
		fflush(output.stream);
	}
	nonblocking_output_close(&output, 10);
	assert_true(output.dropped > 0);
	assert_int_equal(fcntl(other_side, F_GETFL) & O_NONBLOCK, 0);
	close(terminal);
	close(other_side);
}

TEST(unread_terminal_does_not_block)
{
	assert_no_wait_for_terminal(false);
}

/* As after su: the terminal belongs to another user. */
TEST(terminal_of_another_user_does_not_block)
{
	assert_no_wait_for_terminal(true);
}

/* Like the descriptor that main() opens in place of a closed one. */
TEST(read_only_descriptor_fails)
{
	struct error error;
	int none = open("/dev/null", O_RDONLY);

	nonblocking_output_close(&output, 0);
	assert_int_equal(nonblocking_output_open(&output, none, 0, &error), STATUS_OK);
	print(16);
	assert_int_equal(output.failure, EBADF);
	close(none);
}
