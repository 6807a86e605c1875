# SPDX-License-Identifier: MIT
# Three functions with frame information, one without, and a section for their table. With RAM, six in other memory.
	.text
	.syntax unified
	.thumb
	.cfi_sections .debug_frame
	.macro function name
	.globl \name
	.type \name, %function
	.thumb_func
\name:
	.endm
	.macro end name
	.size \name, . - \name
	.endm

function start
	.cfi_startproc
	bl work
	b .
	.cfi_endproc
end start

function work
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 4, -8
	.cfi_offset 14, -4
	bl leaf
	pop {r4, pc}
	.cfi_endproc
end work

function leaf
	.cfi_startproc
	bx lr
	.cfi_endproc
end leaf

function bare
	mov r3, lr
	bx r3
	.space 28
end bare

	.section .bareprof_unwind, "a", %progbits
	.space SPACE

	.if RAM
	.section .ram, "ax", %progbits
	.irp name, fast_read, fast_write, fast_copy, fast_clear, fast_send, fast_stop
function \name
	.cfi_startproc
	bx lr
	.cfi_endproc
end \name
	.endr
	.endif
