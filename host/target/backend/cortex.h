/* SPDX-License-Identifier: MIT */
/* Halting and resetting a Cortex-M through its debug registers, for target.h. cortex_resume() restores what
 * halting changed. */
#ifndef TARGET_BACKEND_CORTEX_H
#define TARGET_BACKEND_CORTEX_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct target;

struct cortex {
	struct target *target;
	uint32_t found_dhcsr; /* before anything was changed */
	bool is_halted;       /* by cortex_halt() */
};

/* Debug halting control and status (Armv7-M ARM, C1.6.2). */
#define CORTEX_DHCSR            0xE000EDF0u
#define CORTEX_DHCSR_S_RESET_ST (UINT32_C(1) << 25) /* was or is in reset; cleared by reading */

/* Checks that the core is a Cortex-M and notes its state. */
enum status cortex_identify(struct cortex *core, struct target *target, struct error *error);
/* Halts the core, unless it was halted when it was identified. */
enum status cortex_halt(struct cortex *core, struct error *error);
/* Resets the target by AIRCR and waits until it is out of reset. It runs then, unless a debugger catches resets. */
enum status cortex_reset(struct cortex *core, struct error *error);
/* Waits for the end of a reset, by AIRCR or the pin, that began after DHCSR was last read. Only core->target must be
 * set. */
enum status cortex_await_reset(const struct cortex *core, struct error *error);
/* Whether the core is halted, by us or by another debugger. */
enum status cortex_poll_state(const struct cortex *core, bool *is_halted, struct error *error);
/* Lets the core run if we halted it; otherwise does nothing. */
enum status cortex_resume(struct cortex *core, struct error *error);

#endif
