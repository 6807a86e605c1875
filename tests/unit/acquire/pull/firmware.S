/* SPDX-License-Identifier: MIT */
/* An ELF with the symbols that a pull looks for, and RAM from 0x20000000 to 0x20010000, or with WIDE to 0x60010000. */
	.syntax unified
	.thumb
	.text
	.word	0x20010000
	.word	_start + 1

	.global	_start
	.type	_start, %function
	.thumb_func
_start:
	b	_start
	.size	_start, . - _start

	.bss
	.space	0x1000
#ifdef SYMBOLS
	.global	bareprof_block
	.type	bareprof_block, %object
bareprof_block:
#endif
#ifdef BLOCKS_SIZE
	.size	bareprof_block, BLOCKS_SIZE
#endif
	.space	0x2000
#ifdef SYMBOLS
	.global	bareprof_block_1
	.type	bareprof_block_1, %object
bareprof_block_1:
#endif
	.space	0xd000
#ifdef WIDE
	.space	0x40000000
#endif
