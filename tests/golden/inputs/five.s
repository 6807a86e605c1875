@ SPDX-License-Identifier: MIT
@ Five functions of 32 bytes each from 0x8000 on, in the order start, main, a, b, c. None runs: captures are described,
@ and a call precedes each address, so that any may be a return address. c calls the hook.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text
	.macro function name calls="blx r3; blx r3"
	.global \name
	.type \name, %function
	.thumb_func
\name:
	.rept 14
	blx r3
	.endr
	\calls
	.size \name, . - \name
	.endm
	function start
	function main
	function a
	function b
	function c "bl __gnu_mcount_nc"
	.global __gnu_mcount_nc
	.type __gnu_mcount_nc, %function
	.thumb_func
__gnu_mcount_nc:
	bx lr
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
