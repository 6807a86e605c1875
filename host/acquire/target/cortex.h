/* SPDX-License-Identifier: MIT */
/* A Cortex-M through its debug registers. */
#ifndef ACQUIRE_TARGET_CORTEX_H
#define ACQUIRE_TARGET_CORTEX_H

#include "base/status.h"

#include <stdint.h>

struct target;

/* Debug halting control and status (Armv7-M ARM, C1.6.2). */
#define CORTEX_DHCSR            0xE000EDF0u
#define CORTEX_DHCSR_S_RESET_ST (UINT32_C(1) << 25) /* was or is in reset; cleared by reading */

/* Checks that the core is a Cortex-M and notes its state, for core_cortex (core.h). */
enum status cortex_identify(struct target *target, struct error *error);

#endif
