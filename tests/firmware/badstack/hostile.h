/* SPDX-License-Identifier: MIT */
/* Stack pointers of choice: as an interrupt's entry would report them, and in the core's register. */
#ifndef FIRMWARE_BADSTACK_HOSTILE_H
#define FIRMWARE_BADSTACK_HOSTILE_H

#include <bareprof/bareprof.h>

#if defined __arm__

#define HOSTILE_PUSHED_BYTES 32u
#define HOSTILE_DEVICE       0xE000ED04u /* the System Control Block */
#ifdef BOARD_IS_NONSECURE
#define HOSTILE_ENTRY 0xFFFFFFBCu
#else
#define HOSTILE_ENTRY 0xFFFFFFFDu
#endif
/* QEMU's Cortex-M0 has no MPU. */
#define HOSTILE_HAS_GUARDS (__ARM_ARCH != 6)

static inline struct bareprof_interrupted hostile_interrupted(uintptr_t frame, uint32_t entry)
{
	return (struct bareprof_interrupted){.frame = (const volatile uint32_t *)frame, .fp = 7, .entry = entry};
}

/* Waits with interrupts enabled and the process stack at sp until the word changes. Interrupts were masked before. */
__attribute__((naked, noipa, no_instrument_function)) static void hostile_wait(uintptr_t sp, volatile uint32_t *word)
{
	(void)sp;
	(void)word;
	__asm volatile(".syntax unified\n\t"
	               "push {r4, lr}\n\t"
	               "ldr r2, [r1]\n\t"
	               "msr psp, r0\n\t"
	               "movs r4, #2\n\t" /* SPSEL */
	               "mrs r3, control\n\t"
	               "orrs r3, r4\n\t"
	               "msr control, r3\n\t"
	               "isb\n\t"
	               "cpsie i\n"
	               "0:\n\t"
	               "ldr r3, [r1]\n\t"
	               "cmp r3, r2\n\t"
	               "beq 0b\n\t"
	               "cpsid i\n\t"
	               "mrs r3, control\n\t"
	               "bics r3, r4\n\t"
	               "msr control, r3\n\t"
	               "isb\n\t"
	               "pop {r4, pc}");
}

#else

#define HOSTILE_PUSHED_BYTES 0u
#define HOSTILE_DEVICE       0x02004000u /* mtimecmp */
#define HOSTILE_ENTRY        0u
#define HOSTILE_HAS_GUARDS   true
#define HOSTILE_UNALIGNED    1

static inline struct bareprof_interrupted hostile_interrupted(uintptr_t sp, uint32_t entry)
{
	(void)entry;
	return (struct bareprof_interrupted){.sp = sp, .fp = 7};
}

/* Waits with interrupts enabled and this stack pointer until the word changes. Interrupts were masked before. */
__attribute__((naked, noipa, no_instrument_function)) static void hostile_wait(uintptr_t sp, volatile uint32_t *word)
{
	(void)sp;
	(void)word;
	__asm volatile("lw t1, (a1)\n\t"
	               "mv t0, sp\n\t"
	               "mv sp, a0\n\t"
	               "csrsi mstatus, 8\n"
	               "0:\n\t"
	               "lw t2, (a1)\n\t"
	               "beq t2, t1, 0b\n\t"
	               "csrci mstatus, 8\n\t"
	               "mv sp, t0\n\t"
	               "ret");
}

#endif
#endif
