/* SPDX-License-Identifier: MIT */
/* SOURCEs as tests write them, resolved or opened. */
#ifndef UNIT_ACQUIRE_SOURCES_H
#define UNIT_ACQUIRE_SOURCES_H

#include "acquire/backend/backends.h"

/* The result is valid until the eighth call after it. Fails the test if text is not a SOURCE. */
const struct source *resolved_source(const char *text);
enum status open_source(const char *text, const struct target_setup *setup, struct target **target,
                        struct error *error);

/* The note that an observer received last. */
extern char noted[512];
void take_note(void *context, const char *text);

/* A pipe that cancels what reads from pipe[0] once something is written to pipe[1]; it is closed after the test. */
void open_cancel_pipe(int pipe_ends[2]);
void cancel_by(const int pipe_ends[2]);

#endif
