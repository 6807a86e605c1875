/* SPDX-License-Identifier: MIT */
/* SOURCEs as tests write them, resolved or opened, and checks of the outcome of an operation. */
#ifndef UNIT_ACQUIRE_SOURCES_H
#define UNIT_ACQUIRE_SOURCES_H

#include "acquire/backend/backends.h"

/* The result is valid until the eighth call after it. Fails the test if text is not a SOURCE. */
const struct source *resolved_source(const char *text);
enum status open_source(const char *text, const struct target_setup *setup, struct target **target,
                        struct error *error);
/* The message contains part and is one line. */
void assert_says(const struct error *error, const char *part);

void assert_contains(const char *text, const char *part);
/* STATUS_OK; prints the error if it is not. */
void assert_success(enum status status, const struct error *error);
/* STATUS_FAILED, with an error of one line that contains part. */
void assert_failure(enum status status, const struct error *error, const char *part);

#endif
