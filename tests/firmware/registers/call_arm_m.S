/* SPDX-License-Identifier: MIT */
/*
 * The hooks called on an Arm M-profile core, in instructions that v6-M has too.
 *
 * After the call every register is stored except ip, which no hook keeps.
 */
#ifdef __arm__

	.syntax unified
	.thumb
	.text

/* saved: the stack pointer of C, and where the registers go. */
	.macro call_with_registers name, call
	.globl \name
	.type \name, %function
	.thumb_func
	.balign 4
\name:
	push {r4-r7, lr}
	mov r4, r8
	mov r5, r9
	mov r6, r10
	mov r7, r11
	push {r4-r7}
	ldr r2, =saved
	mov r3, sp
	str r3, [r2]
	str r1, [r2, #4]

	ldr r1, [r0, #32]
	mov r8, r1
	ldr r1, [r0, #36]
	mov r9, r1
	ldr r1, [r0, #40]
	mov r10, r1
	ldr r1, [r0, #44]
	mov r11, r1
	ldr r1, [r0, #48]
	mov r12, r1
	ldr r1, [r0, #52]
	mov sp, r1
	ldr r1, [r0, #56]
	mov lr, r1
	ldm r0, {r0-r7}
	\call
	b store_registers
	.size \name, . - \name
	.endm

	.macro gcc_calls_mcount
	push {lr}
	bl __gnu_mcount_nc
	.endm

	call_with_registers call_mcount, gcc_calls_mcount
	call_with_registers call_enter, "bl __cyg_profile_func_enter"
	call_with_registers call_exit, "bl __cyg_profile_func_exit"

	.type store_registers, %function
	.thumb_func
	.balign 4
store_registers:
	mov r12, r0
	ldr r0, =saved
	ldr r0, [r0, #4]
	str r1, [r0, #4]
	str r2, [r0, #8]
	str r3, [r0, #12]
	str r4, [r0, #16]
	str r5, [r0, #20]
	str r6, [r0, #24]
	str r7, [r0, #28]
	mov r1, r12
	str r1, [r0, #0]
	mov r1, r8
	str r1, [r0, #32]
	mov r1, r9
	str r1, [r0, #36]
	mov r1, r10
	str r1, [r0, #40]
	mov r1, r11
	str r1, [r0, #44]
	mov r1, sp
	str r1, [r0, #52]
	mov r1, lr
	str r1, [r0, #56]

	ldr r2, =saved
	ldr r2, [r2]
	mov sp, r2
	pop {r4-r7}
	mov r8, r4
	mov r9, r5
	mov r10, r6
	mov r11, r7
	pop {r4-r7, pc}
	.size store_registers, . - store_registers
	.ltorg

	.bss
	.balign 4
saved:
	.space 8

#endif
