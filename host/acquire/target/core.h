/* SPDX-License-Identifier: MIT */
/* Control of a target's core, for target.h: cortex.c for a Cortex-M, riscv_core.c for RISC-V. */
#ifndef ACQUIRE_TARGET_CORE_H
#define ACQUIRE_TARGET_CORE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct target;

struct core_registers {
	uint64_t pc, lr, sp;
	uint64_t fp; /* r7 of a Cortex-M, s0 of RISC-V */
};

/* halt() sets target->is_halted; resume() clears it. */
struct core_ops {
	/* For messages: the condition for reading a sleeping core's memory, "a debugger needs ...". */
	const char *for_sleep;
	/* Checks the core and notes whether it is halted. */
	enum status (*identify)(struct target *target, struct error *error);
	/* Halts the core, unless it was halted when it was identified and target->found_halted is set. */
	enum status (*halt)(struct target *target, struct error *error);
	/* Lets the core run if halt() halted it; otherwise does nothing. */
	enum status (*resume)(struct target *target, struct error *error);
	/* Resets the target and waits until it is out of reset. Then the core runs, unless a debugger catches
	 * resets. */
	enum status (*reset)(struct target *target, struct error *error);
	/* Waits until a pin reset that began after the last access to the core is over. */
	enum status (*await_reset)(struct target *target, struct error *error);
	/* Reads the program counter of the halted core. NULL: it cannot be read. */
	enum status (*read_pc)(struct target *target, uint64_t *pc, struct error *error);
	/* Reads the registers of the halted core from which unwinding starts. NULL if read_pc is NULL. */
	enum status (*read_registers)(struct target *target, struct core_registers *registers, struct error *error);
	/* Whether the core is halted, by us or by another debugger. */
	enum status (*is_halted)(struct target *target, bool *is_halted, struct error *error);
};

extern const struct core_ops core_cortex; /* cortex.c */
extern const struct core_ops core_riscv;  /* riscv_core.c, for a target of probe_target.h */

#endif
