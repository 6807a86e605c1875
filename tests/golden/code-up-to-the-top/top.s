# SPDX-License-Identifier: MIT
# Two functions of 32 bytes each, the second of which ends at 2^64, as in a boot ROM at the top of memory.
	.option norvc
	.macro function name
	.globl \name
	.type \name, @function
\name:
	.rept 8
	nop
	.endr
	.size \name, . - \name
	.endm
	.text
	function first
	function last
