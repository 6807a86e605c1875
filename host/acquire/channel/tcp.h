/* SPDX-License-Identifier: MIT */
/* A TCP connection with deadlines and cancelling. */
#ifndef ACQUIRE_CHANNEL_TCP_H
#define ACQUIRE_CHANNEL_TCP_H

#include "base/status.h"
#include "base/wait.h"

#include <stddef.h>
#include <stdint.h>

struct tcp {
	int descriptor;
	int cancel; /* ends all waiting once this descriptor is readable; -1: none; not owned */
};

/* Connects to `HOST:PORT`, `[IPV6]:PORT` or `:PORT` (this computer), trying each address of the name, within timeout
 * milliseconds in all. where names the connection in messages. tcp->cancel must be set. On success the caller closes
 * tcp->descriptor; on failure it is -1. */
enum status tcp_connect(const char *where, const char *address, unsigned timeout, struct tcp *tcp, struct error *error);
/* Like tcp_connect(), for a local socket with a path. */
enum status tcp_connect_local(const char *where, const char *path, unsigned timeout, struct tcp *tcp,
                              struct error *error);
/* WAIT_DONE: everything was sent. */
enum wait_result tcp_send(const struct tcp *tcp, const void *bytes, size_t size, uint64_t deadline);
/* WAIT_DONE: *size bytes, at least one, were received. An error of the connection counts as its end. */
enum wait_result tcp_receive(const struct tcp *tcp, void *bytes, size_t capacity, uint64_t deadline, size_t *size);

#endif
