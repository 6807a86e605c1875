/* SPDX-License-Identifier: MIT */
/* Serial ports and terminals: settings, reading and writing, and the errors reported. The kernel's ptys take every
 * setting of a port except modem lines, which ioctl() supplies here. */
#include "checks.h"

#include "acquire/channel/uart_ports.h"
#include "base/clock.h"
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* The test's end of a pty, and its name as a device. */
static int end;
static char device[64];
static struct channel *channel;

static bool is_port;           /* has modem lines and a rate */
static int lines;              /* DTR and RTS as they are */
static unsigned lines_changed; /* changes of state; setting a line to its present state does not count */
static int rate_factor;        /* the driver's rate, in percent of the requested one */

/* The kernel's struct termios2 (asm-generic/termbits.h), which the C library does not declare. */
struct rates {
	tcflag_t flags[4];
	cc_t line, characters[19];
	speed_t input, output;
};
#define GET_RATES _IOR('T', 0x2A, struct rates)
#define SET_RATES _IOW('T', 0x2B, struct rates)
#define ANY_RATE  0x1000 /* its BOTHER */

static int set_lines(int new_lines)
{
	lines_changed += new_lines != lines;
	lines = new_lines;
	return 0;
}

int ioctl(int descriptor, unsigned long request, ...)
{
	va_list arguments;

	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	if (is_port && request == TIOCMGET) {
		*(int *)argument = lines;
		return 0;
	}
	if (is_port && request == TIOCMBIS)
		return set_lines(lines | *(int *)argument);
	if (is_port && request == TIOCMBIC)
		return set_lines(lines & ~*(int *)argument);
	long result = syscall(SYS_ioctl, descriptor, request, argument);
	if (request == GET_RATES && result == 0) {
		struct rates *rates = argument;

		rates->output = (speed_t)((uint64_t)rates->output * (unsigned)rate_factor / 100);
		rates->input = rates->output;
	}
	return (int)result;
}

static void open_pty(void)
{
	end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(end >= 0);
	assert_int_equal(grantpt(end), 0);
	assert_int_equal(unlockpt(end), 0);
	assert_int_equal(ptsname_r(end, device, sizeof device), 0);
}

static enum status try_open(const char *options, int cancel)
{
	char address[sizeof device + 64];

	snprintf(address, sizeof address, "%s%s", device, options);
	return open_channel(&channel_uart, address, cancel, &channel, &failure);
}

static void open_uart(const char *options)
{
	assert_success(try_open(options, -1), &failure);
}

static void close_uart(void)
{
	if (channel != NULL)
		channel->ops->close(channel);
	channel = NULL;
}

static int set_up(void **state)
{
	is_port = false;
	lines = TIOCM_DTR | TIOCM_RTS; /* as the kernel sets them when a port is opened */
	lines_changed = 0;
	rate_factor = 100;
	open_pty();
	return 0;
}

static int set_up_port(void **state)
{
	set_up(state);
	is_port = true;
	return 0;
}

static int tear_down(void **state)
{
	close_uart();
	close(end);
	return 0;
}

static void send(const char *text)
{
	assert_int_equal(write(end, text, strlen(text)), strlen(text));
}

static void assert_received(const char *text, uint64_t deadline)
{
	char received[32];

	assert_int_equal(take(channel, received, sizeof received, deadline), WAIT_DONE);
	assert_string_equal(received, text);
}

/* Writes until that fails. */
static enum wait_result fill_line(uint64_t milliseconds)
{
	static const char many[4096];
	enum wait_result result = WAIT_DONE;

	for (unsigned i = 0; i < 1000 && result == WAIT_DONE; i++)
		result = channel->ops->write(channel, many, sizeof many, clock_now() + milliseconds);
	return result;
}

static void assert_open_fails(const char *options, const char *message)
{
	assert_int_equal(try_open(options, -1), STATUS_FAILED);
	channel = NULL;
	assert_contains(failure.message, message);
	assert_contains(failure.message, device);
}

EACH_TEST(set_up, tear_down);

TEST(bytes_received_before_opening_are_dropped)
{
	int held = open(device, O_RDWR | O_NOCTTY);

	send("old\n");
	open_uart("");
	send("new");
	assert_received("new", clock_now() + LONG);
	close(held);
}

TEST(reading_and_writing_end_at_the_deadline)
{
	char text[8];

	open_uart("");
	uint64_t deadline = clock_now() + 20;
	assert_int_equal(take(channel, text, sizeof text, deadline), WAIT_TIMEOUT);
	assert_true(clock_now() >= deadline);
	send("here");
	assert_received("here", deadline);
	assert_int_equal(fill_line(20), WAIT_TIMEOUT);
}

TEST(hang_up_is_reported_with_its_reason)
{
	for (unsigned i = 0; i < 2; i++) {
		const char *reason = i ? "the device was unplugged" : "the other end of the terminal was closed";
		char text[8];

		is_port = i;
		open_uart("");
		close(end);
		assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_CLOSED);
		assert_string_equal(channel->reason, reason);
		channel->reason[0] = 0;
		assert_int_equal(channel->ops->write(channel, "x", 1, clock_now() + LONG), WAIT_CLOSED);
		assert_string_equal(channel->reason, reason);
		close_uart();
		open_pty();
	}
}

TEST(waiting_ends_when_cancelled)
{
	char text[8];
	int cancel[2];

	assert_int_equal(pipe(cancel), 0);
	assert_int_equal(try_open("", cancel[0]), STATUS_OK);
	assert_int_equal(write(cancel[1], "x", 1), 1);
	assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_CANCELLED);
	assert_int_equal(fill_line(LONG), WAIT_CANCELLED);
	close(cancel[0]);
	close(cancel[1]);
}

TEST(terminal_has_the_given_rate_and_no_modem_lines)
{
	open_uart("");
	assert_int_equal(channel->bit_rate, 0);
	assert_int_equal(channel->timeout, CHANNEL_TIMEOUT_DEFAULT);
	close_uart();
	open_uart(",baud=3000000,timeout=0.5");
	assert_int_equal(channel->bit_rate, 3000000);
	assert_int_equal(channel->timeout, 500);
	close_uart();
	assert_open_fails(",dtr=on", ": it has no DTR and RTS");
}

TEST(wrong_name_of_an_existing_device_gets_a_suggestion)
{
	static const char *const names[] = {"%s", "%s:9600", "%s,9600"};

	for (size_t i = 0; i < 3; i++) {
		char name[128], expected[256];

		snprintf(name, sizeof name, names[i], i ? device : device + strlen("/dev/"));
		snprintf(expected, sizeof expected, "uart:%s: no such device; did you mean uart:%s%s?", name, device,
		         i ? ",baud=9600" : "");
		assert_int_equal(open_channel(&channel_uart, name, -1, &channel, &failure), STATUS_FAILED);
		assert_string_equal(failure.message, expected);
	}
}

/* Starts a process that has the device open, and locked unless it is careless. */
static pid_t start_user(bool is_careless)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		close(end);
		bool has_it = is_careless ? open(device, O_RDWR | O_NOCTTY) >= 0 : try_open("", -1) == STATUS_OK;
		if (has_it && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return child;
}

static void end_user(pid_t user)
{
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
}

TEST(device_in_use_names_its_user_and_stays_untouched)
{
	struct termios before, after;
	char who[64];
	int exclusive = -1, held = open(device, O_RDWR | O_NOCTTY);
	pid_t user = start_user(false);

	assert_int_equal(tcgetattr(end, &before), 0);
	snprintf(who, sizeof who, ": in use by test_uart (process %d)", (int)user);
	assert_open_fails("", who);
	assert_int_equal(tcgetattr(end, &after), 0);
	assert_int_equal(ioctl(held, TIOCGEXCL, &exclusive), 0);
	close(held);
	end_user(user);
	assert_memory_equal(before.c_cc, after.c_cc, sizeof before.c_cc);
	assert_int_equal(exclusive, 1);
}

TEST(program_without_a_lock_is_noted)
{
	char expected[256];
	pid_t user = start_user(true);

	open_uart("");
	end_user(user);
	snprintf(expected, sizeof expected,
	         "test_uart (process %d) has %s open, too: what it reads is lost to this pull", (int)user, device);
	assert_string_equal(channel->note, expected);
	close_uart();
	open_uart("");
	assert_string_equal(channel->note, "");
}

TEST(device_is_exclusive_until_it_is_closed)
{
	int exclusive = -1, held = open(device, O_RDWR | O_NOCTTY);

	open_uart("");
	assert_int_equal(ioctl(held, TIOCGEXCL, &exclusive), 0);
	assert_int_equal(exclusive, 1);
	close_uart();
	assert_int_equal(ioctl(held, TIOCGEXCL, &exclusive), 0);
	assert_int_equal(exclusive, 0);
	open_uart("");
	close(held);
}

TEST_WITH(denied_access_names_the_group_of_the_device, NULL, NULL)
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

TEST_WITH(explanation_is_cut_to_the_buffer, NULL, NULL)
{
	char text[256], short_text[8];

	uart_ports_explain("/dev/x", EIO, text, sizeof text);
	assert_string_equal(text, "Input/output error");
	uart_ports_explain("/dev/x", EBUSY, text, sizeof text);
	assert_string_equal(text, "in use by another program");
	uart_ports_explain("/dev/x", ENOENT, short_text, sizeof short_text);
	assert_string_equal(short_text, "no such");
}

static struct rates settings_of_line(void)
{
	struct rates rates;

	assert_int_equal(syscall(SYS_ioctl, end, GET_RATES, &rates), 0);
	return rates;
}

TEST_WITH(port_takes_any_rate, set_up_port, tear_down)
{
	static const uint32_t rates[] = {9600, 230400, 250000, 921600, 1234567, 3000000, 4000000, 12000000};

	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		char options[32];

		snprintf(options, sizeof options, ",baud=%u", rates[i]);
		open_uart(options);
		assert_int_equal(channel->bit_rate, rates[i]);
		assert_int_equal(settings_of_line().output, rates[i]);
		close_uart();
	}
}

/* An unusual rate, and the opposite of the settings that the channel needs. */
static struct rates set_unusual_line(void)
{
	struct rates line = settings_of_line();

	line.flags[0] |= IXON | IXOFF | ICRNL | ISTRIP;
	line.flags[2] = (line.flags[2] & ~(tcflag_t)CBAUD) | ANY_RATE | CRTSCTS | CSTOPB;
	line.flags[3] |= ICANON | ECHO | ISIG;
	line.input = line.output = 1234567;
	assert_int_equal(syscall(SYS_ioctl, end, SET_RATES, &line), 0);
	return settings_of_line();
}

TEST_WITH(port_is_set_to_8n1_and_restored_when_closed, set_up_port, tear_down)
{
	struct rates found = set_unusual_line();

	open_uart("");
	struct rates line = settings_of_line();
	assert_int_equal(line.output, 115200);
	assert_int_equal(channel->bit_rate, 115200);
	assert_int_equal(line.flags[0] & (IXON | IXOFF | ICRNL | ISTRIP | INLCR | IGNCR), 0);
	assert_int_equal(line.flags[1] & OPOST, 0);
	assert_int_equal(line.flags[2] & (CRTSCTS | CSTOPB | PARENB | CSIZE), CS8);
	assert_int_equal(line.flags[3] & (ICANON | ECHO | ISIG), 0);
	close_uart();
	line = settings_of_line();
	assert_int_equal(line.output, 1234567);
	assert_memory_equal(&line, &found, sizeof line);
}

TEST_WITH(rate_that_the_driver_misses_is_refused, set_up_port, tear_down)
{
	struct rates found = set_unusual_line();

	rate_factor = 96;
	assert_open_fails(",baud=3000000", ": the port cannot do 3000000 baud, the nearest it has is 2880000");
	struct rates line = settings_of_line();
	assert_memory_equal(line.flags, found.flags, sizeof line.flags);
	rate_factor = 98;
	open_uart(",baud=3000000");
}

TEST_WITH(modem_lines_change_only_if_asked_for, set_up_port, tear_down)
{
	static const struct {
		const char *options;
		int before, after;
	} cases[] = {
	        {"", TIOCM_DTR | TIOCM_RTS, TIOCM_DTR | TIOCM_RTS},
	        {",dtr=on,rts=on", TIOCM_DTR | TIOCM_RTS, TIOCM_DTR | TIOCM_RTS},
	        {",dtr=off", TIOCM_DTR | TIOCM_RTS, TIOCM_RTS},
	        {",rts=off", TIOCM_DTR | TIOCM_RTS, TIOCM_DTR},
	        {",dtr=off,rts=off", TIOCM_DTR | TIOCM_RTS, 0},
	        {",dtr=on", 0, TIOCM_DTR},
	        {",rts=on", 0, TIOCM_RTS},
	        {"", 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		lines = cases[i].before;
		lines_changed = 0;
		open_uart(cases[i].options);
		assert_int_equal(lines, cases[i].after);
		if (cases[i].before == cases[i].after)
			assert_int_equal(lines_changed, 0);
		close_uart();
	}
}

TEST_WITH(port_is_found_through_a_link, set_up_port, tear_down)
{
	char folder[] = "/tmp/by-id-XXXXXX", path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/port", folder);
	assert_int_equal(symlink(device, path), 0);
	enum status status = open_channel(&channel_uart, path, -1, &channel, &failure);
	unlink(path);
	rmdir(folder);
	assert_int_equal(status, STATUS_OK);
	assert_int_equal(channel->bit_rate, 115200);
}
