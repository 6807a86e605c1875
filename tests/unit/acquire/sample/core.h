/* SPDX-License-Identifier: MIT */
/* Model of a Cortex-M at a probe, with its own clock: the instruction that it executes is known for each nanosecond. */
#ifndef UNIT_ACQUIRE_SAMPLE_CORE_H
#define UNIT_ACQUIRE_SAMPLE_CORE_H

#include "acquire/sample/sampling.h"
#include "acquire/target/target.h"
#include "firmware/image.h"

#include <stdbool.h>
#include <stdint.h>

/* The stages of its program, which repeats each millisecond. */
enum core_place { CORE_WORK, CORE_FILTER, CORE_ASLEEP, CORE_BOOT_ROM, CORE_WORK_AGAIN, CORE_PLACES };

#define CORE_SHARE_WORK    0.30 /* in two pieces */
#define CORE_SHARE_FILTER  0.15
#define CORE_SHARE_ASLEEP  0.50
#define CORE_SHARE_UNKNOWN 0.05

/* The functions of core_image. */
#define CORE_WORK_START   UINT64_C(0x08000100)
#define CORE_FILTER_START UINT64_C(0x08000200)
#define CORE_CODE_END     UINT64_C(0x08000300)
#define CORE_BOOT_ROM_PC  UINT64_C(0x1FFF0010)

extern const struct image core_image;

struct core {
	struct target target;
	uint64_t now; /* nanoseconds */
	uint32_t cpuid, demcr;
	bool has_pcsr;
	bool is_halted;
	bool was_reset;                                    /* since the last read of DHCSR; leaves the trace unit on */
	uint64_t vanishes, is_reset, loses_trace, cancels; /* at these times; 0: never */
};

/* A Cortex-M3 that was reset before, and whose trace unit is off. */
void core_init(struct core *core);

/* The time of the core that core_init() initialized last. */
extern const struct clock core_clock;

#endif
