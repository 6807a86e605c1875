/* SPDX-License-Identifier: MIT */
/*
 * The sampling interrupt of a RISC-V hart in machine mode.
 *
 * The handler saves the sixteen integer registers that a C function may change and returns by mret. So it can be an
 * entry of a vector table, or be jumped to from one; it is aligned to 4, as mtvec demands. No other trap may interrupt
 * it, and acknowledge must not use floating point. Code that calls it needs the zicsr extension.
 *
 * If mtvec points to it directly, exceptions enter it as well; their mcause has no interrupt bit (privileged
 * architecture 3.1.15). They are passed to bareprof_other_trap(), because returning would execute the faulting
 * instruction again for ever. Interrupts are not distinguished: only the sampling timer's interrupt may enter it.
 */
#ifndef BAREPROF_ISA_RISCV_H
#define BAREPROF_ISA_RISCV_H

/* The frame of the entry, which a stack store reads. */
struct bareprof_interrupted {
	uintptr_t registers[16]; /* in the order of BAREPROF_RISCV_REGISTERS, ra first */
	uintptr_t saved_pc;      /* by BAREPROF_FIXED_TIMER_ISR only */
	uintptr_t fp;            /* fp and sp: only if stacks are recorded */
	uintptr_t sp;
};

#if __riscv_xlen == 64
#define BAREPROF_RISCV_STORE(number, register) "sd " #register ", 8*" #number "(sp)\n\t"
#define BAREPROF_RISCV_LOAD(number, register)  "ld " #register ", 8*" #number "(sp)\n\t"
/* 17 words, or 19 if stacks are recorded, rounded up to 16 bytes. */
#if BAREPROF_STACKS != 0
#define BAREPROF_RISCV_FRAME "160"
#else
#define BAREPROF_RISCV_FRAME "144"
#endif
#else
#define BAREPROF_RISCV_STORE(number, register) "sw " #register ", 4*" #number "(sp)\n\t"
#define BAREPROF_RISCV_LOAD(number, register)  "lw " #register ", 4*" #number "(sp)\n\t"
#define BAREPROF_RISCV_FRAME                   "80"
#endif

#define BAREPROF_RISCV_REGISTERS(action)                                                                              \
	action(0, ra) action(1, t0) action(2, t1) action(3, t2) action(4, t3) action(5, t4) action(6, t5)             \
	        action(7, t6) action(8, a0) action(9, a1) action(10, a2) action(11, a3) action(12, a4) action(13, a5) \
	                action(14, a6) action(15, a7)

/* If stacks are recorded, a handler adds s0 and SP to its frame, and passes the frame to the recorder. */
#if BAREPROF_STACKS != 0
#define BAREPROF_RISCV_INTERRUPTED \
	BAREPROF_RISCV_STORE(17, s0) "addi a2, sp, " BAREPROF_RISCV_FRAME "\n\t" BAREPROF_RISCV_STORE(18, a2)
#define BAREPROF_RISCV_TICK   "mv a2, sp\n\tcall bareprof_stack_tick\n"
#define BAREPROF_RISCV_SAMPLE "mv a1, sp\n\tcall bareprof_stack_sample\n"
#else
#define BAREPROF_RISCV_INTERRUPTED
#define BAREPROF_RISCV_TICK   "call bareprof_tick\n"
#define BAREPROF_RISCV_SAMPLE "call bareprof_sample\n"
#endif

/* clang-format off */
#define BAREPROF_RISCV_ISR(name, body, acknowledge) \
	BAREPROF_EXTERN_C void name(void); \
	BAREPROF_CODE(name) __attribute__((used, naked, aligned(4))) void name(void) \
	{ \
		__asm volatile(BAREPROF_ISR_BEGIN(name) "addi sp, sp, -" BAREPROF_RISCV_FRAME "\n\t" \
		               BAREPROF_RISCV_REGISTERS(BAREPROF_RISCV_STORE) \
		               BAREPROF_RISCV_INTERRUPTED \
		               "csrr a1, mcause\n\t" \
		               "csrr a0, mepc\n\t" \
		               "bgez a1, 1f\n\t" \
		               body BAREPROF_RISCV_LEAVE BAREPROF_ISR_END(name) : : "i"(acknowledge)); \
	}
#define BAREPROF_RISCV_LEAVE \
	"0:\n\t" \
	BAREPROF_RISCV_REGISTERS(BAREPROF_RISCV_LOAD) \
	"addi sp, sp, " BAREPROF_RISCV_FRAME "\n\t" \
	"mret\n" \
	"1:\n\t" \
	"call bareprof_other_trap\n\t" \
	"j 0b"

#define BAREPROF_TIMER_ISR_OF_ISA(name, acknowledge) \
	BAREPROF_RISCV_ISR(name, \
	                   "la a1, %0\n\t" \
	                   BAREPROF_RISCV_TICK, acknowledge)

#define BAREPROF_FIXED_TIMER_ISR_OF_ISA(name, acknowledge) \
	BAREPROF_RISCV_ISR(name, \
	                   BAREPROF_RISCV_STORE(16, a0) \
	                   "call %0\n\t" \
	                   BAREPROF_RISCV_LOAD(16, a0) \
	                   BAREPROF_RISCV_SAMPLE, acknowledge)

/*
 * The machine timer: addresses of the low halves of its registers, which must be constants. In the common case
 * bareprof_mtimer_interrupt() handles the tick by itself and saves only the registers that it changes; otherwise it
 * calls bareprof_tick().
 */
struct bareprof_mtimer {
	const volatile uint32_t *mtime;
	volatile uint32_t *mtimecmp;
	void (*set)(uint32_t clock_units);
};

#define BAREPROF_MTIMER_ISR(name, mtime_address, mtimecmp_address) \
	BAREPROF_EXTERN_C uint32_t bareprof_timer_remaining(void); \
	BAREPROF_CODE(bareprof_timer_remaining) uint32_t bareprof_timer_remaining(void) \
	{ \
		return *(mtimecmp_address) - *(mtime_address); \
	} \
	BAREPROF_EXTERN_C void bareprof_##name##_set(uint32_t clock_units); \
	BAREPROF_CODE(bareprof_##name##_set) void bareprof_##name##_set(uint32_t clock_units) \
	{ \
		bareprof_mtimer_set(mtime_address, mtimecmp_address, clock_units); \
	} \
	static const struct bareprof_mtimer name##_mtimer = {mtime_address, mtimecmp_address, bareprof_##name##_set}; \
	BAREPROF_EXTERN_C void name(void); \
	BAREPROF_CODE(name) __attribute__((used, naked, aligned(4))) void name(void) \
	{ \
		__asm volatile(BAREPROF_ISR_BEGIN(name) "addi sp, sp, -" BAREPROF_RISCV_FRAME "\n\t" \
		               BAREPROF_RISCV_STORE(2, t1) \
		               BAREPROF_RISCV_STORE(8, a0) \
		               "la a0, %0\n\t" \
		               "tail bareprof_mtimer_interrupt" BAREPROF_ISR_END(name) : : "i"(&name##_mtimer)); \
	} \
	BAREPROF_OPTIONAL_SEMICOLON
/* clang-format on */

#endif
