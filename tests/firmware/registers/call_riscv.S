/* SPDX-License-Identifier: MIT */
/* The hooks called on a RISC-V hart. No hook keeps t0, which addresses the memory where all other registers are stored. */
#ifdef __riscv

#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define WORD 8
#else
#define STORE sw
#define LOAD lw
#define WORD 4
#endif

/* ra, tp and s0 to s11; rounded up to 16 bytes. */
#define FRAME ((14 * WORD + 15) / 16 * 16)

/* gp may be wrong after the call, so no address may be relaxed to be relative to it. */
	.option norelax
	.text

	.macro for_saved_registers instruction
	\instruction ra, 0*WORD(sp)
	\instruction tp, 1*WORD(sp)
	\instruction s0, 2*WORD(sp)
	\instruction s1, 3*WORD(sp)
	\instruction s2, 4*WORD(sp)
	\instruction s3, 5*WORD(sp)
	\instruction s4, 6*WORD(sp)
	\instruction s5, 7*WORD(sp)
	\instruction s6, 8*WORD(sp)
	\instruction s7, 9*WORD(sp)
	\instruction s8, 10*WORD(sp)
	\instruction s9, 11*WORD(sp)
	\instruction s10, 12*WORD(sp)
	\instruction s11, 13*WORD(sp)
	.endm

/* saved: the stack pointer of C, and where the registers go. */
	.macro call_with_registers name, call
	.globl \name
	.type \name, @function
	.balign 4
\name:
	addi sp, sp, -FRAME
	for_saved_registers STORE
	la t0, saved
	STORE sp, 0*WORD(t0)
	STORE a1, 1*WORD(t0)

	mv t6, a0
	.irp number, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	LOAD x\number, \number*WORD(t6)
	.endr
	\call
	j store_registers
	.size \name, . - \name
	.endm

	.macro gcc_calls_mcount
	mv a0, ra
	call _mcount
	.endm

	call_with_registers call_mcount, gcc_calls_mcount
	call_with_registers call_enter, "call __cyg_profile_func_enter"
	call_with_registers call_exit, "call __cyg_profile_func_exit"

	.type store_registers, @function
	.balign 4
store_registers:
	la t0, saved
	LOAD t0, 1*WORD(t0)
	.irp number, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	STORE x\number, \number*WORD(t0)
	.endr

	la t0, saved
	LOAD sp, 0*WORD(t0)
	la gp, __global_pointer$
	for_saved_registers LOAD
	addi sp, sp, FRAME
	ret
	.size store_registers, . - store_registers

	.bss
	.balign WORD
saved:
	.space 2 * WORD

#endif
