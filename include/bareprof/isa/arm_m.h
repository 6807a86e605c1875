/* SPDX-License-Identifier: MIT */
/*
 * The sampling interrupt of an Arm M-profile core. Knows nothing of timers.
 *
 * Bit 2 of EXC_RETURN (in lr) tells which stack holds the exception frame; the PC is at offset 24 of it, with and
 * without an FPU frame (Armv7-M ARM B1.5.6, B1.5.8). Pushing two words keeps the stack aligned to 8. Returning from the
 * exception is loading EXC_RETURN into pc. On v8-M with the security extension, interrupt and profiled code have to be
 * of the same security state: the other's stacks are not read.
 */
#ifndef BAREPROF_ISA_ARM_M_H
#define BAREPROF_ISA_ARM_M_H

/* GCC hands inline assembly for v6-M to the assembler in the old syntax unless told otherwise. */
/* clang-format off */
#define BAREPROF_TIMER_ISR(name, acknowledge) \
	BAREPROF_EXTERN_C void name(void); \
	__attribute__((naked, BAREPROF_ISR_ATTRIBUTES)) void name(void) \
	{ \
		__asm volatile(".syntax unified\n\t" \
		               "mov r0, lr\n\t" \
		               "lsls r0, r0, #29\n\t" /* bit 2 becomes the sign */ \
		               "bmi 1f\n\t" \
		               "mrs r0, msp\n\t" \
		               "b 2f\n" \
		               "1:\n\t" \
		               "mrs r0, psp\n" \
		               "2:\n\t" \
		               "ldr r0, [r0, #24]\n\t" \
		               "push {r0, lr}\n\t" \
		               "bl %c0\n\t" \
		               "ldr r0, [sp]\n\t" \
		               "bl bareprof_sample\n\t" \
		               "pop {r0, pc}" \
		               : \
		               : "i"(acknowledge)); \
	}
/* clang-format on */

#endif
