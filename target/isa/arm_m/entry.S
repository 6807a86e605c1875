/* SPDX-License-Identifier: MIT */
/*
 * What GCC's -pg calls on Arm: `push {lr}; bl __gnu_mcount_nc` at the end of a prologue. Knows nothing of the table.
 *
 * On entry [sp] is the return address into the caller, lr the one into the function. On return the word is off the
 * stack, lr is the return address into the caller again and r0 to r3, which may be arguments, are as they were. Only ip
 * and the flags may change (so says glibc's interface of this function, which compilers rely on).
 *
 * The call comes from the middle of a prologue, where the stack need not be aligned to 8. The recorder has nothing on
 * the stack that would need it, and interrupts align their own frames.
 */
#include <bareprof/block.h>

	.syntax unified
	.thumb
	.section .text.bareprof, "ax", %progbits

	.globl __gnu_mcount_nc
	.type __gnu_mcount_nc, %function
	.thumb_func
	.balign 4
__gnu_mcount_nc:
	push {r0, r1}
	ldr r0, .Lblock
	ldr r1, [r0, #BAREPROF_OFFSET_GATE]
	adds r1, r1, r0 /* the open gate is minus the address of the block */
	bne .Lleave
	mov r0, lr
	push {r0, r2, r3}
	mov r1, r0
	ldr r0, [sp, #20]
	bl bareprof_arc_count
	pop {r0, r2, r3}
	mov lr, r0
.Lleave:
	mov ip, lr
	ldr r0, [sp, #8]
	mov lr, r0
	pop {r0, r1}
	add sp, #4
	bx ip
	.balign 4
.Lblock:
	.word bareprof_block
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
