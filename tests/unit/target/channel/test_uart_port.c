/* SPDX-License-Identifier: MIT */
/*
 * How libserialport sets up a port. The kernel's ptys take every setting of a port; what they lack, the entry in sysfs
 * and the modem lines, is supplied here, where libserialport asks the C library for it.
 */
#include "checks.h"
#include "pty.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define SYSFS  "/sys/class/tty/"
#define TARGET "../../devices/platform/port/tty/port"

static struct pty pty;
static struct channel *channel;
static struct error error;

static int lines;              /* DTR and RTS as they are */
static unsigned lines_changed; /* times that they were changed, not merely set to what they were */
static int rate_factor;        /* what the driver makes of a rate, in percent */

/* The kernel's struct termios2 (asm-generic/termbits.h), which the C library does not declare. */
struct rates {
	tcflag_t flags[4];
	cc_t line, characters[19];
	speed_t input, output;
};
#define GET_RATES _IOR('T', 0x2A, struct rates)
#define SET_RATES _IOW('T', 0x2B, struct rates)
#define ANY_RATE  0x1000 /* its BOTHER */

static void set_lines(int new_lines)
{
	lines_changed += new_lines != lines;
	lines = new_lines;
}

int ioctl(int descriptor, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	switch (request) {
	case TIOCMGET:
		*(int *)argument = lines;
		return 0;
	case TIOCMBIS:
		set_lines(lines | *(int *)argument);
		return 0;
	case TIOCMBIC:
		set_lines(lines & ~*(int *)argument);
		return 0;
	default:
		break;
	}
	long result = syscall(SYS_ioctl, descriptor, request, argument);
	if (request == GET_RATES && result == 0) {
		struct rates *rates = argument;
		rates->output = (speed_t)((uint64_t)rates->output * (unsigned)rate_factor / 100);
		rates->input = rates->output;
	}
	return (int)result;
}

int __lxstat(int version, const char *path, struct stat *state);
int __lxstat(int version, const char *path, struct stat *state)
{
	(void)version;
	if (strncmp(path, SYSFS, strlen(SYSFS)) != 0)
		return lstat(path, state);
	*state = (struct stat){.st_mode = S_IFLNK, .st_size = (off_t)strlen(TARGET)};
	return 0;
}

ssize_t readlink(const char *path, char *buffer, size_t size)
{
	if (strncmp(path, SYSFS, strlen(SYSFS)) != 0)
		return (ssize_t)syscall(SYS_readlink, path, buffer, size);
	size_t length = strlen(TARGET) < size ? strlen(TARGET) : size;
	memcpy(buffer, TARGET, length);
	return (ssize_t)length;
}

static int begin(void **state)
{
	channel = NULL;
	lines = TIOCM_DTR | TIOCM_RTS; /* as the kernel sets them when a port is opened */
	lines_changed = 0;
	rate_factor = 100;
	pty_open(&pty);
	return 0;
}

static int end(void **state)
{
	if (channel != NULL)
		channel->ops->close(channel);
	close(pty.descriptor);
	return 0;
}

static void open_port(const char *options)
{
	if (pty_channel(&pty, options, -1, &channel, &error) != STATUS_OK)
		fail_msg("%s", error.message);
}

static struct rates settings_of_line(void)
{
	struct rates rates;
	assert_int_equal(syscall(SYS_ioctl, pty.descriptor, GET_RATES, &rates), 0);
	return rates;
}

EACH_TEST(begin, end);

TEST(rate_is_what_was_asked_for)
{
	static const uint32_t rates[] = {9600, 230400, 250000, 921600, 1234567, 3000000, 4000000, 12000000};
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		char options[32];
		snprintf(options, sizeof options, ",baud=%u", rates[i]);
		open_port(options);
		assert_int_equal(channel->bit_rate, rates[i]);
		assert_int_equal(settings_of_line().output, rates[i]);
		channel->ops->close(channel);
		channel = NULL;
	}
}

TEST(line_is_8n1_without_flow_control_whatever_it_was)
{
	struct termios other;
	assert_int_equal(tcgetattr(pty.descriptor, &other), 0);
	other.c_cflag |= CRTSCTS | CSTOPB;
	other.c_iflag |= IXON | IXOFF | ICRNL | ISTRIP;
	other.c_lflag |= ICANON | ECHO | ISIG;
	assert_int_equal(tcsetattr(pty.descriptor, TCSANOW, &other), 0);
	open_port("");
	struct rates line = settings_of_line();
	assert_int_equal(line.output, 115200);
	assert_int_equal(channel->bit_rate, 115200);
	assert_int_equal(line.flags[0] & (IXON | IXOFF | ICRNL | ISTRIP | INLCR | IGNCR), 0);
	assert_int_equal(line.flags[1] & OPOST, 0);
	assert_int_equal(line.flags[2] & (CRTSCTS | CSTOPB | PARENB | CSIZE), CS8);
	assert_int_equal(line.flags[3] & (ICANON | ECHO | ISIG), 0);
}

/* With a rate that is none of the usual ones. */
static struct rates find_unusual_line(void)
{
	struct rates line = settings_of_line();
	line.flags[2] = (line.flags[2] & ~(tcflag_t)CBAUD) | ANY_RATE | CRTSCTS;
	line.flags[3] |= ICANON | ECHO | ISIG;
	line.input = line.output = 1234567;
	assert_int_equal(syscall(SYS_ioctl, pty.descriptor, SET_RATES, &line), 0);
	return settings_of_line();
}

TEST(line_is_left_as_it_was_found)
{
	struct rates found = find_unusual_line();
	open_port(",baud=9600");
	channel->ops->close(channel);
	channel = NULL;
	struct rates left = settings_of_line();
	assert_int_equal(left.output, 1234567);
	assert_memory_equal(&left, &found, sizeof left);
}

TEST(line_is_left_as_it_was_found_after_a_failure)
{
	struct rates found = find_unusual_line();
	rate_factor = 96;
	assert_int_equal(pty_channel(&pty, ",baud=3000000", -1, &channel, &error), STATUS_FAILED);
	struct rates left = settings_of_line();
	assert_memory_equal(left.flags, found.flags, sizeof left.flags);
}

TEST(rate_that_the_driver_cannot_do_is_refused)
{
	rate_factor = 96;
	assert_int_equal(pty_channel(&pty, ",baud=3000000", -1, &channel, &error), STATUS_FAILED);
	const char *reason = ": the port cannot do 3000000 baud, the nearest it has is 2880000";
	if (strstr(error.message, reason) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, reason);
	rate_factor = 98;
	open_port(",baud=3000000");
}

TEST(modem_lines_are_left_alone_unless_asked_for)
{
	open_port("");
	assert_int_equal(lines_changed, 0);
	channel->ops->close(channel);
	channel = NULL;
	open_port(",dtr=on,rts=on");
	assert_int_equal(lines_changed, 0);
}

TEST(each_modem_line_is_set_as_asked_for)
{
	static const struct {
		const char *options;
		int before, after;
	} cases[] = {
	        {",dtr=off", TIOCM_DTR | TIOCM_RTS, TIOCM_RTS},
	        {",rts=off", TIOCM_DTR | TIOCM_RTS, TIOCM_DTR},
	        {",dtr=off,rts=off", TIOCM_DTR | TIOCM_RTS, 0},
	        {",dtr=on", 0, TIOCM_DTR},
	        {",rts=on", 0, TIOCM_RTS},
	        {"", 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		lines = cases[i].before;
		open_port(cases[i].options);
		assert_int_equal(lines, cases[i].after);
		channel->ops->close(channel);
		channel = NULL;
	}
}

TEST(port_is_found_through_a_link)
{
	char folder[] = "/tmp/by-id-XXXXXX", path[64];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/port", folder);
	assert_int_equal(symlink(pty.name, path), 0);
	enum status status = open_channel(&channel_uart, path, -1, &channel, &error);
	unlink(path);
	rmdir(folder);
	assert_int_equal(status, STATUS_OK);
	assert_int_equal(channel->bit_rate, 115200);
}

TEST(port_that_hangs_up_was_unplugged)
{
	char byte;
	size_t size;
	open_port("");
	close(pty.descriptor);
	assert_int_equal(channel->ops->read(channel, &byte, 1, UINT64_MAX, &size), WAIT_CLOSED);
	assert_string_equal(channel->reason, "the device was unplugged");
	pty_open(&pty);
}
