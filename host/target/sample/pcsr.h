/* SPDX-License-Identifier: MIT */
/* DWT_PCSR of a Cortex-M: the address of an instruction that it executed recently, readable while it runs. */
#ifndef TARGET_SAMPLE_PCSR_H
#define TARGET_SAMPLE_PCSR_H

#include "base/status.h"
#include "target/backend/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enables the core's trace unit, and checks that the register exists. *was_enabled: its state before. */
enum status pcsr_enable(struct target *target, bool *was_enabled, struct error *error);
/* Reads it count times in a row. */
enum status pcsr_read(struct target *target, uint32_t *words, size_t count, struct error *error);
/* Fails if the target was reset (S_RESET_ST of DHCSR, unless another reader cleared it) or the trace unit was disabled
 * since the last check: the samples are meaningless then. */
enum status pcsr_check_enabled(struct target *target, struct error *error);
/* Restores the state of the trace unit. */
enum status pcsr_restore(struct target *target, bool was_enabled, struct error *error);

#endif
