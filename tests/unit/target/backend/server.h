/* SPDX-License-Identifier: MIT */
/* What tests with a real server do alike: a port for it, waiting for it, opening it. Knows nothing of what it speaks.
 */
#ifndef UNIT_TARGET_BACKEND_SERVER_H
#define UNIT_TARGET_BACKEND_SERVER_H

#include "target/backend/target.h"

/* Of this machine, for TCP: free a moment ago, at any rate. */
unsigned server_free_port(void);

/* NULL = failed. */
struct target *server_try_open(const char *source, struct error *error);
/* Or the test fails. */
struct target *server_open(const char *source);
/* The same of one that was just started: waits until it is there. */
struct target *server_await(const char *source);

/* Opens it and lets its target run: a cancellation ends the wait, and the access is lost then. */
void server_check_cancelling(const char *source);

#endif
