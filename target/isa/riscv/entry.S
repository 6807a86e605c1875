/* SPDX-License-Identifier: MIT */
/*
 * The hook of GCC's -pg on RISC-V: an ordinary call after the prologue, with the return address into the caller as its
 * argument. It tests the gate and searches the table of arcs in the order of target/recorder/arcs.c, but counts only
 * arcs that are in the table. Claiming a slot and a full counter are left to bareprof_arc(), which starts over.
 */
#include "layout.h"

#define MSTATUS_MIE 8        /* privileged architecture 3.1.6.1 */

/* Without contexts the table of arcs follows the header. */
#if BAREPROF_CONTEXTS != 0
#define ARCS_OFFSET 0
#else
#define ARCS_OFFSET HEADER_END
#endif
#define ARC_CALLER  (ARCS_OFFSET + BAREPROF_ARC_CALLER(BYTES))
#define ARC_CALLEE  (ARCS_OFFSET + BAREPROF_ARC_CALLEE(BYTES))
#define ARC_COUNT   (ARCS_OFFSET + BAREPROF_ARC_COUNT(BYTES))
#define ARC_CONTEXT (ARC_COUNT + 4)

/* Slots searched here after the first. Few arcs are farther away, and a full table is not searched to its end. */
#define PROBES_MAX_LOG2 4

#if __riscv_xlen == 64
#define LOAD ld
#define ADD_WORDS addw
#else
#define LOAD lw
#define ADD_WORDS add
#endif

/*
 * a0 the caller, ra the callee, a1 the block, with contexts the table, a2 the mask, a5 the hash, a3 the slot less
 * ARCS_OFFSET, and t2 the context, which is read once per call.
 */
	.macro find_slot
	and a3, a5, a2
#if BAREPROF_CONTEXTS != 0 && __riscv_xlen == 32
	slli a3, a3, 2 /* a slot is four times the four bytes that the mask counts in */
#else
	slli a4, a3, 1 /* three times; on 64-bit six times */
	add a3, a3, a4
#if __riscv_xlen == 64
	slli a3, a3, 1
#endif
#endif
	add a3, a3, a1
	.endm

	.macro unless_of_context otherwise
#if BAREPROF_CONTEXTS != 0
	lw a4, ARC_CONTEXT(a3)
	bne a4, t2, \otherwise
#endif
	.endm

	/* For unwinding from the recorder: the return address stays in ra. */
	.cfi_sections .debug_frame
	.section BAREPROF_CODE_SECTION._mcount, "ax", @progbits

	/* Only for the linker, which reports it if C was compiled with other options. */
	.reloc ., R_RISCV_NONE, BAREPROF_VARIANT(bareprof_init)
	.globl _mcount
	.type _mcount, @function
	.balign 4
_mcount:
	.cfi_startproc
#if BAREPROF_CORES <= 1
	la a1, bareprof_block
	lw a2, BAREPROF_OFFSET_GATE(a1)
	ADD_WORDS a2, a2, a1
	bnez a2, .Lnot_open
	add a5, a0, ra
#if BAREPROF_CONTEXTS != 0
	lw t2, HEADER_CONTEXT(a1)
	slli a4, t2, 2
	add a5, a5, a4
	LOAD a1, bareprof_layout + LAYOUT_ARCS
#endif
	lw a2, bareprof_layout + LAYOUT_MASK
	find_slot
	/* The callee is written last, so it is read first. */
	LOAD a4, ARC_CALLEE(a3)
	bne a4, ra, .Lsearch
	LOAD a4, ARC_CALLER(a3)
	bne a4, a0, .Lsearch
	unless_of_context .Lsearch
.Lcount:
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

	/* t0 the distance between probes, t1 the last hash. */
.Lsearch:
	slli t0, a0, 2
	ori t0, t0, 4
	slli t1, t0, PROBES_MAX_LOG2
	add t1, t1, a5
.Lprobe:
	add a5, a5, t0
	find_slot
	LOAD a4, ARC_CALLEE(a3)
	beq a4, ra, .Lcallee_found
.Lnext:
	bne a5, t1, .Lprobe
	j .Lelsewhere
.Lcallee_found:
	LOAD a4, ARC_CALLER(a3)
	bne a4, a0, .Lnext
	unless_of_context .Lnext
	j .Lcount

.Lnot_open:
	li a4, BAREPROF_STATE_ARMED
	beq a2, a4, .Lelsewhere
	ret
.Lelsewhere:
#endif
	mv a1, ra
	tail bareprof_arc
	.cfi_endproc
	.size _mcount, . - _mcount
