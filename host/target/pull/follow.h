/* SPDX-License-Identifier: MIT */
/* Captures of a running target one after the other, in memory. Connects again after a failure, and reads the firmware's
 * ELF again when its file has changed. */
#ifndef TARGET_PULL_FOLLOW_H
#define TARGET_PULL_FOLLOW_H

#include "base/status.h"
#include "capture/capture.h"
#include "target/pull/pull.h"

#include <stdint.h>

struct follow;

/* Opens the ELF. options must outlive the result, which follow_close() frees; its requests are sent after the first
 * connection, and its start again whenever a reset has stopped the profile. Its output is not used. */
enum status follow_create(const struct pull_options *options, struct follow **follow, struct error *error);

/*
 * Lets the target run for this long, except before the first capture, and takes a capture, which the caller owns. On
 * failure there is no connection, and the next call makes a new one after this time. cancel: a descriptor that ends the
 * call with a failure once it is readable; -1 = none.
 */
enum status follow_take(struct follow *follow, unsigned milliseconds, int cancel, struct capture **capture,
                        struct error *error);

/* How often the ELF was read again. */
unsigned follow_reloads(const struct follow *follow);

/* Why the ELF that is now in its file cannot be used, so that the one before still is; empty if it can. */
const char *follow_elf_problem(const struct follow *follow);

/* Disconnects, leaving the target running. *left: changes to the target that could not be undone; empty if none. NULL
 * is allowed. */
void follow_close(struct follow *follow, struct error *left);

#endif
