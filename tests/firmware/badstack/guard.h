/* SPDX-License-Identifier: MIT */
/* Memory that any access to is a fault. */
#ifndef FIRMWARE_BADSTACK_GUARD_H
#define FIRMWARE_BADSTACK_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#define GUARD_BYTES 256u

/* Forbids these two pieces of memory, of GUARD_BYTES each and aligned to that. Returns false if the core cannot. */
bool guard_two(uintptr_t low, uintptr_t high);

#endif
