/* SPDX-License-Identifier: MIT */
/* Requests to the recorder through the control words of its block. */
#ifndef ACQUIRE_PULL_CONTROL_H
#define ACQUIRE_PULL_CONTROL_H

#include "acquire/target/target.h"
#include "base/status.h"
#include "capture/capture.h"
#include "firmware/image.h"

#include <stdint.h>

/* The function whose call starts a profile. */
struct trigger {
	uint32_t start; /* first byte */
	uint32_t end;   /* one past the last byte */
	uint32_t ticks; /* ticks after which the profile stops; 0: never */
};

/* Finds the code of the named function; sets only start and end. Fails if no function or several ranges of code have
 * the name, or if the code is above 4 GB, because the recorder compares the low halves of addresses. */
enum status trigger_find(const struct image *image, const char *function, struct trigger *trigger, struct error *error);

/* Sends BAREPROF_COMMAND_* to the recorder of this block and lets the target run until the recorder has acknowledged.
 * Fails if the recorder refuses, or does not react within two seconds. */
enum status control_request(struct target *target, const struct capture_header *block, unsigned command,
                            uint32_t argument, struct error *error);

/* Sets the trigger and arms the profile. The profile must be stopped, or it could start with a half-written trigger. */
enum status control_arm(struct target *target, const struct capture_header *block, const struct trigger *trigger,
                        struct error *error);

/* Lets the target run until the block's reset is complete. Fails if the reset makes no progress for two seconds. */
enum status control_await_reset(struct target *target, const struct capture_header *block, struct error *error);

#endif
