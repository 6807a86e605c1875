/* SPDX-License-Identifier: MIT */
/*
 * See port.h. Tasks run on the process stack and are preempted by PendSV (Armv7-M ARM B1.5.6; B3.2.4 ICSR). The
 * registers of an FPU are switched where a task has used it (B1.5.7).
 */
#ifdef __arm__

#include "FreeRTOSConfig.h"

	.syntax unified
	.thumb
	.text

#define ICSR           0xE000ED04
#define ICSR_PENDSVSET (1 << 28)
#define XPSR_THUMB     (1 << 24)

.macro function name
	.globl \name
	.type \name, %function
	.thumb_func
\name:
.endm

function port_first_frame
	bic r1, #1
	ldr r2, =XPSR_THUMB
	ldr r3, =port_task_exit
	str r2, [r0, #-4]!
	str r1, [r0, #-4]!
	str r3, [r0, #-4]!
	sub r0, #5 * 4 /* r0 to r3 and r12 */
	mvn r2, #2     /* EXC_RETURN: thread mode, process stack, no registers of the FPU */
	str r2, [r0, #-4]!
	sub r0, #8 * 4 /* r4 to r11 */
	bx lr
	.size port_first_frame, . - port_first_frame

function port_start
	msr psp, r0
	movs r0, #2
	msr control, r0
	isb
	bl port_switch_from_task
	b .
	.size port_start, . - port_start

function port_switch_from_task
function port_switch_from_interrupt
	ldr r0, =ICSR
	ldr r1, =ICSR_PENDSVSET
	str r1, [r0]
	dsb
	isb
	bx lr
	.size port_switch_from_task, . - port_switch_from_task
	.size port_switch_from_interrupt, . - port_switch_from_interrupt

function pendsv_interrupt
	mrs r0, psp
#ifdef __ARM_FP
	tst lr, #0x10
	it eq
	vstmdbeq r0!, {s16-s31}
#endif
	stmdb r0!, {r4-r11, lr}
	bl scheduler_switch
	ldmia r0!, {r4-r11, lr}
#ifdef __ARM_FP
	tst lr, #0x10
	it eq
	vldmiaeq r0!, {s16-s31}
#endif
	msr psp, r0
	bx lr
	.ltorg
	.size pendsv_interrupt, . - pendsv_interrupt

#endif
