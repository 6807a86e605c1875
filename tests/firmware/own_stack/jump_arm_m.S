/* SPDX-License-Identifier: MIT */
/* See jump.h. v7-M and v8-M, without the registers of an FPU. */
#ifdef __arm__

	.syntax unified
	.thumb
	.text

	.globl setjmp
	.type setjmp, %function
	.thumb_func
setjmp:
	mov r2, sp
	stmia r0, {r2, r4-r11, lr}
	movs r0, #0
	bx lr
	.size setjmp, . - setjmp

	.globl longjmp
	.type longjmp, %function
	.thumb_func
longjmp:
	ldmia r0, {r2, r4-r11, lr}
	mov sp, r2
	mov r0, r1
	bx lr
	.size longjmp, . - longjmp

#endif
