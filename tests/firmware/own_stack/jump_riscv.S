/* SPDX-License-Identifier: MIT */
/* See jump.h. */
#ifdef __riscv

#if __riscv_xlen == 64
#define STORE sd
#define LOAD  ld
#else
#define STORE sw
#define LOAD  lw
#endif
#define WORD (__riscv_xlen / 8)

.macro each_kept action
	\action ra, 0 * WORD(a0)
	\action sp, 1 * WORD(a0)
	\action s0, 2 * WORD(a0)
	\action s1, 3 * WORD(a0)
	\action s2, 4 * WORD(a0)
	\action s3, 5 * WORD(a0)
	\action s4, 6 * WORD(a0)
	\action s5, 7 * WORD(a0)
	\action s6, 8 * WORD(a0)
	\action s7, 9 * WORD(a0)
	\action s8, 10 * WORD(a0)
	\action s9, 11 * WORD(a0)
	\action s10, 12 * WORD(a0)
	\action s11, 13 * WORD(a0)
.endm

	.text

	.globl setjmp
	.type setjmp, @function
setjmp:
	each_kept STORE
	li a0, 0
	ret
	.size setjmp, . - setjmp

	.globl longjmp
	.type longjmp, @function
longjmp:
	each_kept LOAD
	mv a0, a1
	ret
	.size longjmp, . - longjmp

#endif
