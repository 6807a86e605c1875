@ SPDX-License-Identifier: MIT
@ A firmware in which nothing records calls.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text
	.global start
	.type start, %function
	.thumb_func
start:
	.rept 80
	blx r3
	.endr
	.size start, . - start
