/* SPDX-License-Identifier: MIT */
/* The Secure start of a Non-secure image: releases memory and devices to it, and enters it as a reset would. */
#include "worlds.h"

#define VTOR_NS (*(volatile uint32_t *)0xE002ED08u) /* Armv8-M ARM D1.2 */

extern uint32_t other_stack_top[];
extern const uint32_t nonsecure_vectors[];

_Noreturn void boot_handler(void);

/* BXNS leaves the Secure state if bit 0 of the target is 0 (Armv8-M ARM C2.4, BXNS). */
SECURE_STATE _Noreturn void boot_handler(void)
{
	worlds_split();
	worlds_release_timers(0x6u);
	worlds_release_console();
	VTOR_NS = (uint32_t)nonsecure_vectors;
	__asm volatile("msr msp_ns, %0\n\tbxns %1" : : "r"(nonsecure_vectors[0]), "r"(nonsecure_vectors[1] & ~1u));
	__builtin_unreachable();
}

SECURE_STATE _Noreturn static void unexpected_secure_exception(void)
{
	for (;;)
		;
}

/* Faults of Non-secure code arrive here as HardFault by default. */
__attribute__((section(".other_state.vectors"), used)) static const struct {
	uint32_t *initial_stack;
	void (*handlers[7])(void);
} boot_vectors = {
        other_stack_top,
        {boot_handler, unexpected_secure_exception, unexpected_secure_exception, unexpected_secure_exception,
         unexpected_secure_exception, unexpected_secure_exception, unexpected_secure_exception},
};
