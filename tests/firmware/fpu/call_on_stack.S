/* SPDX-License-Identifier: MIT */
/*
 * void call_on_stack(void (*function)(void), void *top): calls function in thread mode on the process stack, which ends
 * at top. CONTROL.SPSEL is bit 1 (Armv6-M ARM B1.4.4, Armv7-M ARM B1.4.4).
 */
	.syntax unified
	.thumb
	.text

	.globl call_on_stack
	.type call_on_stack, %function
	.thumb_func
call_on_stack:
	push {r4, lr}
	msr psp, r1
	movs r4, #2
	mrs r1, control
	orrs r1, r4
	msr control, r1
	isb
	blx r0
	mrs r1, control
	bics r1, r4
	msr control, r1
	isb
	pop {r4, pc}
	.size call_on_stack, . - call_on_stack
