@ SPDX-License-Identifier: MIT
@ Names that try to be something else on a terminal or in JSON; control characters are put in by objcopy.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text
	.macro function name
	.global "\name"
	.type "\name", %function
	.thumb_func
"\name":
	.rept 16
	blx r3
	.endr
	.size "\name", . - "\name"
	.endm
	function escape
	function "quote\"and\\slash"
	function "Größe"
	function broken
	function "start"
