# SPDX-License-Identifier: MIT
# Two functions of 32 bytes each for the PC that runs the tests, whatever it is. Their code is not decoded.
	.macro function name
	.globl \name
	.type \name, @function
\name:
	.space 32
	.size \name, . - \name
	.endm
	.text
	function main
	function work
