/* SPDX-License-Identifier: MIT */
/*
 * Arm M profile: v6-M to v8.1-M. Knows nothing of the block.
 *
 * Exclusives hold against interrupts because exception entry and return clear the local monitor (Armv7-M ARM A3.4.4).
 * v6-M has none: interrupts are masked for a few instructions. That holds against everything but NMI and HardFault,
 * which must not be instrumented there, and in privileged code: unprivileged threads cannot mask, and may lose a count.
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stdint.h>

/* Writes desired if *word is expected, in one step that no interrupt divides. Says whether it did. */
#if defined(__ARM_FEATURE_LDREX) && (__ARM_FEATURE_LDREX & 4)

static inline bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#else

static inline bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	uint32_t mask;

	__asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(mask) : : "memory");
	const bool is_expected = *word == expected;
	if (is_expected)
		*word = desired;
	__asm volatile("msr primask, %0" : : "r"(mask) : "memory");
	return is_expected;
}

#endif

#endif
