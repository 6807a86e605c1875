/* SPDX-License-Identifier: MIT */
/* Deviations of some gdb servers from GDB's manual, as far as they matter for reading memory: one row each in a table.
 * A server without a row, such as QEMU or st-util, follows the manual. */
#ifndef TARGET_BACKEND_GDB_SERVERS_H
#define TARGET_BACKEND_GDB_SERVERS_H

#include "base/status.h"
#include "target/backend/gdb_packet.h"
#include "target/backend/gdb_remote.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gdb_server {
	const char *version; /* start of its answer to `monitor version`; NULL = recognised by its non-stop mode */
	const char *const *detach_requests; /* see gdb_remote.h; ended by NULL */
	bool hides_failures;                /* answers failed reads with zeros */
};

/* *server is NULL if it has no row. */
enum status gdb_server_recognise(struct gdb_remote *remote, const struct gdb_features *features,
                                 const struct gdb_server **server, struct error *error);

/* Makes a probe that is its own server (Black Magic Probe) scan for targets and attaches to one of them, counted from
 * 1. The target halts. */
enum status gdb_server_attach(struct gdb_remote *remote, unsigned target, struct error *error);

enum gdb_zeros {
	GDB_ZEROS_TRUE,
	GDB_ZEROS_OUTDATED, /* the memory is not zero now, or was not before */
	GDB_ZEROS_UNKNOWN,  /* the server cannot be asked */
};

/* Asks a server that hides failures whether zeros are real. Fails if the memory cannot be read. */
enum status gdb_server_check_zeros(struct gdb_remote *remote, uint64_t address, size_t size, enum gdb_zeros *zeros,
                                   struct error *error);

#endif
