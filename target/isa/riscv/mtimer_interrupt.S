/* SPDX-License-Identifier: MIT */
/*
 * The handler of BAREPROF_MTIMER_ISR: one sample, in less than two thirds of the instructions of a handler for any
 * timer. It does the work of bareprof_granules_tick() and bareprof_mtimer_set(), but only in the common case: the
 * profile runs, the granule has a slot, the tick was not merged with others, and there is no request of a host. It
 * checks all this before it changes anything but the random number; otherwise bareprof_tick() starts from the
 * beginning. RV32E lacks some of the registers and has no such handler.
 */
#ifndef __riscv_32e
#include "layout.h"
#include "recorder/constants.h"

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#define ADD_WORDS addw
#define ADD_TO_WORD addiw
#define SUBTRACT_WORDS subw
#define MULTIPLY_WORDS mulw
#define SHIFT_WORD_LEFT slliw
#define SHIFT_WORD_RIGHT srliw
#define SHIFT_SIGNED_WORD_RIGHT sraiw
#else
#define LOAD lw
#define STORE sw
#define ADD_WORDS add
#define ADD_TO_WORD addi
#define SUBTRACT_WORDS sub
#define MULTIPLY_WORDS mul
#define SHIFT_WORD_LEFT slli
#define SHIFT_WORD_RIGHT srli
#define SHIFT_SIGNED_WORD_RIGHT srai
#endif

/* Path trees are left to bareprof_tick(): unwinding takes most of the time. */
#if BAREPROF_CORES <= 1 && BAREPROF_PATHS == 0 && defined __riscv_mul
#define HAS_COMMON_CASE 1
#else
#define HAS_COMMON_CASE 0
#endif

/* The frame holds the registers that a C function may change, in the order of BAREPROF_RISCV_REGISTERS. */
#define PLACE_RA 0
#define PLACE_T0 (1 * BYTES)
#define PLACE_T1 (2 * BYTES)
#define PLACE_T2 (3 * BYTES)
#define PLACE_T3 (4 * BYTES)
#define PLACE_T4 (5 * BYTES)
#define PLACE_T5 (6 * BYTES)
#define PLACE_T6 (7 * BYTES)
#define PLACE_A0 (8 * BYTES)
#define PLACE_A1 (9 * BYTES)
#define PLACE_A2 (10 * BYTES)
#define PLACE_A3 (11 * BYTES)
#define PLACE_A4 (12 * BYTES)
#define PLACE_A5 (13 * BYTES)
#define PLACE_A6 (14 * BYTES)
#define PLACE_A7 (15 * BYTES)
#define PLACE_FP (17 * BYTES)
#define PLACE_SP (18 * BYTES)
/* Words of the frame that nothing else uses, where slices are kept. */
#define PLACE_TIMER (16 * BYTES)
#define PLACE_BEGIN (19 * BYTES)
#if __riscv_xlen == 64 && BAREPROF_STACKS != 0
#define FRAME 160
#elif __riscv_xlen == 64
#define FRAME 144
#else
#define FRAME 80
#endif

	/* Registers that only the search of further slots changes, not the common case. */
	.macro search_registers access
	\access a1, PLACE_A1(sp)
	\access a2, PLACE_A2(sp)
	\access a3, PLACE_A3(sp)
	\access a4, PLACE_A4(sp)
	.endm

	/* All other registers that a C function may change. */
	.macro other_registers access
	\access ra, PLACE_RA(sp)
	search_registers \access
	\access a5, PLACE_A5(sp)
	\access a6, PLACE_A6(sp)
	\access a7, PLACE_A7(sp)
	.endm

	/* Sets t4 to the address of the slot with this index; changes t6. */
	.macro find_granule index
	lw t4, BAREPROF_ENTRY_OFFSET(t2)
	add t4, t4, t1
#if __riscv_xlen == 64
	slli t6, \index, 4
#elif BAREPROF_CONTEXTS != 0
	slli t6, \index, 2
	add t4, t4, t6
	slli t6, \index, 3
#else
	slli t6, \index, 3
#endif
	add t4, t4, t6
	.endm

	/* Branches unless the slot at t4 is the granule's and not full; changes t6 and the register `other`. */
	.macro unless_of_granule other, otherwise
	LOAD t6, BAREPROF_GRANULE_NUMBER(BYTES)(t4)
	bne t6, t0, \otherwise
#if BAREPROF_CONTEXTS != 0
	lw t6, BAREPROF_GRANULE_CONTEXT(BYTES)(t4)
	lw \other, HEADER_CONTEXT(t1)
	bne t6, \other, \otherwise
#endif
	lw t6, BAREPROF_GRANULE_COUNT(BYTES)(t4)
	ADD_TO_WORD t6, t6, -1
	sltiu t6, t6, BELOW_LIMIT - 1
	beqz t6, \otherwise
	.endm

#define TOTAL(item) (HEADER_TOTALS + 4 * BAREPROF_STACK_TOTAL_##item)

	/* Sets t5 to the distance for the random number in t4; changes t3 and t4. */
	.macro find_distance
	lw t5, BAREPROF_OFFSET_PERIOD(t1)
	SHIFT_SIGNED_WORD_RIGHT t4, t4, 23
	addi t4, t4, 1
	SHIFT_SIGNED_WORD_RIGHT t4, t4, 1
	SHIFT_WORD_RIGHT t3, t5, 9
	MULTIPLY_WORDS t4, t4, t3
	ADD_WORDS t5, t5, t4
	.endm

	/* The registers that a C function may change and that the common case has not saved. */
	.macro kept_registers access
	\access ra, PLACE_RA(sp)
	\access a1, PLACE_A1(sp)
	\access a2, PLACE_A2(sp)
	\access a3, PLACE_A3(sp)
	\access a4, PLACE_A4(sp)
	\access a5, PLACE_A5(sp)
	\access a6, PLACE_A6(sp)
	\access a7, PLACE_A7(sp)
	.endm

	.section BAREPROF_CODE_SECTION.bareprof_mtimer_interrupt, "ax", @progbits

	/* BAREPROF_MTIMER_ISR has allocated the frame, saved t1 and a0, and loaded a0 with the address of its struct
	 * bareprof_mtimer. */
	.globl bareprof_mtimer_interrupt
	.type bareprof_mtimer_interrupt, @function
	.balign 4
bareprof_mtimer_interrupt:
	STORE t0, PLACE_T0(sp)
	STORE t2, PLACE_T2(sp)
	STORE t3, PLACE_T3(sp)
	STORE t4, PLACE_T4(sp)
	STORE t5, PLACE_T5(sp)
	STORE t6, PLACE_T6(sp)
	csrr t0, mcause
	bgez t0, .Ltick_other_trap

#if HAS_COMMON_CASE
	/* t1 the block, t2 the section of samples. */
	la t1, bareprof_block
	la t2, bareprof_layout + LAYOUT_SAMPLES
	lw t0, BAREPROF_OFFSET_GATE(t1)
	ADD_WORDS t0, t0, t1
	bnez t0, .Ltick_slow
	lbu t0, BAREPROF_ENTRY_KIND(t2)
	li t3, BAREPROF_SECTION_GRANULES
	bne t0, t3, .Ltick_slow

	/* t5 the distance to the next tick. A timed tick sets the last distance again, as tick.h explains. */
	lw t0, BAREPROF_OFFSET_TICKS(t1)
	andi t3, t0, BAREPROF_TIMED_TICKS - 1
	lw t4, BAREPROF_OFFSET_RANDOM(t1)
	beqz t3, .Ltick_timed
	li t3, MULTIPLIER
	MULTIPLY_WORDS t4, t4, t3
	ADD_WORDS t4, t4, t3
	sw t4, BAREPROF_OFFSET_RANDOM(t1)
.Ltick_drawn:
	find_distance

	/* t0 the number of the granule, t4 its slot. */
	csrr t0, mepc
	lbu t3, BAREPROF_ENTRY_PARAMETER(t2)
	srl t0, t0, t3
	lw t3, BAREPROF_ENTRY_CAPACITY(t2)
	addi t3, t3, -1
#if BAREPROF_CONTEXTS != 0
	lw t4, HEADER_CONTEXT(t1)
	li t6, CONTEXT_DISTANCE
	mul t4, t4, t6
	add t4, t4, t0
	and t3, t3, t4
#else
	and t3, t3, t0
#endif
	find_granule t3
	unless_of_granule t3, .Ltick_search

	/* t2 the address of mtimecmp, t6 the next deadline. The high halves need not be read: if a tick is late by 2^32
	 * or more, the next interrupt follows at once and takes the slow path. */
.Ltick_found:
	LOAD t2, TIMER_MTIMECMP(a0)
	LOAD t0, TIMER_MTIME(a0)
	lw t3, (t2)
	lw t0, (t0)
	SUBTRACT_WORDS t0, t0, t3
	bgeu t0, t5, .Ltick_slow
	ADD_WORDS t6, t3, t5
	bleu t6, t3, .Ltick_slow
	lw t0, BAREPROF_OFFSET_CONTROL_REQUEST(t1)
	lw t3, BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE(t1)
	bne t0, t3, .Ltick_slow
	lw t0, HEADER_WINDOW(t1)
	bnez t0, .Ltick_window

.Ltick_file:
	sw t6, (t2)
	lw t0, BAREPROF_GRANULE_COUNT(BYTES)(t4)
	addi t0, t0, 1
	sw t0, BAREPROF_GRANULE_COUNT(BYTES)(t4)
	lw t0, BAREPROF_OFFSET_TICKS(t1)
	addi t3, t0, 1
	sw t3, BAREPROF_OFFSET_TICKS(t1)
#if BAREPROF_STACKS != 0
	/* As stack_offer(). t2 the capacity, t3 the offered stacks, t4 the index. */
	lw t4, TOTAL(RANDOM)(t1)
	li t3, MULTIPLIER
	addi t4, t4, 1
	MULTIPLY_WORDS t4, t4, t3
	lw t3, TOTAL(OFFERED)(t1)
	sw t4, TOTAL(RANDOM)(t1)
	addi t3, t3, 1
	sw t3, TOTAL(OFFERED)(t1)
	lw t2, bareprof_layout + LAYOUT_SLICES + BAREPROF_ENTRY_CAPACITY
#if __riscv_xlen == 64
	slli t4, t4, 32
	slli t3, t3, 32
	mulhu t4, t4, t3
	srli t4, t4, 32
	srli t3, t3, 32
#else
	mulhu t4, t4, t3
#endif
	bltu t4, t2, .Ltick_keep
.Ltick_offered:
#endif
	andi t0, t0, BAREPROF_TIMED_TICKS - 1
	beqz t0, .Ltick_take_cost
#else
	j .Ltick_slow
#endif

.Ltick_leave:
	LOAD t0, PLACE_T0(sp)
	LOAD t1, PLACE_T1(sp)
	LOAD t2, PLACE_T2(sp)
	LOAD t3, PLACE_T3(sp)
	LOAD t4, PLACE_T4(sp)
	LOAD t5, PLACE_T5(sp)
	LOAD t6, PLACE_T6(sp)
	LOAD a0, PLACE_A0(sp)
	addi sp, sp, FRAME
	mret

.Ltick_slow:
	other_registers STORE
	LOAD a1, TIMER_SET(a0)
	csrr a0, mepc
#if BAREPROF_STACKS != 0
	STORE s0, PLACE_FP(sp)
	addi a2, sp, FRAME
	STORE a2, PLACE_SP(sp)
	mv a2, sp
	call bareprof_stack_tick
#else
	call bareprof_tick
#endif
.Ltick_slow_leave:
	other_registers LOAD
	j .Ltick_leave

.Ltick_other_trap:
	other_registers STORE
	call bareprof_other_trap
	j .Ltick_slow_leave

#if HAS_COMMON_CASE
	/* A count at its limit is left to bareprof_tick(). The timer is read before the return from the interrupt, so
	 * something else must take as long as the return: this loop, the draw that a timed tick omits and, with slices,
	 * the reading of the time until the tick began. */
.Ltick_timed:
	sltiu t3, t0, BELOW_LIMIT
	beqz t3, .Ltick_slow
#if BAREPROF_STACKS != 0
	LOAD t3, TIMER_MTIME(a0)
	lw t3, (t3)
	LOAD t5, TIMER_MTIMECMP(a0)
	lw t5, (t5)
	SUBTRACT_WORDS t3, t3, t5
	sw t3, PLACE_BEGIN(sp)
	li t3, 1
#else
	li t3, 4
#endif
.Ltick_wait:
	addi t3, t3, -1
	bnez t3, .Ltick_wait
	j .Ltick_drawn

	/* The last tick of a window ends the profile. */
.Ltick_window:
	addi t0, t0, -1
	beqz t0, .Ltick_slow
	sw t0, HEADER_WINDOW(t1)
	j .Ltick_file

	/* As cost_take(), for a timer with a deadline. */
.Ltick_take_cost:
	LOAD t0, TIMER_MTIME(a0)
	lw t0, (t0)
#if BAREPROF_STACKS != 0
	LOAD t6, TIMER_MTIMECMP(a0)
	lw t6, (t6)
	lw t4, BAREPROF_OFFSET_RANDOM(t1)
	find_distance
#endif
	SUBTRACT_WORDS t0, t6, t0
	SUBTRACT_WORDS t0, t5, t0
#if BAREPROF_STACKS != 0
	lw t3, PLACE_BEGIN(sp)
	SUBTRACT_WORDS t0, t0, t3
	bgeu t0, t5, .Ltick_overrun
.Ltick_cost_taken:
	lw t2, TOTAL(TIMED)(t1)
	addi t2, t2, 1
	sw t2, TOTAL(TIMED)(t1)
	lw t2, TOTAL(COST)(t1)
	ADD_WORDS t2, t2, t0
	sw t2, TOTAL(COST)(t1)
	sltu t2, t2, t0
	lw t4, TOTAL(COST_HIGH)(t1)
	add t4, t4, t2
	sw t4, TOTAL(COST_HIGH)(t1)
	mv t0, t3
#else
	bgeu t0, t5, .Ltick_leave
#endif
	lw t2, HEADER_TICK_COST(t1)
	ADD_TO_WORD t2, t2, -1
	ADD_TO_WORD t3, t0, -1
	bgeu t3, t2, .Ltick_leave
	sw t0, HEADER_TICK_COST(t1)
	j .Ltick_leave

#if BAREPROF_STACKS != 0
	/* As overrun_count(). */
.Ltick_overrun:
	lw t2, TOTAL(OVERRUNS)(t1)
	addi t2, t2, 1
	sw t2, TOTAL(OVERRUNS)(t1)
	SUBTRACT_WORDS t2, t0, t5
	bltu t2, t5, .Ltick_cost_taken
	SHIFT_WORD_RIGHT t0, t5, 1
	ADD_WORDS t0, t0, t5
	j .Ltick_cost_taken

	/* Writes a slice: the first ones in order, later ones to the index t4. Only the cost of this tick is still to
	 * be recorded. */
.Ltick_keep:
	bltu t2, t3, .Ltick_keep_in_place
	addi t4, t3, -1
.Ltick_keep_in_place:
	kept_registers STORE
	STORE a0, PLACE_TIMER(sp)
	STORE s0, PLACE_FP(sp)
	addi a2, sp, FRAME
	STORE a2, PLACE_SP(sp)
	mv a0, t1
	csrr a1, mepc
	mv a2, sp
	mv a3, t4
	call bareprof_slice_write
	LOAD a0, PLACE_TIMER(sp)
	la t1, bareprof_block
	lw t0, BAREPROF_OFFSET_TICKS(t1)
	addi t0, t0, -1
	kept_registers LOAD
	j .Ltick_offered
#endif

	/* Searches the slots after the first, as granules.c does. a1 the mask, a2 the distance between probes, a3 the
	 * number of probes left, t3 the index. */
.Ltick_search:
	search_registers STORE
	lw a1, BAREPROF_ENTRY_CAPACITY(t2)
	addi a1, a1, -1
	srli a2, t0, 4
#if BAREPROF_CONTEXTS != 0
	lw a3, HEADER_CONTEXT(t1)
	li t6, CONTEXT_STEP
	mul t6, t6, a3
	add a2, a2, t6
	li t6, CONTEXT_DISTANCE
	mul t3, a3, t6
	add t3, t3, t0
#else
	mv t3, t0
#endif
	ori a2, a2, 1
	and t3, t3, a1
	li a3, GRANULE_PROBES_MAX
.Ltick_probe:
	lw t6, BAREPROF_GRANULE_COUNT(BYTES)(t4)
	beqz t6, .Ltick_not_found
	addi a3, a3, -1
	beqz a3, .Ltick_not_found
	add t3, t3, a2
	and t3, t3, a1
	find_granule t3
	unless_of_granule a4, .Ltick_probe
	search_registers LOAD
	j .Ltick_found
.Ltick_not_found:
	search_registers LOAD
	j .Ltick_slow
#endif
	.size bareprof_mtimer_interrupt, . - bareprof_mtimer_interrupt
#endif
