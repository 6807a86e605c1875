/* SPDX-License-Identifier: MIT */
/* See pty.h. */
#include "pty.h"
#include "checks.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void pty_open(struct pty *pty)
{
	pty->descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(pty->descriptor >= 0);
	assert_int_equal(grantpt(pty->descriptor), 0);
	assert_int_equal(unlockpt(pty->descriptor), 0);
	assert_int_equal(ptsname_r(pty->descriptor, pty->name, sizeof pty->name), 0);
}

enum status pty_channel(const struct pty *pty, const char *options, int cancel, struct channel **channel,
                        struct error *error)
{
	char address[sizeof pty->name + 64];
	snprintf(address, sizeof address, "%s%s", pty->name, options);
	return open_channel(&channel_uart, address, cancel, channel, error);
}

void pty_send(const struct pty *pty, const char *text)
{
	assert_int_equal(write(pty->descriptor, text, strlen(text)), strlen(text));
}

void pty_receive(const struct pty *pty, char *text, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t count = read(pty->descriptor, text + done, size - done);
		assert_true(count > 0);
		done += (size_t)count;
	}
	text[size] = 0;
}
