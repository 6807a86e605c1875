/* SPDX-License-Identifier: MIT */
/* See port.h. Tasks yield, so only the registers that a function preserves are switched; interrupts run on the stack of
 * the task that they interrupt. */
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
#define FRAME (16 * WORD)

.macro function name
	.globl \name
	.type \name, %function
\name:
.endm

.macro each_kept action
	\action ra, 0 * WORD(sp)
	\action s0, 1 * WORD(sp)
	\action s1, 2 * WORD(sp)
	\action s2, 3 * WORD(sp)
	\action s3, 4 * WORD(sp)
	\action s4, 5 * WORD(sp)
	\action s5, 6 * WORD(sp)
	\action s6, 7 * WORD(sp)
	\action s7, 8 * WORD(sp)
	\action s8, 9 * WORD(sp)
	\action s9, 10 * WORD(sp)
	\action s10, 11 * WORD(sp)
	\action s11, 12 * WORD(sp)
.endm

function port_first_frame
	addi a0, a0, -FRAME
	la t0, begin_task
	la t1, port_task_exit
	STORE t0, 0 * WORD(a0)
	STORE a1, 1 * WORD(a0)
	STORE t1, 2 * WORD(a0)
	ret
	.size port_first_frame, . - port_first_frame

/* The function is in s0, its return address in s1. */
function begin_task
	mv ra, s1
	jr s0
	.size begin_task, . - begin_task

function port_start
	mv sp, a0
	call port_switch_from_task
	j .
	.size port_start, . - port_start

function port_switch_from_task
	addi sp, sp, -FRAME
	each_kept STORE
	mv a0, sp
	call scheduler_switch
	mv sp, a0
	each_kept LOAD
	addi sp, sp, FRAME
	ret
	.size port_switch_from_task, . - port_switch_from_task

function port_switch_from_interrupt
	ret
	.size port_switch_from_interrupt, . - port_switch_from_interrupt

#endif
