@ SPDX-License-Identifier: MIT
@ Calls of all kinds, in functions 32 bytes apart from 0x8000 on: start, main, worker, wrapper, handler, rare.
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
	.macro end name
	.size \name, . - \name
	.endm
	function start
	bl main
	b .
	end start
	function main
	push {r4, lr}
	bl worker
	bl wrapper
	ldr r3, =table
	ldr r3, [r3]
	blx r3
	bl rare
	pop {r4, pc}
	.ltorg
	end main
	function worker
	bx lr
	end worker
	function wrapper
	b.w worker_2
	end wrapper
	function handler
	b.w worker
	end handler
	function rare
	push {r4, lr}
	bl worker
	pop {r4, pc}
	end rare
	function worker_2
	push {r4, lr}
	ldr r3, =worker
	blx r3
	pop {r4, pc}
	.ltorg
	end worker_2
	function __gnu_mcount_nc
	bx lr
	end __gnu_mcount_nc
	.data
table:	.word handler
