/* SPDX-License-Identifier: MIT */
/* A TCP connection on which nothing waits longer than it was told to, or once it was cancelled. Knows nothing of what
 * is sent over it. */
#ifndef TARGET_CHANNEL_TCP_H
#define TARGET_CHANNEL_TCP_H

#include "base/status.h"
#include "base/wait.h"

#include <stddef.h>
#include <stdint.h>

struct tcp {
	int descriptor;
	int cancel; /* nothing waits any more once this descriptor can be read from; -1 = none; not owned */
};

/*
 * Connects to `HOST:PORT`, `[IPV6]:PORT` or `:PORT` (this machine), trying each address that the name has, within
 * timeout milliseconds in all. where names the connection in messages. tcp->cancel is set before. tcp->descriptor, -1
 * before, is then the caller's, to be closed; it still is -1 on failure.
 */
enum status tcp_connect(const char *where, const char *address, unsigned timeout, struct tcp *tcp, struct error *error);
/* The same for a socket of this computer that has a path. */
enum status tcp_connect_local(const char *where, const char *path, unsigned timeout, struct tcp *tcp,
                              struct error *error);
/* WAIT_DONE: all of it was sent. */
enum wait_result tcp_send(const struct tcp *tcp, const void *bytes, size_t size, uint64_t deadline);
/* WAIT_DONE: *size bytes, at least one, were received. An error of the connection counts as its end. */
enum wait_result tcp_receive(const struct tcp *tcp, void *bytes, size_t capacity, uint64_t deadline, size_t *size);

#endif
