/* SPDX-License-Identifier: MIT */
/* See nonblocking_output.h. */
#include "command/nonblocking_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A writable descriptor accepts this much without blocking, even if it could not be reopened (PIPE_BUF). */
#define PIECE_MAX ((size_t)4096)

/*
 * Reopens a pipe or a terminal, so that making it non-blocking does not affect other processes. If it belongs to
 * another user, it cannot be reopened. A terminal is then made non-blocking for all its users, because a stopped
 * terminal can block although poll() said that it would not. Other files never block and are used as they are. False:
 * see errno.
 */
static bool open_anew(struct nonblocking_output *output, int descriptor)
{
	struct stat about;
	char name[64];

	output->descriptor = -1;
	output->flags = fcntl(descriptor, F_GETFL);
	if (output->flags < 0 || fstat(descriptor, &about) < 0)
		return false;
	/* A descriptor that is not writable remains so. */
	bool is_writable = (output->flags & O_ACCMODE) != O_RDONLY;
	if (is_writable && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode))) {
		snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
		output->descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	if (output->descriptor >= 0)
		return true;
	output->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
	output->is_shared = is_writable && S_ISCHR(about.st_mode) && output->descriptor >= 0 &&
	                    fcntl(output->descriptor, F_SETFL, output->flags | O_NONBLOCK) == 0;
	return output->descriptor >= 0;
}

/* False if the reader accepts nothing now, or never will. */
static bool write_piece(struct nonblocking_output *output, int milliseconds)
{
	struct pollfd ready = {.fd = output->descriptor, .events = POLLOUT};
	size_t size = output->held_size < PIECE_MAX ? output->held_size : PIECE_MAX;

	if (size == 0 || poll(&ready, 1, milliseconds) <= 0)
		return false;
	ssize_t written = write(output->descriptor, output->held, size);
	if (written < 0 && errno != EAGAIN && errno != EINTR) {
		output->failure = errno;
		output->held_size = 0;
	}
	if (written <= 0)
		return false;
	output->held_size -= (size_t)written;
	memmove(output->held, output->held + written, output->held_size);
	return true;
}

/* The write function of the stream. A flush never exceeds the free space. */
static ssize_t hold_bytes(void *cookie, const char *bytes, size_t size)
{
	struct nonblocking_output *output = cookie;

	while (NONBLOCKING_OUTPUT_CAPACITY - output->held_size < size && write_piece(output, output->timeout))
		;
	size_t room = NONBLOCKING_OUTPUT_CAPACITY - output->held_size;
	size_t count = size < room ? size : room;

	if (output->failure)
		return (ssize_t)size;
	memcpy(output->held + output->held_size, bytes, count);
	output->held_size += count;
	output->dropped += size - count;
	nonblocking_output_offer(output);
	return (ssize_t)size;
}

enum status nonblocking_output_open(struct nonblocking_output *output, int descriptor, int timeout, struct error *error)
{
	output->timeout = timeout;
	if (open_anew(output, descriptor))
		output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = hold_bytes});
	if (output->stream != NULL)
		return STATUS_OK;
	return status_fail(error, "cannot print console text of the target: %s", strerror(errno));
}

void nonblocking_output_offer(struct nonblocking_output *output)
{
	while (write_piece(output, 0))
		;
}

void nonblocking_output_close(struct nonblocking_output *output, int milliseconds)
{
	if (output->stream == NULL)
		return;
	fclose(output->stream);
	while (write_piece(output, milliseconds))
		;
	output->dropped += output->held_size;
	output->held_size = 0;
	output->stream = NULL;
	if (output->is_shared)
		fcntl(output->descriptor, F_SETFL, output->flags);
	close(output->descriptor);
}
