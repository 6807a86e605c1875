/* SPDX-License-Identifier: MIT */
/* All in C, called from a stub: what the compiler calls is not a function by the rules of C. */
	.syntax unified
	.thumb
	.section .text.bareprof, "ax", %progbits
	.globl __gnu_mcount_nc
	.type __gnu_mcount_nc, %function
	.thumb_func
	.balign 4
__gnu_mcount_nc:
	push {r0, r1, r2, r3, lr}
	ldr r0, [sp, #20]
	mov r1, lr
	bl bareprof_arc
	pop {r0, r1, r2, r3, ip, lr}
	bx ip
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
