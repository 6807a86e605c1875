@ SPDX-License-Identifier: MIT
@ Functions of 32 bytes each from 0x8000 on. task_exit is what tasks return to; it
@ follows prepare, which ends in a return. None runs: captures are described.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text
	.macro function name
	.balign 32
	.global \name
	.type \name, %function
	.thumb_func
\name:
	.endm
	function start
	bl main
	b .
	.size start, . - start
	function main
	bl prepare
	bl wrapper
	b .
	.size main, . - main
	function prepare
	.rept 15
	nop
	.endr
	bx lr
	.size prepare, . - prepare
	function task_exit
	b .
	.size task_exit, . - task_exit
	function task
	bl work
	bl wrapper
	b task
	.size task, . - task
	function wrapper
	b.w step
	.size wrapper, . - wrapper
	function step
	bx lr
	.size step, . - step
	function work
	bx lr
	.size work, . - work
	function __gnu_mcount_nc
	bx lr
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
