/* SPDX-License-Identifier: MIT */
/*
 * The hook of GCC's -pg on Arm: `push {lr}; bl __gnu_mcount_nc` at the end of a prologue. It tests the gate and
 * searches the table of arcs in the order of target/recorder/arcs.c, but counts only arcs that are in the table.
 * Claiming a slot, a full counter and an exclusive store that an interrupt broke are left to bareprof_arc(), which
 * starts over.
 *
 * On entry [sp] is the return address into the caller, lr the one into the function. On return the word is off the
 * stack, lr is the return address into the caller again, and r0 to r3, which may be arguments, are unchanged. Only ip
 * and the flags may change (the interface of this function in glibc, which compilers rely on).
 *
 * The call comes from the middle of a prologue, where the stack need not be aligned to 8. The recorder keeps nothing on
 * the stack that needs it, and interrupts align their own frames.
 */
#include <bareprof/block.h>
#include <bareprof/code.h>
#include <bareprof/options.h>

/* bareprof_layout begins with the address of the block and the mask of the arcs. Then comes, with contexts, the address
 * of the table of arcs. Without contexts, where the table follows the header, it is the factor from a masked hash to
 * the offset of a slot. */
#define LAYOUT_MASK   4
#define LAYOUT_ARCS   8
#define LAYOUT_FACTOR 8

#if BAREPROF_STACKS != 0
#define HEADER_END (BAREPROF_HEADER_SIZE(4) + BAREPROF_STACK_HEADER_SIZE)
#else
#define HEADER_END BAREPROF_HEADER_SIZE(4)
#endif
#if BAREPROF_CONTEXTS != 0
#define ARCS_OFFSET 0
#define HEADER_CONTEXT (HEADER_END + BAREPROF_CONTEXT_HEADER_SIZE - 8)
#else
#define ARCS_OFFSET HEADER_END
#endif
#define ARC_CALLER  (ARCS_OFFSET + BAREPROF_ARC_CALLER(4))
#define ARC_CALLEE  (ARCS_OFFSET + BAREPROF_ARC_CALLEE(4))
#define ARC_COUNT   (ARCS_OFFSET + BAREPROF_ARC_COUNT(4))
#define ARC_CONTEXT (ARC_COUNT + 4)

/* Slots searched here after the first. Few arcs are farther away, and a full table is not searched to its end. */
#define PROBES_MAX (1 << PROBES_MAX_LOG2)
#define PROBES_MAX_LOG2 4

/* One of three hooks is built: PLAIN leaves everything to C, WIDE searches with 32-bit instructions, and the third
 * searches with 16-bit instructions. */
#if BAREPROF_CORES > 1
#define PLAIN
#elif defined(__ARM_FEATURE_LDREX) && !defined(__ARM_ARCH_8M_BASE__)
#define WIDE
#elif BAREPROF_CONTEXTS != 0
#define PLAIN
#endif

	.syntax unified
	.thumb
	.section BAREPROF_CODE_SECTION.__gnu_mcount_nc, "ax", %progbits

	/* Only for the linker, which reports it if C was compiled with other options. */
	.reloc ., R_ARM_NONE, BAREPROF_VARIANT(bareprof_init)
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

/*
 * ip the caller, lr the callee, r1 the mask, r5 the hash, r6 the slot less ARCS_OFFSET, r2 and r3 its caller and
 * callee. With contexts r0 is the context, which is read once per call, and r4 the table; without, r0 is the block and
 * r4 the factor.
 */

	.macro begin_hash
#if BAREPROF_CONTEXTS != 0
	ldr r0, [r0, #HEADER_CONTEXT]
	add r5, ip, lr
	add r5, r5, r0, lsl #2
#else
	add r5, ip, lr
#endif
	.endm

	.macro find_slot
	and r6, r1, r5
#if BAREPROF_CONTEXTS != 0
	add r6, r4, r6, lsl #2
#else
	mla r6, r6, r4, r0
#endif
	.endm

	/* The condition stays `eq` if the slot belongs to the context. */
	.macro compare_context
#if BAREPROF_CONTEXTS != 0
	itt eq
	ldreq r2, [r6, #ARC_CONTEXT]
	cmpeq r2, r0
#endif
	.endm

	/* The return address into the function replaces the other one, so that one pop ends the call. */
	ldr ip, [sp], #4
	push {r0, r1, r2, r3, r4, r5, r6, lr}
	ldr r1, .Llayout
	ldm r1, {r0, r1, r4}
	ldr r2, [r0, #BAREPROF_OFFSET_GATE]
	adds r2, r2, r0
	bne .Lnot_open
	begin_hash
	find_slot
	/* Both words are read at the same time: LDRD restarts after an interrupt, because only LDM and STM can be
	 * continued (Cortex-M3 TRM, Arm DDI 0337, 3.9.1; Cortex-M7, DDI 0489, 2.7.1). */
	ldrd r2, r3, [r6, #ARC_CALLER]
	cmp r2, ip
	bne .Lsearch
	cmp r3, lr
	compare_context
	bne .Lsearch
.Lcount:
	ldrex r2, [r6, #ARC_COUNT]
	adds r2, r2, #1
	beq .Lelsewhere /* full */
	strex r3, r2, [r6, #ARC_COUNT]
	cbnz r3, .Lelsewhere /* interrupted */
.Lleave:
	mov lr, ip
	pop {r0, r1, r2, r3, r4, r5, r6, pc}

.Lnot_open:
	cmp r2, #BAREPROF_STATE_ARMED
	bne .Lleave
.Lelsewhere:
	mov r4, ip
	mov r0, ip
	mov r1, lr
	bl bareprof_arc
	mov ip, r4
	b .Lleave

.Lsearch:
	movs r3, #PROBES_MAX
.Lprobe:
	add r5, r5, ip, lsl #2
	find_slot
	/* The callee is written last, so it is read first. */
	ldr r2, [r6, #ARC_CALLEE]
	cmp r2, lr
	bne .Lnext
	ldr r2, [r6, #ARC_CALLER]
	cmp r2, ip
	compare_context
	beq .Lcount
.Lnext:
	subs r3, r3, #1
	bne .Lprobe
	b .Lelsewhere

#else

	push {r0, r1, r2, r3}
	ldr r1, [sp, #16]
	mov r2, lr
	ldr r0, .Lblock
	ldr r3, [r0, #BAREPROF_OFFSET_GATE]
	adds r3, r3, r0
	bne .Lnot_open
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
	bne .Lsearch
	ldr r0, [r3, #BAREPROF_ARC_CALLER(4)]
	cmp r0, r1
	bne .Lsearch
.Lcount:
	mov lr, r1
	str r2, [sp, #16] /* in place of the other return address, so that one pop ends the call */
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
	b .Lelsewhere

	/* r4 the mask, r5 the table, r6 the hash, r7 the distance between probes, ip the last hash, r3 the slot. */
.Lsearch:
	push {r4, r5, r6, r7}
	ldr r4, .Llayout
	ldr r4, [r4, #LAYOUT_MASK]
	ldr r5, .Larcs
	adds r6, r1, r2
	lsls r7, r1, #2
	lsls r0, r7, #PROBES_MAX_LOG2
	adds r0, r0, r6
	mov ip, r0
.Lprobe:
	adds r6, r6, r7
	movs r3, r6
	ands r3, r3, r4
	lsls r0, r3, #1
	adds r3, r3, r0
	adds r3, r3, r5
	ldr r0, [r3, #BAREPROF_ARC_CALLEE(4)]
	cmp r0, r2
	beq .Lcallee_found
.Lnext:
	cmp r6, ip
	bne .Lprobe
	pop {r4, r5, r6, r7}
	b .Lelsewhere
.Lcallee_found:
	ldr r0, [r3, #BAREPROF_ARC_CALLER(4)]
	cmp r0, r1
	bne .Lnext
	pop {r4, r5, r6, r7}
	b .Lcount

.Lnot_open:
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
	.word bareprof_block + HEADER_END
#endif
#endif
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
