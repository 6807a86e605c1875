/* SPDX-License-Identifier: MIT */
/* CPUID, the register that shows whether a memory bus leads to a Cortex-M (Armv7-M ARM, DDI 0403, B3.2.3). */
#ifndef ACQUIRE_DAP_CPUID_H
#define ACQUIRE_DAP_CPUID_H

#include <stdbool.h>
#include <stdint.h>

#define CORTEX_CPUID 0xE000ED00u

/* Whether word is the CPUID of a Cortex-M. Missing registers read as zeros or ones. CPUID[19:16] is the architecture:
 * Armv6-M or Armv7-M; Armv8-M cores also report one of these. */
static inline bool cortex_is_cpuid(uint32_t word)
{
	uint32_t architecture = word >> 16 & 0xF;

	return (architecture == 0xC || architecture == 0xF) && word != UINT32_MAX;
}

#endif
