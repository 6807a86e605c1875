@ SPDX-License-Identifier: MIT
@ older.s after some work: functions lie elsewhere, checksum is called verify, filter has a clone, flush is gone, audit is new.
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
	function store, 5
	function filter, 7
	function verify, 4
	function main, 1
	function step, 2
	function filter.constprop.0, 8
	function audit, 9
