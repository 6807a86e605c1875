/* SPDX-License-Identifier: MIT */
/*
 * Names as compilers generate them: OLD and NEW are two builds of one program. LOCAL: of a file, FILE, whose functions are
 * all local but LOCAL.
 */
	.syntax unified
	.thumb

	.macro function name, number
	.type "\name", %function
	.thumb_func
"\name":
	movs r0, #\number
	adds r0, r0, #\number
	lsls r1, r0, #2
	eors r0, r1
	bx lr
	.size "\name", . - "\name"
	.endm

	.file FILE
	.text
#ifdef LOCAL
	.globl LOCAL
	function LOCAL, 1
#else
	.globl start, whole, __other, other
	function start, 1
#endif
#ifdef OLD
	function whole, 2
	function whole.part.0, 3
	function whole.cold, 4
	function special.constprop.0, 5
	function special.constprop.1.isra.0, 6
	function promoted, 7
	function plain.7, 8
	function __other, 9
	function twin, 12
	function other_twin, 12
#else
	function whole.part.0.cold.3, 3
	function whole, 2
	function special, 10
	function promoted.llvm.123456789, 7
	function plain.12, 11
	function __other, 9
	.type other, %function
	.thumb_set other, __other
	function third_twin, 12
#endif
