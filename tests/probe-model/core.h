/* SPDX-License-Identifier: MIT */
/* What a debugger sees of a Cortex-M at 0xe0000000 (Armv7-M ARM, C1): it halts and resets what runs in QEMU, and shows
 * program counters of its own making. Knows nothing of other memory. */
#ifndef PROBE_MODEL_CORE_H
#define PROBE_MODEL_CORE_H

#include "qemu.h"
#include "setup.h"
#include "swd.h"

#define CORE_REGISTERS 0xe0000000u
#define CORE_SIZE      0x00100000u

struct core {
	const struct setup *setup;
	struct swd_counts *counts;
	struct qemu *qemu; /* NULL = nothing runs */
	uint32_t dhcsr;
	uint32_t demcr;
	uint32_t dwt_control;
	uint32_t dbgmcu_control;
	uint32_t register_data;
	uint64_t pcs_read;
	bool was_reset, has_retired; /* since the debugger looked; has_retired: an instruction, before a halt */
};

void core_init(struct core *core, const struct setup *setup, struct swd_counts *counts, struct qemu *qemu);
uint32_t core_read(struct core *core, uint32_t address);
void core_write(struct core *core, uint32_t address, uint32_t word);
/* A reset from outside of the debug port: registers of the debugger keep what they hold. */
void core_reset(struct core *core);
/* Whether its memory stays on while it sleeps. */
bool core_is_kept_awake(const struct core *core);

#endif
