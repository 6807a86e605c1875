/* SPDX-License-Identifier: MIT */
/* Requests to the recorder through the control words of its block. Knows nothing of the rest of the block. */
#ifndef TARGET_PULL_CONTROL_H
#define TARGET_PULL_CONTROL_H

#include "base/status.h"
#include "capture/capture.h"
#include "target/backend/target.h"
#include "target/pull/trigger.h"

/*
 * Asks the recorder whose block has this header for BAREPROF_COMMAND_* and lets the target run until it has
 * acknowledged. A refusal, and no acknowledgement within two seconds, are failures.
 */
enum status control_request(struct target *target, const struct capture_header *block, unsigned command,
                            uint32_t argument, struct error *error);

/* Sets the trigger and arms the profile, which must be stopped: it would start while its trigger is half written. */
enum status control_arm(struct target *target, const struct capture_header *block, const struct trigger *trigger,
                        struct error *error);

/* Lets the target run until no reset is under way in the block. Fails if the reset makes no progress for two seconds.
 */
enum status control_await_reset(struct target *target, const struct capture_header *block, struct error *error);

#endif
