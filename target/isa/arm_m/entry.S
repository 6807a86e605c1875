/* SPDX-License-Identifier: MIT */
/*
 * What GCC's -pg calls on Arm: `push {lr}; bl __gnu_mcount_nc` at the end of a prologue. The gate and the first slot that
 * an arc can be in are looked at here, where a few instructions do; all else is left to bareprof_arc(), from the start.
 *
 * On entry [sp] is the return address into the caller, lr the one into the function. On return the word is off the
 * stack, lr is the return address into the caller again and r0 to r3, which may be arguments, are as they were. Only ip
 * and the flags may change (so says glibc's interface of this function, which compilers rely on).
 *
 * The call comes from the middle of a prologue, where the stack need not be aligned to 8. The recorder has nothing on
 * the stack that would need it, and interrupts align their own frames.
 */
#include <bareprof/block.h>

#define ARC_CALLER (BAREPROF_HEADER_SIZE(4) + BAREPROF_ARC_CALLER(4))
#define ARC_CALLEE (BAREPROF_HEADER_SIZE(4) + BAREPROF_ARC_CALLEE(4))
#define ARC_COUNT  (BAREPROF_HEADER_SIZE(4) + BAREPROF_ARC_COUNT(4))
/* bareprof_layout begins with the address of the block and the mask of the arcs. */
#define LAYOUT_MASK 4

/* Which of three: no look at a slot where there is more than one table or a context to compare; with the instructions of
 * 32 bits; without them. */
#if BAREPROF_CONTEXTS != 0 || BAREPROF_CORES > 1
#define PLAIN
#elif defined(__ARM_FEATURE_LDREX) && !defined(__ARM_ARCH_8M_BASE__)
#define WIDE
#endif

	.syntax unified
	.thumb
	.section .text.bareprof, "ax", %progbits

	.globl __gnu_mcount_nc
	.type __gnu_mcount_nc, %function
	.thumb_func
	.balign 4
__gnu_mcount_nc:

#ifdef PLAIN

	push {r0, r1, r2, r3}
	mov r2, lr
	ldr r1, [sp, #16]

#elif defined(WIDE)

	/* The return address into the function takes the place of the other one, so that one pop ends the call. */
	ldr ip, [sp], #4
	push {r0, r1, r2, r3, lr}
	ldr r1, .Llayout
	ldrd r0, r1, [r1]
	ldr r2, [r0, #BAREPROF_OFFSET_GATE]
	adds r2, r2, r0
	bne .Lnot_open
	add r2, ip, lr
	and r1, r1, r2
	add r1, r1, r1, lsl #1 /* a slot is three times the four bytes that the mask counts in */
	add r0, r0, r1
	/* An interrupt in the middle of this begins it anew, as only LDM and STM can be continued (Cortex-M3 TRM, Arm DDI 0337,
	 * 3.9.1; Cortex-M7, DDI 0489, 2.7.1): so both are of one time. */
	ldrd r2, r3, [r0, #ARC_CALLER]
	cmp r2, ip
	bne .Lelsewhere
	cmp r3, lr
	bne .Lelsewhere
	ldrex r2, [r0, #ARC_COUNT]
	adds r2, r2, #1
	beq .Lelsewhere /* full */
	strex r3, r2, [r0, #ARC_COUNT]
	cbnz r3, .Lelsewhere /* interrupted */
.Lleave:
	mov lr, ip
	pop {r0, r1, r2, r3, pc}

.Lnot_open:
	cmp r2, #BAREPROF_STATE_ARMED
	bne .Lleave
.Lelsewhere:
	mov r0, ip
	mov r1, lr
	push {r0, r1}
	bl bareprof_arc
	pop {r0, r1}
	mov lr, r0
	pop {r0, r1, r2, r3, pc}

#else

	push {r0, r1, r2, r3}
	ldr r0, .Lblock
	ldr r1, [r0, #BAREPROF_OFFSET_GATE]
	adds r3, r1, r0
	bne .Lnot_open
	ldr r1, [sp, #16]
	mov r2, lr
	adds r3, r1, r2
	ldr r0, .Llayout
	ldr r0, [r0, #LAYOUT_MASK]
	ands r3, r3, r0
	lsls r0, r3, #1 /* a slot is three times the four bytes that the mask counts in */
	adds r3, r3, r0
	ldr r0, .Larcs
	adds r3, r3, r0
	/* The callee is written last, so it is read first. */
	ldr r0, [r3, #BAREPROF_ARC_CALLEE(4)]
	cmp r0, r2
	bne .Lelsewhere
	ldr r0, [r3, #BAREPROF_ARC_CALLER(4)]
	cmp r0, r1
	bne .Lelsewhere
	mov lr, r1
	str r2, [sp, #16] /* in place of the other one, so that one pop ends the call */
#if __ARM_FEATURE_LDREX
	ldrex r1, [r3, #BAREPROF_ARC_COUNT(4)]
	adds r1, r1, #1
	beq .Lfull
	strex r0, r1, [r3, #BAREPROF_ARC_COUNT(4)]
	cmp r0, #0
	bne .Lfull /* interrupted */
	pop {r0, r1, r2, r3, pc}
.Lfull:
#else
	mrs r0, primask
	cpsid i
	ldr r1, [r3, #BAREPROF_ARC_COUNT(4)]
	adds r1, r1, #1
	beq .Lfull
	str r1, [r3, #BAREPROF_ARC_COUNT(4)]
	msr primask, r0
	pop {r0, r1, r2, r3, pc}
.Lfull:
	msr primask, r0
#endif
	mov r1, lr
	ldr r2, [sp, #16]
	b .Lelsewhere

.Lnot_open:
	mov r2, lr
	ldr r1, [sp, #16]
	cmp r3, #BAREPROF_STATE_ARMED
	beq .Lelsewhere
	mov lr, r1
	str r2, [sp, #16]
	pop {r0, r1, r2, r3, pc}
.Lelsewhere:

#endif

#ifndef WIDE
	/* r1 the caller, r2 the callee; on the stack r0 to r3 and a word for the callee. */
	str r2, [sp, #16]
	push {r1, r2}
	mov r0, r1
	mov r1, r2
	bl bareprof_arc
	pop {r1, r2}
	mov lr, r1
	pop {r0, r1, r2, r3, pc}
#endif

	.balign 4
#ifndef PLAIN
.Llayout:
	.word bareprof_layout
#ifndef WIDE
.Lblock:
	.word bareprof_block
.Larcs:
	.word bareprof_block + BAREPROF_HEADER_SIZE(4)
#endif
#endif
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
