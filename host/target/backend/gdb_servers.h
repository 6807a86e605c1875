/* SPDX-License-Identifier: MIT */
/*
 * What some debug servers do otherwise than GDB's manual has it, as far as it matters to who reads memory: one row each
 * in gdb_servers.c's table. A server without a row, such as QEMU or st-util, does as the manual says.
 */
#ifndef TARGET_BACKEND_GDB_SERVERS_H
#define TARGET_BACKEND_GDB_SERVERS_H

#include "base/status.h"
#include "target/backend/gdb_packet.h"
#include "target/backend/gdb_remote.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gdb_server {
	const char *version; /* what it says to `monitor version` begins so; NULL = it is known by its non-stop mode */
	const char *const *detach_requests; /* see gdb_remote.h; ended by NULL */
	bool hides_failures;                /* reads that failed are answered with zeros */
};

/* *server is NULL for one without a row. */
enum status gdb_server_recognise(struct gdb_remote *remote, const struct gdb_features *features,
                                 const struct gdb_server **server, struct error *error);

/* Lets a probe that is a server itself (Black Magic Probe) look for targets, and attaches to this one of them; they are
 * counted from 1. The target halts. */
enum status gdb_server_attach(struct gdb_remote *remote, unsigned target, struct error *error);

enum gdb_zeros {
	GDB_ZEROS_TRUE,
	GDB_ZEROS_OUTDATED, /* there is something else now, or was before */
	GDB_ZEROS_UNKNOWN,  /* the server cannot tell */
};

/* Asks a server that hides failures about memory that it answered with nothing but zeros. Fails if it cannot be read.
 */
enum status gdb_server_check_zeros(struct gdb_remote *remote, uint64_t address, size_t size, enum gdb_zeros *zeros,
                                   struct error *error);

#endif
