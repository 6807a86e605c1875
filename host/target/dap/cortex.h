/* SPDX-License-Identifier: MIT */
/*
 * What registers of a Cortex-M core mean that lie in its memory: whether it is one, halting, reset. What is changed is
 * put back by cortex_leave(). Knows nothing of how words are read and written.
 */
#ifndef TARGET_DAP_CORTEX_H
#define TARGET_DAP_CORTEX_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Words of a target's memory, whatever stands in between: adi.h, a debug server. */
struct cortex_memory {
	const char *source; /* for messages */
	void *context;
	enum status (*read_word)(void *context, uint32_t address, uint32_t *word, struct error *error);
	enum status (*write_word)(void *context, uint32_t address, uint32_t word, struct error *error);
	/* As read_word, of a place where there may be nothing: that it answers with an error is no surprise. */
	enum status (*probe_word)(void *context, uint32_t address, uint32_t *word, struct error *error);
};

struct cortex {
	const struct cortex_memory *memory;
	uint32_t found_dhcsr; /* as it was */
	bool is_halted;       /* by us */
};

/* CPUID, at the same place of each (Armv7-M ARM, B3.2.3). */
#define CORTEX_CPUID 0xE000ED00u
/* Whether that is the CPUID of a Cortex-M. What is not there reads as zeros or ones. */
bool cortex_is_cpuid(uint32_t word);

/* Debug halting control and status (Armv7-M ARM, C1.6.2). */
#define CORTEX_DHCSR            0xE000EDF0u
#define CORTEX_DHCSR_S_RESET_ST (UINT32_C(1) << 25) /* it was reset, or is in reset; cleared by reading */

/* Reads how the core stands. memory must outlive the core. A CPUID that is none is a failure. */
enum status cortex_meet(struct cortex *core, const struct cortex_memory *memory, struct error *error);
/* Lets it stand still; one that does already stays so. */
enum status cortex_halt(struct cortex *core, struct error *error);
/* Resets the target by AIRCR and waits until it is out of reset. It runs then, unless a debugger caught it before. */
enum status cortex_reset(struct cortex *core, struct error *error);
/* Waits until it is out of a reset that began since DHCSR was read last, by whatever. Of the core only memory is
 * needed. */
enum status cortex_await_reset(const struct cortex *core, struct error *error);
/* Whether it stands still, whoever halted it. */
enum status cortex_look(const struct cortex *core, bool *is_standing, struct error *error);
/* Lets it run again if it was halted by us; a second time is nothing. */
enum status cortex_leave(struct cortex *core, struct error *error);

#endif
