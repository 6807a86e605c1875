/* SPDX-License-Identifier: MIT */
/* See port.h. Tasks are switched in the software interrupt, which saves all registers on the stack of the task. Like the
 * board's external interrupt, it lets the timer interrupt in, so that samples see the code of a switch. */
#ifdef __riscv

	.text

#if __riscv_xlen == 64
#define STORE sd
#define LOAD  ld
#else
#define STORE sw
#define LOAD  lw
#endif
#define WORD  (__riscv_xlen / 8)
#define FRAME (32 * WORD)

#define MASKED  0x808      /* MEIE and MSIE in mie */
#define MSTATUS 0x1880     /* MPP, machine mode, and MPIE: interrupts are enabled by mret */
#define MSIP    0x02000000 /* SiFive FU540-C000 manual, chapter CLINT */

.macro function name
	.globl \name
	.type \name, %function
\name:
.endm

/* Except t0 and t1. */
.macro each_register action
	\action ra, 0 * WORD(sp)
	\action t2, 3 * WORD(sp)
	\action s0, 4 * WORD(sp)
	\action s1, 5 * WORD(sp)
	\action a0, 6 * WORD(sp)
	\action a1, 7 * WORD(sp)
	\action a2, 8 * WORD(sp)
	\action a3, 9 * WORD(sp)
	\action a4, 10 * WORD(sp)
	\action a5, 11 * WORD(sp)
	\action a6, 12 * WORD(sp)
	\action a7, 13 * WORD(sp)
	\action s2, 14 * WORD(sp)
	\action s3, 15 * WORD(sp)
	\action s4, 16 * WORD(sp)
	\action s5, 17 * WORD(sp)
	\action s6, 18 * WORD(sp)
	\action s7, 19 * WORD(sp)
	\action s8, 20 * WORD(sp)
	\action s9, 21 * WORD(sp)
	\action s10, 22 * WORD(sp)
	\action s11, 23 * WORD(sp)
	\action t3, 24 * WORD(sp)
	\action t4, 25 * WORD(sp)
	\action t5, 26 * WORD(sp)
	\action t6, 27 * WORD(sp)
.endm
#define T0_PLACE      (1 * WORD)
#define T1_PLACE      (2 * WORD)
#define MEPC_PLACE    (28 * WORD)
#define MSTATUS_PLACE (29 * WORD)

function port_first_frame
	addi a0, a0, -FRAME
	la t0, port_task_exit
	li t1, MSTATUS
	STORE t0, 0 * WORD(a0)
	STORE a1, MEPC_PLACE(a0)
	STORE t1, MSTATUS_PLACE(a0)
	ret
	.size port_first_frame, . - port_first_frame

function port_start
	mv sp, a0
	call port_switch_from_task
	j .
	.size port_start, . - port_start

	.balign 4
function software_interrupt
	addi sp, sp, -FRAME
	STORE t0, T0_PLACE(sp)
	STORE t1, T1_PLACE(sp)
	csrr t0, mepc
	csrr t1, mstatus
	STORE t0, MEPC_PLACE(sp)
	STORE t1, MSTATUS_PLACE(sp)
	li t0, MASKED
	csrc mie, t0
	csrsi mstatus, 8
	each_register STORE
	li t0, MSIP
	sw zero, 0(t0)
	mv a0, sp
	call scheduler_switch
	mv sp, a0
	each_register LOAD
	csrci mstatus, 8
	li t0, MASKED
	csrs mie, t0
	LOAD t0, MEPC_PLACE(sp)
	LOAD t1, MSTATUS_PLACE(sp)
	csrw mepc, t0
	csrw mstatus, t1
	LOAD t0, T0_PLACE(sp)
	LOAD t1, T1_PLACE(sp)
	addi sp, sp, FRAME
	mret
	.size software_interrupt, . - software_interrupt

#endif
