/* SPDX-License-Identifier: MIT */
/*
 * The second interrupt on an Arm M-profile core: stress_work() gets the PC of the exception frame, which lies at offset
 * 24 of the main stack (Armv7-M ARM B1.5.6), the only one in use.
 */
#ifdef __arm__
	.syntax unified
	.thumb
	.text
	.globl work_interrupt
	.type work_interrupt, %function
	.thumb_func
work_interrupt:
	ldr r0, [sp, #24]
	ldr r1, =stress_work
	bx r1
	.pool
	.size work_interrupt, . - work_interrupt
#endif
