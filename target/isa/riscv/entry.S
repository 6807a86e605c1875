/* SPDX-License-Identifier: MIT */
/*
 * What GCC's -pg calls on RISC-V: an ordinary call with the return address into the caller as its argument, made after
 * the prologue. The gate and the first slot that an arc can be in are looked at here, where a few instructions do; all
 * else is left to bareprof_arc(), from the start.
 */
#include <bareprof/block.h>

#define BYTES      (__riscv_xlen / 8)
#define ARC_CALLER (BAREPROF_HEADER_SIZE(BYTES) + BAREPROF_ARC_CALLER(BYTES))
#define ARC_CALLEE (BAREPROF_HEADER_SIZE(BYTES) + BAREPROF_ARC_CALLEE(BYTES))
#define ARC_COUNT  (BAREPROF_HEADER_SIZE(BYTES) + BAREPROF_ARC_COUNT(BYTES))
#define BELOW_LIMIT   (-0x100) /* BAREPROF_COUNTER_LIMIT in 32 bits */
#define MSTATUS_MIE   8        /* privileged architecture 3.1.6.1 */

/* bareprof_layout begins with the address of the block and the mask of the arcs. */
#define LAYOUT_MASK BYTES

#if __riscv_xlen == 64
#define LOAD ld
#define ADD_WORDS addw
#else
#define LOAD lw
#define ADD_WORDS add
#endif

	.section .text.bareprof, "ax", @progbits

	.globl _mcount
	.type _mcount, @function
	.balign 4
_mcount:
#if BAREPROF_CONTEXTS == 0 && BAREPROF_CORES <= 1
	la a1, bareprof_block
	lw a2, BAREPROF_OFFSET_GATE(a1)
	ADD_WORDS a2, a2, a1
	bnez a2, .Lnot_open
	lw a4, bareprof_layout + LAYOUT_MASK
	add a3, a0, ra
	and a3, a3, a4
	slli a4, a3, 1 /* a slot is three times the four bytes that the mask counts in, on 64-bit six times */
	add a3, a3, a4
#if __riscv_xlen == 64
	slli a3, a3, 1
#endif
	add a3, a3, a1
	/* The callee is written last, so it is read first. */
	LOAD a4, ARC_CALLEE(a3)
	bne a4, ra, .Lelsewhere
	LOAD a4, ARC_CALLER(a3)
	bne a4, a0, .Lelsewhere
#ifdef __riscv_atomic
	addi a3, a3, ARC_COUNT
	li a4, 1
	amoadd.w a4, a4, (a3)
	sltiu a4, a4, BELOW_LIMIT
	beqz a4, .Lfull
	ret

.Lfull:
	li a4, -1
	amoadd.w zero, a4, (a3)
	j .Lelsewhere
#else
	csrrci a5, mstatus, MSTATUS_MIE
	lw a4, ARC_COUNT(a3)
	addi a4, a4, 1
	beqz a4, .Lfull
	sw a4, ARC_COUNT(a3)
.Lfull:
	andi a5, a5, MSTATUS_MIE
	csrs mstatus, a5
	beqz a4, .Lelsewhere
	ret
#endif

.Lnot_open:
	li a4, BAREPROF_STATE_ARMED
	beq a2, a4, .Lelsewhere
	ret
.Lelsewhere:
#endif
	mv a1, ra
	tail bareprof_arc
	.size _mcount, . - _mcount
