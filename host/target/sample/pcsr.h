/* SPDX-License-Identifier: MIT */
/*
 * DWT_PCSR of a Cortex-M: the address of an instruction that it executed a moment ago, read while it runs. Knows
 * nothing of probes and of what the addresses are.
 */
#ifndef TARGET_SAMPLE_PCSR_H
#define TARGET_SAMPLE_PCSR_H

#include "base/status.h"
#include "target/backend/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enables the trace part of the core, and checks that the register is there. *was_enabled: it was before. */
enum status pcsr_enable(struct target *target, bool *was_enabled, struct error *error);
/* Reads it count times in a row. */
enum status pcsr_read(struct target *target, uint32_t *words, size_t count, struct error *error);
/* Fails if since the last check, or the enabling, the target was reset, unless somebody else saw that first (S_RESET_ST
 * of DHCSR), or the trace part was switched off: what was read means nothing then. */
enum status pcsr_check_enabled(struct target *target, struct error *error);
/* Leaves the trace part as it was found. */
enum status pcsr_restore(struct target *target, bool was_enabled, struct error *error);

#endif
