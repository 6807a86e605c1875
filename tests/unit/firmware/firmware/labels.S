/* SPDX-License-Identifier: MIT */
/* Assembly as it is found in the wild: labels with and without types and sizes. */
	.syntax unified
	.cpu cortex-m3
	.thumb

	.section .vectors, "a"
	.word 0x20001000
	.word reset_handler

	.text
	.global untyped_global
untyped_global:
	movs r0, #1
	movs r0, #2
.Lnot_a_function:
	bx lr
untyped_local:
	movs r0, #3
	ldr r1, =0x12345678
	bx lr
	.ltorg

	.global typed_unsized
	.type typed_unsized, %function
typed_unsized:
	nop
	bx lr

	.global __gnu_mcount_nc
	.type __gnu_mcount_nc, %function
__gnu_mcount_nc:
	pop {ip}
inside_sized:
	mov lr, ip
	bx lr
	.size __gnu_mcount_nc, . - __gnu_mcount_nc

	.type table, %object
table:
	.word 1, 2, 3
label_in_table = . - 4
	.size table, . - table

	.global absolute_label
absolute_label = 0x08000040

	.global untyped_last
untyped_last:
	nop
	bx lr
