/* SPDX-License-Identifier: MIT */
/* The smallest firmware of a Cortex-M3: counts at 0x20000100 forever. */
	.syntax unified
	.thumb
	.text
	.word	0x20004000
	.word	_start + 1

	.global	_start
	.type	_start, %function
	.thumb_func
_start:
	ldr	r0, =0x20000100
	movs	r1, #0
loop:	adds	r1, r1, #1
	str	r1, [r0]
	b	loop
	.ltorg
