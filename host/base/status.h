/* SPDX-License-Identifier: MIT */
/* How functions of the host tool report failure. Knows nothing of what failed. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdarg.h>

/* Also the exit status of the tool. */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_GATE = 3,
	STATUS_PIPE = 141, /* the reader of standard output went away: no message; as shells show for SIGPIPE */
};

/* One line for the user, without a newline: which file or device, where in it, what was expected. Filled once, where
 * the failure happened; callers pass it up unchanged. */
struct error {
	char message[512];
};

/* Fill *error as printf does (long messages are cut) and return STATUS_FAILED or STATUS_USAGE. */
enum status status_fail(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum status status_usage(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What went wrong besides, if its message is not empty: told behind that of *error, which status is of, or where that
 * is STATUS_OK, in its place. Returns what it is of both. */
enum status status_add(enum status status, struct error *error, const struct error *besides);

#endif
