/* SPDX-License-Identifier: MIT */
/*
 * Target access: the memory of a target, whatever stands in between. One file per way of access, one line each in
 * access.c's table. Knows nothing of blocks and images.
 */
#ifndef PROBE_ACCESS_H
#define PROBE_ACCESS_H

#include "channel/client.h"
#include "file/inputs.h"
#include "status/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access;

struct access_ops {
	/* The word before the colon of a SOURCE: "gdb". NULL = those of all channels, see channel.h. */
	const char *scheme;
	const char *synopsis; /* what follows that, for --help: ":HOST:PORT" */
	const char *summary;  /* one line for --help */
	const char *caution;  /* what the way of access may do to the target, for the user; NULL = nothing */

	/* Connects to SOURCE. On success *access is the caller's, to be closed. For the rest see access_open();
	 * observer is never NULL. */
	enum status (*open)(const char *source, int cancel, const struct client_observer *observer,
	                    struct access **access, struct error *error);
	/* Reads size bytes at address into buffer, all or nothing. */
	enum status (*read)(struct access *access, uint64_t address, void *buffer, size_t size, struct error *error);
	/* Writes size bytes, in order of rising addresses. NULL = the source cannot be written. */
	enum status (*write)(struct access *access, uint64_t address, const void *bytes, size_t size,
	                     struct error *error);
	/* Lets the target run for so long of the host's time. NULL = the source never runs (a dump). */
	enum status (*run)(struct access *access, unsigned milliseconds, struct error *error);
	/* All memory that the source holds, where it is one stretch of known bounds (a dump, a link). NULL = it is not.
	 */
	void (*extent)(const struct access *access, uint64_t *address, uint64_t *size);
	/* Adds the file that what follows the scheme names. NULL = the source is no file. */
	enum status (*list_inputs)(const char *address, struct file_inputs *inputs, struct error *error);
	/* What went over the line so far. NULL = that is not counted. */
	void (*traffic)(const struct access *access, struct client_traffic *traffic);
	/* Leaves the target running, disconnects and frees. Reports a target that could not be left running. */
	enum status (*close)(struct access *access, struct error *error);
};

/* Every implementation's state begins with this. */
struct access {
	const struct access_ops *ops;
	char source[256]; /* as the user wrote it, for messages */
	bool is_lost; /* a read failed because the source is gone or silent: others would fail, too, and as slowly */
};

/* For open(): begins a state with its ops and the SOURCE that led to it. */
void access_init(struct access *access, const struct access_ops *ops, const char *source);
/* For open(): what follows the scheme. */
const char *access_address(const char *source);

extern const struct access_ops access_gdb;  /* GDB remote serial protocol over TCP: gdb.c */
extern const struct access_ops access_file; /* a memory dump made by any tool, a recorded stream: dump.c */
extern const struct access_ops access_link; /* frames over any channel: link.c */

/* The table of all ways of access, ended by NULL. */
extern const struct access_ops *const access_table[];

/* Adds the file that SOURCE is read from, if it is one: it must not be written over. */
enum status access_list_inputs(const char *source, struct file_inputs *inputs, struct error *error);

/* The way of access that SOURCE names by its scheme, or NULL. */
const struct access_ops *access_find(const char *source);

/*
 * Opens SOURCE (scheme:address). An unknown scheme is a usage error that lists the known ones. As soon as the
 * descriptor cancel can be read from, whatever waits for the source fails, and access_close() alone still talks to it,
 * for less than a second. -1 = nothing cancels. observer, which may be NULL, is told of the target's text and of how
 * far a read is, and must outlive the access, as what it points to.
 */
enum status access_open(const char *source, int cancel, const struct client_observer *observer, struct access **access,
                        struct error *error);

enum status access_read(struct access *access, uint64_t address, void *buffer, size_t size, struct error *error);
enum status access_write(struct access *access, uint64_t address, const void *bytes, size_t size, struct error *error);
bool access_can_write(const struct access *access);
/* False if the source may reach memory anywhere. */
bool access_extent(const struct access *access, uint64_t *address, uint64_t *size);
enum status access_run(struct access *access, unsigned milliseconds, struct error *error);
/* False if nobody counts what goes over the line. */
bool access_traffic(const struct access *access, struct client_traffic *traffic);
/* Closes; NULL is allowed. */
enum status access_close(struct access *access, struct error *error);

#endif
