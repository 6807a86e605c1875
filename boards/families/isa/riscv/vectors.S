/* SPDX-License-Identifier: MIT */
/*
 * Reset and interrupt entries of a RISC-V hart in machine mode, which come first in memory.
 *
 * Without a CLIC a hart does not nest interrupts by itself. The firmware works in the external interrupt, which lets
 * the timer interrupt in, so that the handler is sampled: it saves mepc, mstatus and mie, masks itself and the software
 * interrupt in mie, and enables interrupts while the handler runs. The timer interrupt is never interrupted. Firmware
 * that switches tasks in the software interrupt defines software_interrupt.
 */

#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define WORD 8
#else
#define STORE sw
#define LOAD lw
#define WORD 4
#endif

/* Sixteen registers that a C function may change, then mepc, mstatus and mie; rounded up to 16 bytes. */
#define FRAME ((19 * WORD + 15) / 16 * 16)
#define MASKED   0x808 /* MEIE and MSIE in mie */
#define SOFTWARE 8     /* MSIE in mie, MSIP in mip */

	.section .vectors, "ax"
	.globl reset_handler
	.type reset_handler, @function
reset_handler:
	.option push
	.option norelax
	la gp, __global_pointer$
	.option pop
	la t0, trap_vectors
	ori t0, t0, 1 /* mtvec.MODE: vectored */
	csrw mtvec, t0
	csrr t0, mhartid
	bnez t0, second_core
	la sp, stack_top
	j startup

/* Waits for its software interrupt, which is not taken, and runs the function of core_second. */
second_core:
	csrsi mie, SOFTWARE
	wfi
	csrr t0, mip
	andi t0, t0, SOFTWARE
	beqz t0, second_core
	csrci mie, SOFTWARE
	fence
	la t0, core_second
	LOAD sp, WORD(t0)
	LOAD t0, 0(t0)
	jr t0
	.size reset_handler, . - reset_handler

/* One 4-byte entry per cause (privileged architecture 3.1.7). */
	.balign 64
	.globl trap_vectors
	.type trap_vectors, @function
trap_vectors:
	.option push
	.option norvc
	j unexpected_trap /* 0: exceptions */
	j unexpected_trap
	j unexpected_trap
	j software_interrupt /* 3: machine software interrupt */
	j unexpected_trap
	j unexpected_trap
	j unexpected_trap
	j board_sampling_interrupt /* 7: machine timer interrupt */
	j unexpected_trap
	j unexpected_trap
	j unexpected_trap
	j external_interrupt /* 11: machine external interrupt */
	.option pop
	.size trap_vectors, . - trap_vectors

	.text
/* Unexpected traps end here, where a debugger finds them. */
	.balign 4
	.weak software_interrupt
	.type unexpected_trap, @function
software_interrupt:
unexpected_trap:
	j unexpected_trap
	.size unexpected_trap, . - unexpected_trap

	.balign 4
	.globl external_interrupt
	.type external_interrupt, @function
external_interrupt:
	addi sp, sp, -FRAME
	STORE ra, 0*WORD(sp)
	STORE t0, 1*WORD(sp)
	STORE t1, 2*WORD(sp)
	STORE t2, 3*WORD(sp)
	STORE a0, 4*WORD(sp)
	STORE a1, 5*WORD(sp)
	STORE a2, 6*WORD(sp)
	STORE a3, 7*WORD(sp)
	STORE a4, 8*WORD(sp)
	STORE a5, 9*WORD(sp)
	STORE a6, 10*WORD(sp)
	STORE a7, 11*WORD(sp)
	STORE t3, 12*WORD(sp)
	STORE t4, 13*WORD(sp)
	STORE t5, 14*WORD(sp)
	STORE t6, 15*WORD(sp)
	csrr t0, mepc
	csrr t1, mstatus
	STORE t0, 16*WORD(sp)
	STORE t1, 17*WORD(sp)
	csrr t0, mie
	STORE t0, 18*WORD(sp)
	li t0, MASKED
	csrc mie, t0
	csrsi mstatus, 8
	call board_external_interrupt
	csrci mstatus, 8
	LOAD t0, 18*WORD(sp)
	csrw mie, t0
	LOAD t0, 16*WORD(sp)
	LOAD t1, 17*WORD(sp)
	csrw mepc, t0
	csrw mstatus, t1
	LOAD ra, 0*WORD(sp)
	LOAD t0, 1*WORD(sp)
	LOAD t1, 2*WORD(sp)
	LOAD t2, 3*WORD(sp)
	LOAD a0, 4*WORD(sp)
	LOAD a1, 5*WORD(sp)
	LOAD a2, 6*WORD(sp)
	LOAD a3, 7*WORD(sp)
	LOAD a4, 8*WORD(sp)
	LOAD a5, 9*WORD(sp)
	LOAD a6, 10*WORD(sp)
	LOAD a7, 11*WORD(sp)
	LOAD t3, 12*WORD(sp)
	LOAD t4, 13*WORD(sp)
	LOAD t5, 14*WORD(sp)
	LOAD t6, 15*WORD(sp)
	addi sp, sp, FRAME
	mret
	.size external_interrupt, . - external_interrupt
