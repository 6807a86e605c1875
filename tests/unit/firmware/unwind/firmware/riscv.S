/* SPDX-License-Identifier: MIT */
/* RISC-V functions of each kind that unwinding distinguishes. Labels in them name places for tests. */
#if __riscv_xlen == 64
#define STORE sd
#define LOAD  ld
#define WORD  8
#else
#define STORE sw
#define LOAD  lw
#define WORD  4
#endif

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

	FUNCTION reset
	call middle
reset_return:
	j reset_return
	END reset

	FUNCTION middle
	.cfi_startproc
	addi sp, sp, -16
middle_reserved:
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	STORE s0, 16-2*WORD(sp)
middle_stored:
	.cfi_offset ra, -WORD
	.cfi_offset s0, -2*WORD
	addi s0, sp, 16
middle_framed:
	.cfi_def_cfa s0, 0
	call leaf
middle_return:
	LOAD ra, 16-WORD(sp)
	.cfi_restore ra
	LOAD s0, 16-2*WORD(sp)
middle_loaded:
	.cfi_restore s0
	.cfi_def_cfa sp, 16
	addi sp, sp, 16
middle_released:
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	END middle

	FUNCTION leaf
	.cfi_startproc
	ret
	.cfi_endproc
	END leaf

/* Called by its address alone. */
	FUNCTION pointed
	.cfi_startproc
	addi sp, sp, -16
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	.cfi_offset ra, -WORD
	call leaf
pointed_return:
	LOAD ra, 16-WORD(sp)
	.cfi_restore ra
	addi sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	END pointed

	.data
	.balign 8
	.dword pointed
	.text

/* A trap entry in assembler. */
	FUNCTION trap_entry
	addi sp, sp, -64
	STORE ra, 0(sp)
	call handler
trap_entry_return:
	LOAD ra, 0(sp)
	addi sp, sp, 64
	mret
	END trap_entry

	FUNCTION handler
	.cfi_startproc
	addi sp, sp, -16
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	.cfi_offset ra, -WORD
	call leaf
handler_return:
	LOAD ra, 16-WORD(sp)
	.cfi_restore ra
	addi sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	END handler

/* As clang writes it: the frame information ends with the prologue. */
	FUNCTION framed
	.cfi_startproc
	addi sp, sp, -16
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	STORE s0, 16-2*WORD(sp)
	.cfi_offset ra, -WORD
	.cfi_offset s0, -2*WORD
	addi s0, sp, 16
	.cfi_def_cfa s0, 0
	call leaf
framed_return:
	LOAD ra, 16-WORD(sp)
framed_linked:
	LOAD s0, 16-2*WORD(sp)
framed_loaded:
	addi sp, sp, 16
framed_released:
	ret
	.cfi_endproc
	END framed

/* A frame that is too large for an immediate. */
	FUNCTION large
	.cfi_startproc
	li t0, -4096
	add sp, sp, t0
	.cfi_def_cfa_offset 4096
	li t0, 4096
	add sp, sp, t0
large_released:
	ret
	.cfi_endproc
	END large

/* As libgcc writes the functions of -msave-restore. */
	FUNCTION save
	.cfi_startproc
	.cfi_return_column t0
	addi sp, sp, -16
save_reserved:
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	jr t0
	.cfi_endproc
	END save

	FUNCTION saver
	.cfi_startproc
	call t0, save
saver_return:
	.cfi_def_cfa_offset 16
	.cfi_offset ra, -WORD
	LOAD ra, 16-WORD(sp)
	addi sp, sp, 16
	ret
	.cfi_endproc
	END saver

/* It has been called, but does not begin with that call. */
	FUNCTION late_saver
	.cfi_startproc
	nop
	nop
	nop
	call t0, save
	ret
	.cfi_endproc
	END late_saver

	FUNCTION caller_of_savers
	call saver
caller_of_saver_return:
	call late_saver
caller_of_late_saver_return:
	jalr a0
caller_of_pointer_return:
	j caller_of_savers
	END caller_of_savers

/* The same without frame information, and a function that has it as GCC writes it: wrong before the jump. */
	FUNCTION __riscv_save_4
	addi sp, sp, -64
save_4_reserved:
	li t1, -32
	STORE ra, 64-WORD(sp)
	STORE s0, 64-2*WORD(sp)
	sub sp, sp, t1
save_4_done:
	jr t0
	END __riscv_save_4

	FUNCTION __riscv_restore_4
	LOAD s3, 0(sp)
	addi sp, sp, 16
	END __riscv_restore_4
	.global __riscv_restore_0
	.type __riscv_restore_0, %function
__riscv_restore_0:
	LOAD s0, 16-2*WORD(sp)
restore_0_framed:
	LOAD ra, 16-WORD(sp)
restore_0_linked:
	addi sp, sp, 16
restore_0_released:
	ret
	END __riscv_restore_0

	FUNCTION restoring
	.cfi_startproc
	call t0, __riscv_save_4
restoring_saved:
	.cfi_def_cfa_offset 32
	.cfi_offset ra, -WORD
	.cfi_offset s0, -2*WORD
	addi sp, sp, -16
	.cfi_def_cfa_offset 48
	li s0, 1
	call leaf
	addi sp, sp, 16
	.cfi_def_cfa_offset 0
restoring_jump:
	j __riscv_restore_4
	.cfi_endproc
	END restoring

	FUNCTION caller_of_restoring
	.cfi_startproc
	addi sp, sp, -16
	.cfi_def_cfa s0, 0
	.cfi_offset ra, -WORD
	call restoring
caller_of_restoring_return:
	j caller_of_restoring_return
	.cfi_endproc
	END caller_of_restoring

/* A subroutine. */
	FUNCTION outer
	.cfi_startproc
	addi sp, sp, -16
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	.cfi_offset ra, -WORD
	jal outer_subroutine
outer_return:
	LOAD ra, 16-WORD(sp)
	addi sp, sp, 16
	ret
outer_subroutine:
	ret
	.cfi_endproc
	END outer

/* A subroutine that is called by another link register. */
	FUNCTION other
	.cfi_startproc
	addi sp, sp, -16
	.cfi_def_cfa_offset 16
	STORE ra, 16-WORD(sp)
	.cfi_offset ra, -WORD
	jal t0, other_subroutine
	j .
other_subroutine:
	nop
	j other_subroutine
	.cfi_endproc
	END other

/* Without frame information; the second one changes the link register. */
	FUNCTION filling
	beqz a2, 1f
filling_loop:
	sb a1, 0(a0)
	addi a2, a2, -1
	bnez a2, filling_loop
1:
	ret
	END filling

	FUNCTION linking
	mv ra, t0
	ret
	END linking

	FUNCTION caller_of_epilogues
	call framed
caller_of_framed_return:
	call large
caller_of_large_return:
	j caller_of_large_return
	END caller_of_epilogues
