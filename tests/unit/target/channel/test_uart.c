/* SPDX-License-Identifier: MIT */
/* Bytes over a terminal, and what becomes of one that is silent, closed, taken or not there. */
#include "checks.h"
#include "pty.h"

#include "base/clock.h"
#include "target/channel/uart_ports.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct pty pty;
static struct channel *channel;
static struct error error;

static int begin(void **state)
{
	pty_open(&pty);
	assert_int_equal(pty_channel(&pty, "", -1, &channel, &error), STATUS_OK);
	return 0;
}

static int end(void **state)
{
	channel->ops->close(channel);
	if (pty.descriptor >= 0)
		close(pty.descriptor);
	return 0;
}

TEST_WITH(what_came_before_it_was_opened_is_dropped, begin, end)
{
	char text[32];
	struct pty other;
	struct channel *first = channel;
	pty_open(&other);
	int held = open(other.name, O_RDWR | O_NOCTTY);
	pty_send(&other, "old\n");
	assert_int_equal(pty_channel(&other, "", -1, &channel, &error), STATUS_OK);
	pty_send(&other, "new");
	assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_DONE);
	assert_string_equal(text, "new");
	close(held);
	close(other.descriptor);
	channel->ops->close(channel);
	channel = first;
}

TEST_WITH(silence_ends_at_the_deadline, begin, end)
{
	char text[8];
	uint64_t deadline = clock_now() + 20;
	assert_int_equal(take(channel, text, sizeof text, deadline), WAIT_TIMEOUT);
	assert_true(clock_now() >= deadline);
}

TEST_WITH(what_came_in_time_is_taken_after_the_deadline, begin, end)
{
	char text[8];
	pty_send(&pty, "here");
	assert_int_equal(take(channel, text, sizeof text, clock_now()), WAIT_DONE);
	assert_string_equal(text, "here");
}

TEST_WITH(line_that_takes_no_more_ends_at_the_deadline, begin, end)
{
	enum wait_result result = WAIT_DONE;
	static const char many[4096];
	for (unsigned i = 0; i < 1000 && result == WAIT_DONE; i++)
		result = channel->ops->write(channel, many, sizeof many, clock_now() + 20);
	assert_int_equal(result, WAIT_TIMEOUT);
}

TEST_WITH(hang_up_is_told_with_its_reason, begin, end)
{
	char text[8];
	close(pty.descriptor);
	pty.descriptor = -1;
	assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_CLOSED);
	assert_string_equal(channel->reason, "the other end of the terminal was closed");
	channel->reason[0] = 0;
	assert_int_equal(channel->ops->write(channel, "x", 1, clock_now() + LONG), WAIT_CLOSED);
	assert_string_equal(channel->reason, "the other end of the terminal was closed");
}

TEST(waiting_ends_when_it_is_cancelled)
{
	static const char many[4096];
	char text[8];
	int cancel[2];
	struct pty other;
	struct channel *cancelled;
	pty_open(&other);
	assert_int_equal(pipe(cancel), 0);
	assert_int_equal(pty_channel(&other, "", cancel[0], &cancelled, &error), STATUS_OK);
	assert_int_equal(write(cancel[1], "x", 1), 1);
	size_t size;
	assert_int_equal(cancelled->ops->read(cancelled, text, sizeof text, clock_now() + LONG, &size), WAIT_CANCELLED);
	enum wait_result result = WAIT_DONE;
	for (unsigned i = 0; i < 1000 && result == WAIT_DONE; i++)
		result = cancelled->ops->write(cancelled, many, sizeof many, clock_now() + LONG);
	assert_int_equal(result, WAIT_CANCELLED);
	cancelled->ops->close(cancelled);
	close(other.descriptor);
	close(cancel[0]);
	close(cancel[1]);
}

TEST_WITH(terminal_has_the_rate_it_is_said_to_have, begin, end)
{
	struct pty other;
	struct channel *fast;
	pty_open(&other);
	assert_int_equal(channel->bit_rate, 0);
	assert_int_equal(channel->timeout, CHANNEL_TIMEOUT_DEFAULT);
	assert_int_equal(pty_channel(&other, ",baud=3000000,timeout=0.5", -1, &fast, &error), STATUS_OK);
	assert_int_equal(fast->bit_rate, 3000000);
	assert_int_equal(fast->timeout, 500);
	fast->ops->close(fast);
	assert_int_equal(pty_channel(&other, ",dtr=on", -1, &fast, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, other.name));
	assert_non_null(strstr(error.message, ": it has no DTR and RTS"));
	close(other.descriptor);
}

TEST(device_named_without_its_folder_is_told_whole)
{
	struct pty other;
	struct channel *none;
	char wanted[192];
	pty_open(&other);
	const char *name = other.name + strlen("/dev/");
	snprintf(wanted, sizeof wanted, "uart:%s: no such device; did you mean uart:/dev/%s?", name, name);
	assert_int_equal(open_channel(&channel_uart, name, -1, &none, &error), STATUS_FAILED);
	assert_string_equal(error.message, wanted);
	close(other.descriptor);
}

TEST(rate_that_is_no_option_is_told_as_one)
{
	struct pty other;
	struct channel *none;
	char device[128], wanted[256];
	pty_open(&other);
	for (size_t i = 0; i < 2; i++) {
		snprintf(device, sizeof device, i ? "%s:9600" : "%s,9600", other.name);
		snprintf(wanted, sizeof wanted, "uart:%s: no such device; did you mean uart:%s,baud=9600?", device,
		         other.name);
		assert_int_equal(open_channel(&channel_uart, device, -1, &none, &error), STATUS_FAILED);
		assert_string_equal(error.message, wanted);
	}
	close(other.descriptor);
}

/* Runs until it is killed, and has the terminal open, and locked unless it is to be careless. */
static pid_t start_user(const struct pty *of, bool is_careless)
{
	int ready[2];
	char byte;
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		struct channel *mine;
		close(of->descriptor);
		bool has_it = is_careless ? open(of->name, O_RDWR | O_NOCTTY) >= 0
		                          : pty_channel(of, "", -1, &mine, &error) == STATUS_OK;
		if (has_it && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return child;
}

TEST(terminal_in_use_names_its_user)
{
	struct pty other;
	struct channel *none;
	struct termios before, after;
	char who[64];
	int exclusive = -1;
	pty_open(&other);
	int held = open(other.name, O_RDWR | O_NOCTTY);
	pid_t user = start_user(&other, false);
	assert_int_equal(tcgetattr(other.descriptor, &before), 0);
	assert_int_equal(pty_channel(&other, "", -1, &none, &error), STATUS_FAILED);
	assert_int_equal(tcgetattr(other.descriptor, &after), 0);
	assert_int_equal(ioctl(held, TIOCGEXCL, &exclusive), 0);
	close(held);
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
	snprintf(who, sizeof who, ": in use by test_uart (process %d)", (int)user);
	if (strstr(error.message, who) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, who);
	assert_memory_equal(before.c_cc, after.c_cc, sizeof before.c_cc);
	assert_int_equal(exclusive, 1);
	close(other.descriptor);
}

TEST(user_that_locks_nothing_is_noted)
{
	struct pty other;
	struct channel *shared;
	char wanted[256];
	pty_open(&other);
	pid_t user = start_user(&other, true);
	assert_int_equal(pty_channel(&other, "", -1, &shared, &error), STATUS_OK);
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
	snprintf(wanted, sizeof wanted, "test_uart (process %d) has %s open, too: what it reads is lost to this pull",
	         (int)user, other.name);
	assert_string_equal(shared->note, wanted);
	shared->ops->close(shared);
	assert_int_equal(pty_channel(&other, "", -1, &shared, &error), STATUS_OK);
	assert_string_equal(shared->note, "");
	shared->ops->close(shared);
	close(other.descriptor);
}

TEST(terminal_is_free_again_when_it_is_closed)
{
	struct pty other;
	struct channel *again;
	int exclusive = -1;
	pty_open(&other);
	int held = open(other.name, O_RDWR | O_NOCTTY);
	assert_int_equal(pty_channel(&other, "", -1, &again, &error), STATUS_OK);
	assert_int_equal(ioctl(held, TIOCGEXCL, &exclusive), 0);
	assert_int_equal(exclusive, 1);
	again->ops->close(again);
	assert_int_equal(ioctl(held, TIOCGEXCL, &exclusive), 0);
	assert_int_equal(exclusive, 0);
	assert_int_equal(pty_channel(&other, "", -1, &again, &error), STATUS_OK);
	again->ops->close(again);
	close(held);
	close(other.descriptor);
}

TEST(denial_names_the_group_of_the_device)
{
	char path[] = "/tmp/uart-XXXXXX", text[256], expected[256];
	int file = mkstemp(path);
	assert_true(file >= 0);
	struct group *group = getgrgid(getegid());
	assert_non_null(group);
	assert_int_equal(fchmod(file, 0660), 0);
	uart_ports_explain(path, EACCES, text, sizeof text);
	snprintf(expected, sizeof expected,
	         "permission denied: add yourself to group %s (sudo usermod -aG %s $USER) and log in again",
	         group->gr_name, group->gr_name);
	assert_string_equal(text, expected);
	assert_int_equal(fchmod(file, 0640), 0);
	uart_ports_explain(path, EACCES, text, sizeof text);
	assert_non_null(strstr(text, "a udev rule must give it to one"));
	close(file);
	unlink(path);
}

TEST(other_failures_are_told_as_they_are)
{
	char text[256], little[8];
	uart_ports_explain("/dev/x", EIO, text, sizeof text);
	assert_string_equal(text, "Input/output error");
	uart_ports_explain("/dev/x", EBUSY, text, sizeof text);
	assert_string_equal(text, "in use by another program");
	uart_ports_explain("/dev/x", ENOENT, little, sizeof little);
	assert_string_equal(little, "no such");
}
