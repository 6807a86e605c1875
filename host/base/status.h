/* SPDX-License-Identifier: MIT */
/* Status codes and error messages of the host tool. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "base/hint.h"

#include <stdarg.h>

/* Also the exit status of the tool. */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_RULES_BROKEN = 3, /* of bareprof diff */
	/* The reader of standard output has gone: no message. The value is what shells report for SIGPIPE. */
	STATUS_PIPE = 141,
};

/* One line for the user, without a newline: the file or device, the place in it, and what was expected. Filled once,
 * where the failure happened; callers pass it on unchanged. */
struct error {
	char message[512];
	enum hint hint; /* advice, if an option helps */
};

/* Format *error as printf does and return STATUS_FAILED or STATUS_USAGE. Long messages lose their middle. */
enum status status_fail(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum status status_usage(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like status_fail(), with a hint. */
enum status status_fail_with(struct error *error, enum hint hint, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* Reports that memory ran out while name, a file or device, was processed. Returns STATUS_FAILED. */
enum status status_no_memory(struct error *error, const char *name);

/* Combines two failures: appends the message of other, unless it is empty or already there, to *error, whose status is
 * given. If status is STATUS_OK, other becomes the error. Returns the combined status. */
enum status status_add(enum status status, struct error *error, const struct error *other);

#endif
