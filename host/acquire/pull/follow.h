/* SPDX-License-Identifier: MIT */
/* Successive captures of a running target, in memory. Connects again after a failure, and reads the ELF again when its
 * file has changed. */
#ifndef ACQUIRE_PULL_FOLLOW_H
#define ACQUIRE_PULL_FOLLOW_H

#include "acquire/pull/pull.h"
#include "base/status.h"
#include "capture/capture.h"

#include <stdint.h>

struct follow;

/* Opens the ELF. options must outlive the result, which follow_close() frees. The requests in options are sent after
 * the first connection; the start is sent again whenever a reset has stopped the profile. The output in options is
 * unused. */
enum status follow_create(const struct pull_options *options, struct follow **follow, struct error *error);

/*
 * Lets the target run for this long, except before the first capture, and takes a capture, which the caller owns. A
 * failure closes the connection; the next call waits for its time and connects again. cancel: a descriptor that ends
 * the call with a failure once it is readable; -1: none.
 */
enum status follow_take(struct follow *follow, unsigned milliseconds, int cancel, struct capture **capture,
                        struct error *error);

/* The number of times that the ELF was read again. */
unsigned follow_reloads(const struct follow *follow);

/* Why the changed ELF cannot be used; the previous one then stays in use. Empty if it can. */
const char *follow_elf_problem(const struct follow *follow);

/* Disconnects, leaving the target running. *left: changes to the target that could not be undone; empty if none. NULL
 * is allowed. */
void follow_close(struct follow *follow, struct error *left);

#endif
