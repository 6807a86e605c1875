@ SPDX-License-Identifier: MIT
@ A build of a firmware to compare newer.s with: each function has 32 bytes, from 0x8000 on. None runs: captures are
@ described.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text
	.macro function name, number
	.global \name
	.type \name, %function
	.thumb_func
\name:
	.rept 7
	adds r0, #\number
	blx r3
	.endr
	bl store
	.size \name, . - \name
	.endm
	function start, 0
	function main, 1
	function step, 2
	function filter, 3
	function checksum, 4
	function store, 5
	function flush, 6
