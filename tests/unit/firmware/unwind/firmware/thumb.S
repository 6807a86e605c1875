/* SPDX-License-Identifier: MIT */
/* Thumb functions of each kind that unwinding distinguishes. Labels in them name places for tests. */
	.syntax unified
	.cpu cortex-m3
	.thumb
	.cfi_sections .debug_frame
	.text

	.macro FUNCTION name
	.balign 4
	.global \name
	.type \name, %function
\name:
	.endm
	.macro END name
	.size \name, . - \name
	.endm

/* The entry point, without frame information. */
	FUNCTION reset
	bl setup
reset_return:
	b.w run
	END reset

/* The entry point jumps here. */
	FUNCTION run
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl middle
run_return:
	b run_return
	.cfi_endproc
	END run

	FUNCTION setup
	.cfi_startproc
	bx lr
	.cfi_endproc
	END setup

/* A frame pointer. */
	FUNCTION middle
	.cfi_startproc
	push {r7, lr}
middle_pushed:
	.cfi_def_cfa_offset 8
	.cfi_offset 7, -8
	.cfi_offset 14, -4
	sub sp, #8
middle_reserved:
	.cfi_def_cfa_offset 16
	add r7, sp, #0
middle_framed:
	.cfi_def_cfa_register 7
	bl leaf
middle_return:
	adds r7, #8
middle_released:
	.cfi_def_cfa_offset 8
	mov sp, r7
middle_popping:
	.cfi_def_cfa_register 13
	pop {r7, pc}
	.cfi_endproc
	END middle

	FUNCTION leaf
	.cfi_startproc
	bx lr
	.cfi_endproc
	END leaf

/* The call is the last instruction; the return address is that of the function after it. */
	FUNCTION fail
	.cfi_startproc
	push {r4, r5, r6, lr}
	.cfi_def_cfa_offset 16
	.cfi_offset 14, -4
	bl panic
	.cfi_endproc
	END fail

	.global after_fail
	.type after_fail, %function
after_fail:
	.cfi_startproc
	bx lr
	.cfi_endproc
	END after_fail

	FUNCTION panic
	.cfi_startproc
	b .
	.cfi_endproc
	END panic

	FUNCTION caller_of_fail
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl fail
caller_of_fail_return:
	pop {r3, pc}
	.cfi_endproc
	END caller_of_fail

/* A task: its address is taken. */
	FUNCTION task
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl leaf
task_return:
	b task_return
	.cfi_endproc
	END task

/* Never called, and its address is not taken. */
	FUNCTION stray
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl leaf
stray_return:
	pop {r3, pc}
	.cfi_endproc
	END stray

/* Not one of the two has frame information. */
	FUNCTION bare
	mov r3, lr
	bx r3
	END bare

	FUNCTION moving
	sub sp, #16
moved:
	add sp, #16
	bx lr
	END moving

	FUNCTION bare_caller
	mov r4, lr
	blx r3
bare_caller_return:
	bx r4
	END bare_caller

	FUNCTION caller_of_bare
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl bare
caller_of_bare_return:
	blx r3
caller_of_pointer_return:
	bl bare_caller
	pop {r3, pc}
	.cfi_endproc
	END caller_of_bare

/* With -pg: the hook takes its word off the stack. */
	FUNCTION profiled
	.cfi_startproc
	push {r4, r5}
	.cfi_def_cfa_offset 8
	.cfi_offset 4, -8
	.cfi_offset 5, -4
profiled_pushed:
	push {lr}
profiled_hook:
	bl __gnu_mcount_nc
profiled_hooked:
	pop {r4, r5}
	.cfi_def_cfa_offset 0
	bx lr
	.cfi_endproc
	END profiled

/* The same, after a prologue that saved the return address. */
	FUNCTION profiled_caller
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	push {lr}
profiled_caller_hook:
	bl __gnu_mcount_nc
	blx r0
	pop {r3, pc}
	.cfi_endproc
	END profiled_caller

	FUNCTION __gnu_mcount_nc
	.cfi_startproc
	ldr ip, [sp], #4
	.cfi_def_cfa_offset -4
	push {lr}
	mov lr, ip
	pop {pc}
	.cfi_endproc
	END __gnu_mcount_nc

/* A hook without frame information. */
	FUNCTION _mcount
	ldr ip, [sp], #4
	push {r3, lr}
	mov lr, ip
_mcount_restored:
	pop {r3, pc}
	END _mcount

/* Calls without having saved its return address. */
	FUNCTION forever
	.cfi_startproc
	bl leaf
forever_return:
	b forever
	.cfi_endproc
	END forever

	FUNCTION caller_of_forever
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl forever
caller_of_forever_return:
	pop {r3, pc}
	.cfi_endproc
	END caller_of_forever

/* It has no return address. */
	FUNCTION outermost
	.cfi_startproc
	.cfi_undefined 14
	bl leaf
outermost_return:
	b outermost_return
	.cfi_endproc
	END outermost

/* As clang writes it: the frame information ends with the prologue. */
	FUNCTION tail
	.cfi_startproc
	push {r4, r7, lr}
	.cfi_def_cfa_offset 12
	.cfi_offset 14, -4
	.cfi_offset 7, -8
	add r7, sp, #4
	.cfi_def_cfa 7, 8
	str r8, [sp, #-4]!
	.cfi_offset 8, -16
	bl leaf
tail_return:
	ldr r8, [sp], #4
tail_popping:
	pop {r4, r7, lr}
tail_popped:
	b.w setup
	.cfi_endproc
	END tail

/* As GCC writes it for Armv6-M: no frame information in the epilogue, and further code after it. */
	FUNCTION early
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	sub sp, #8
	.cfi_def_cfa_offset 16
	cbz r0, 1f
	add sp, #8
early_released:
	pop {r4, pc}
1:
	bl leaf
early_return:
	add.w sp, sp, #4
early_released_half:
	add sp, #4
early_released_again:
	pop {r4}
early_popped:
	ldr pc, [sp], #4
	.cfi_endproc
	END early

/* An instruction that raises the stack pointer before a call is not an epilogue. */
	FUNCTION pushing
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	add sp, #4
pushing_raised:
	bl leaf
pushing_return:
	pop {r4, pc}
	.cfi_endproc
	END pushing

/* As libgcc writes __aeabi_uldivmod: a row from the epilogue to the return has the offset from before. */
	FUNCTION returning
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl leaf
	ldr lr, [sp, #4]
	add sp, #8
	.cfi_restore 14
returning_level:
	movs r0, #0
returning_return:
	bx lr
	.cfi_endproc
	END returning

/* As newlib writes strcpy() for Armv7-M: no frame information for a word that is pushed. */
	FUNCTION string_copy
	.cfi_startproc
string_copy_level:
	cbz r1, 1f
	str r4, [sp, #-4]!
string_copy_pushed:
	cbz r0, 2f
	movs r2, #0
2:
	ldr r4, [sp], #4
string_copy_return:
	bx lr
1:
	movs r2, #0
string_copy_other_return:
	bx lr
	.cfi_endproc
	END string_copy

/* A pop that may not happen. */
	FUNCTION popping
	.cfi_startproc
popping_level:
	cmp r1, #0
	it ne
	popne {r4}
	bx lr
	.cfi_endproc
	END popping

/* As libgcc writes __udivsi3 for Armv6-M: no frame information for the call of a handler. */
	FUNCTION dividing
	.cfi_startproc
	cbz r1, 1f
	bx lr
1:
	push {r0, r1, lr}
dividing_call:
	bl leaf
dividing_return:
	pop {r1, r2, pc}
	.cfi_endproc
	END dividing

/* As libgcc writes __aeabi_dmul and __aeabi_ddiv: subroutines that return into their function or leave it. */
	FUNCTION product
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	it eq
	bleq product_subroutine
product_return:
	cbz r0, product_shared
	pop {r4, pc}
product_subroutine:
	cbz r1, quotient_subroutine
	cbz r0, product_shared
	cbz r2, product_saving
	it ne
	bxne lr
product_leaving:
	pop {r4, pc}
product_shared:
	movs r0, #0
	pop {r4, pc}
product_saving:
	mov lr, r0
product_spoiled:
	pop {r4, pc}
product_pushing:
	push {r5}
product_pushed:
	pop {r4, r5, pc}
	.cfi_endproc
	END product

	FUNCTION quotient
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	cbz r0, 1f
	bl quotient_subroutine
quotient_return:
	pop {r4, pc}
1:
	bl product_pushing
	pop {r4, pc}
quotient_subroutine:
	movs r0, #0
	bx lr
	.cfi_endproc
	END quotient

/* A table may lead to any place in its function. */
	FUNCTION tabled
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl tabled_subroutine
	mov pc, r3
tabled_subroutine:
	bx lr
	.cfi_endproc
	END tabled

/* The frame information ends within an instruction. */
	FUNCTION halved
	.cfi_startproc
	push {r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl halved_subroutine
halved_return:
	pop {r4, pc}
halved_subroutine:
	.inst.n 0xF3AF /* NOP.W is 0xF3AF 0x8000. */
	.cfi_endproc
	.inst.n 0x8000
	bx lr
	END halved

	FUNCTION recursive
	.cfi_startproc
	push {lr}
	.cfi_def_cfa_offset 4
	.cfi_offset 14, -4
	bl recursive
recursive_return:
	pop {pc}
	.cfi_endproc
	END recursive

/* Called by another link register. */
	FUNCTION saving
	.cfi_startproc
	.cfi_return_column 12
	bx ip
	.cfi_endproc
	END saving

	FUNCTION saved
	.cfi_startproc
	bl saving
saved_return:
	b saved_return
	.cfi_endproc
	END saved

	FUNCTION caller_of_saved
	.cfi_startproc
	push {r3, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 14, -4
	bl saved
caller_of_saved_return:
	pop {r3, pc}
	.cfi_endproc
	END caller_of_saved

/* In assembly without frame information, as PendSV's in a port of an RTOS. */
	FUNCTION switching
	stmdb r0!, {r4-r11, lr}
	bl leaf
switching_return:
	ldmia r0!, {r4-r11, lr}
	bx lr
	END switching

/* Functions without frame information. The first one leaves the stack pointer and the link register alone. */
	FUNCTION copying
	cbz r2, copying_end
	subs r2, #1
copying_loop:
	ldrb r3, [r1, r2]
	strb r3, [r0, r2]
	it eq
	bxeq lr
	ldr r3, copying_literal
	subs r2, #1
	bpl copying_loop
copying_end:
	bx lr
	.balign 4
copying_literal:
	.word 0x12345678
	END copying

	FUNCTION spoiling
	mov lr, r1
	bx lr
	END spoiling

	FUNCTION calling
	bl leaf
	bx lr
	END calling

	FUNCTION releasing
	cbz r0, 1f
	pop {r4, pc}
1:
	bx lr
	END releasing

/* A part of another function. */
	FUNCTION continuing
	cbz r0, 1f
	b.w moved
1:
	bx lr
	END continuing

	FUNCTION ending
	nop
	udf #0
	END ending

	.balign 4
pointers:
	.word task
	.word bare_caller

	.section .vectors, "a"
	.balign 128
	.word 0x20001000
	.word reset
	.word switching
	.word switching
	.zero 12 * 4
