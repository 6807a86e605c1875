/* SPDX-License-Identifier: MIT */
/* See outlet.h. */
#include "command/nonblocking_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is ready takes so much without waiting, also where it could not be opened anew (PIPE_BUF). */
#define PIECE_MAX ((size_t)4096)

/*
 * A pipe or a terminal, opened anew: that it does not block is then nobody else's concern. Those of another user cannot
 * be opened; a terminal, which blocks where poll() promised that it does not, once it is stopped, is made not to for
 * all who share it. Others, of which files never wait, are as they are. False: errno says why not.
 */
static bool open_anew(struct outlet *outlet, int descriptor)
{
	struct stat about;
	char name[64];

	outlet->descriptor = -1;
	outlet->flags = fcntl(descriptor, F_GETFL);
	if (outlet->flags < 0 || fstat(descriptor, &about) < 0)
		return false;
	/* What cannot be written stays so. */
	bool is_writable = (outlet->flags & O_ACCMODE) != O_RDONLY;
	if (is_writable && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode))) {
		snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
		outlet->descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	if (outlet->descriptor >= 0)
		return true;
	outlet->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
	outlet->is_shared = is_writable && S_ISCHR(about.st_mode) && outlet->descriptor >= 0 &&
	                    fcntl(outlet->descriptor, F_SETFL, outlet->flags | O_NONBLOCK) == 0;
	return outlet->descriptor >= 0;
}

/* False if the reader took nothing, for now or for good. */
static bool write_piece(struct outlet *outlet, int milliseconds)
{
	struct pollfd ready = {.fd = outlet->descriptor, .events = POLLOUT};
	size_t size = outlet->held_size < PIECE_MAX ? outlet->held_size : PIECE_MAX;

	if (size == 0 || poll(&ready, 1, milliseconds) <= 0)
		return false;
	ssize_t written = write(outlet->descriptor, outlet->held, size);
	if (written < 0 && errno != EAGAIN && errno != EINTR) {
		outlet->failure = errno;
		outlet->held_size = 0;
	}
	if (written <= 0)
		return false;
	outlet->held_size -= (size_t)written;
	memmove(outlet->held, outlet->held + written, outlet->held_size);
	return true;
}

/* As a stream's: what a flush brings is less than there is room for. */
static ssize_t take(void *cookie, const char *bytes, size_t size)
{
	struct outlet *outlet = cookie;

	while (OUTLET_CAPACITY - outlet->held_size < size && write_piece(outlet, outlet->patience))
		;
	size_t room = OUTLET_CAPACITY - outlet->held_size;
	size_t count = size < room ? size : room;

	if (outlet->failure)
		return (ssize_t)size;
	memcpy(outlet->held + outlet->held_size, bytes, count);
	outlet->held_size += count;
	outlet->dropped += size - count;
	outlet_offer(outlet);
	return (ssize_t)size;
}

enum status outlet_open(struct outlet *outlet, int descriptor, int patience, struct error *error)
{
	outlet->patience = patience;
	if (open_anew(outlet, descriptor))
		outlet->stream = fopencookie(outlet, "w", (cookie_io_functions_t){.write = take});
	if (outlet->stream != NULL)
		return STATUS_OK;
	return status_fail(error, "cannot print console text of the target: %s", strerror(errno));
}

void outlet_offer(struct outlet *outlet)
{
	while (write_piece(outlet, 0))
		;
}

void outlet_close(struct outlet *outlet, int milliseconds)
{
	if (outlet->stream == NULL)
		return;
	fclose(outlet->stream);
	while (write_piece(outlet, milliseconds))
		;
	outlet->dropped += outlet->held_size;
	outlet->held_size = 0;
	outlet->stream = NULL;
	if (outlet->is_shared)
		fcntl(outlet->descriptor, F_SETFL, outlet->flags);
	close(outlet->descriptor);
}
