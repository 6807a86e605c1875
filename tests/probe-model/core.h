/* SPDX-License-Identifier: MIT */
/* Model of a Cortex-M's debug registers at 0xe0000000 (Armv7-M ARM, C1). It halts and resets a firmware in QEMU;
 * program counters are generated. */
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
	struct qemu *qemu; /* NULL: no firmware */
	uint32_t dhcsr;
	uint32_t demcr;
	uint32_t dwt_control;
	uint32_t dbgmcu_control;
	uint32_t register_data;
	uint32_t registers[32]; /* of DCRSR, while it is halted */
	uint64_t pcs_read;
	bool was_reset, has_retired; /* since DHCSR was last read; has_retired: instructions, before a halt */
};

void core_init(struct core *core, const struct setup *setup, struct swd_counts *counts, struct qemu *qemu);
uint32_t core_read(struct core *core, uint32_t address);
void core_write(struct core *core, uint32_t address, uint32_t word);
/* Resets the core from outside the debug port, which keeps the debug registers. */
void core_reset(struct core *core);
/* Whether memory stays powered while the core sleeps. */
bool core_is_kept_awake(const struct core *core);

#endif
