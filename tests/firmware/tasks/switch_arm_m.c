/* SPDX-License-Identifier: MIT */
/*
 * Tasks on an Arm M-profile core: on the process stack, preempted by PendSV, which interrupts of the main stack ask for
 * (Armv6-M ARM B1.4, B1.5.6; B3.2.4 ICSR, B3.2.12 SHPR3).
 */
#include "switch.h"

#ifdef __arm__

#define ICSR             (*(volatile uint32_t *)0xE000ED04u)
#define ICSR_PENDSVSET   (1u << 28)
#define SHPR3            (*(volatile uint32_t *)0xE000ED20u)
#define SHPR3_PENDSV_LOW (0xFFu << 16)

#define FRAME_WORDS    8u /* r0 to r3, r12, lr, pc, xPSR */
#define FRAME_PC       6u
#define FRAME_XPSR     7u
#define XPSR_THUMB     (1u << 24)
#define KEPT_REGISTERS 8u /* r4 to r11, below the frame */

void pendsv_interrupt(void);

/* v6-M stores no high registers at once. */
UNINSTRUMENTED __attribute__((naked)) void pendsv_interrupt(void)
{
	__asm volatile(".syntax unified\n\t"
	               "mrs r0, psp\n\t"
	               "subs r0, #32\n\t"
	               "stmia r0!, {r4-r7}\n\t"
	               "mov r4, r8\n\t"
	               "mov r5, r9\n\t"
	               "mov r6, r10\n\t"
	               "mov r7, r11\n\t"
	               "stmia r0!, {r4-r7}\n\t"
	               "subs r0, #32\n\t"
	               "push {r3, lr}\n\t"
	               "bl tasks_take_turns\n\t"
	               "adds r0, #16\n\t"
	               "ldmia r0!, {r4-r7}\n\t"
	               "mov r8, r4\n\t"
	               "mov r9, r5\n\t"
	               "mov r10, r6\n\t"
	               "mov r11, r7\n\t"
	               "msr psp, r0\n\t"
	               "subs r0, #32\n\t"
	               "ldmia r0!, {r4-r7}\n\t"
	               "pop {r3, pc}");
}

/* CONTROL.SPSEL takes the process stack (Armv6-M ARM B1.4.4). */
UNINSTRUMENTED _Noreturn void switch_start(void (*first)(void), uintptr_t *first_end, void (*second)(void),
                                           uintptr_t *second_end)
{
	uintptr_t *frame = second_end - FRAME_WORDS;

	frame[FRAME_PC] = (uintptr_t)second & ~(uintptr_t)1;
	frame[FRAME_XPSR] = XPSR_THUMB;
	tasks_prepare_second(frame - KEPT_REGISTERS);
	SHPR3 |= SHPR3_PENDSV_LOW;
	__asm volatile("msr psp, %0\n\t"
	               "msr control, %1\n\t"
	               "isb\n\t"
	               "bx %2"
	               :
	               : "r"(first_end), "r"(2), "r"(first)
	               : "memory");
	__builtin_unreachable();
}

UNINSTRUMENTED void switch_from_interrupt(void)
{
	ICSR = ICSR_PENDSVSET;
}

UNINSTRUMENTED void switch_from_task(void)
{
}

#endif
