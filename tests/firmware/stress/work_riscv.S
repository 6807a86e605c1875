/* SPDX-License-Identifier: MIT */
/*
 * The second interrupt on a RISC-V hart: stress_work() gets mepc. Interrupts are enabled already; where one came, mepc
 * is the place in the way to here that it came to, which is not the recorder's.
 */
#ifdef __riscv
	.text
	.globl work_interrupt
	.type work_interrupt, @function
work_interrupt:
	csrr a0, mepc
	tail stress_work
	.size work_interrupt, . - work_interrupt
#endif
