/* SPDX-License-Identifier: MIT */
/*
 * The sampling interrupt of an Arm M-profile core.
 *
 * The PC is at offset 24 of the exception frame, with and without an FPU frame (Armv7-M ARM B1.5.6): FPU registers are
 * above it. EXC_RETURN, in lr, shows which stack holds the frame (B1.5.8). Pushing two words keeps the stack aligned to
 * 8. Loading EXC_RETURN into pc returns from the exception, so a function that is entered with EXC_RETURN in lr returns
 * from the exception itself.
 */
#ifndef BAREPROF_ISA_ARM_M_H
#define BAREPROF_ISA_ARM_M_H

#include <bareprof/block.h>
#include <stdint.h>

/* The words that a handler pushes where stacks are recorded, the lowest address first; four words keep the stack
 * aligned. */
struct bareprof_interrupted {
	const volatile uint32_t
	        *frame; /* the exception frame; NULL: it belongs to Secure code and is unreadable here */
	uint32_t reserved;
	uint32_t fp;    /* r7 */
	uint32_t entry; /* EXC_RETURN */
};

/* BAREPROF_ISR_FETCH leaves the PC in r0. Where stacks are recorded, it pushes a struct bareprof_interrupted and leaves
 * its address in r2. */
/* clang-format off */
#if BAREPROF_STACKS != 0
#define BAREPROF_ISR_PUSH "push {r0, r1, r7, lr}\n\t"
#define BAREPROF_ISR_PASS "mov r2, sp\n\t"
#else
#define BAREPROF_ISR_PUSH
#define BAREPROF_ISR_PASS
#endif
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__) || defined(__ARM_ARCH_8M_BASE__)

/*
 * With two security states (Armv8-M ARM B3.19 to B3.21, D1.2 EXC_RETURN), bit 0 of EXC_RETURN (ES) is the state of this
 * handler, and bit 6 (S) the state of the interrupted code. Bit 3 is set if the interrupted code was in thread mode.
 * Bit 2 is the SPSEL of this handler's state, not of the other one. Handler mode never uses the process stack, even if
 * SPSEL is set.
 *
 * If bit 5 (DCRS) is 0, 40 bytes of additional context precede the frame of Secure code: a Non-secure exception pushed
 * them, and this exception was tail-chained to it. The frame of Non-secure code is on a Non-secure stack. A Non-secure
 * handler may not read the stacks of Secure code. Without the security extension ES and S are both 0.
 */
#if BAREPROF_STACKS != 0
#define BAREPROF_ISR_PUSH_NOTHING "movs r0, #0\n\t" BAREPROF_ISR_PUSH
#define BAREPROF_ISR_LOAD \
	"subs r3, #24\n\t" \
	"adds r0, r0, r3\n\t" \
	BAREPROF_ISR_PUSH \
	"ldr r0, [r0, #24]\n"
#else
#define BAREPROF_ISR_PUSH_NOTHING
#define BAREPROF_ISR_LOAD "ldr r0, [r0, r3]\n"
#endif

#define BAREPROF_ISR_FETCH \
	"mov r1, lr\n\t" \
	"movs r3, #24\n\t" \
	"lsls r2, r1, #31\n\t" /* ES */ \
	"beq 1f\n\t" \
	"lsls r2, r1, #26\n\t" /* S becomes the carry, DCRS the sign */ \
	"bcc 2f\n\t" \
	"bmi 3f\n\t" \
	"movs r3, #24 + 40\n\t" \
	"b 3f\n" \
	"1:\n\t" /* a Non-secure handler */ \
	"lsls r2, r1, #25\n\t" /* S becomes the sign */ \
	"bpl 3f\n\t" \
	BAREPROF_ISR_PUSH_NOTHING \
	"movw r0, #%c1\n\t" \
	"movt r0, #%c2\n\t" \
	"b 5f\n" \
	"2:\n\t" /* a Secure handler, Non-secure code: the process stack in thread mode with the other state's SPSEL */ \
	"mrs r0, msp_ns\n\t" \
	"lsls r2, r1, #28\n\t" \
	"bpl 4f\n\t" \
	"mrs r2, control_ns\n\t" \
	"lsls r2, r2, #30\n\t" \
	"bpl 4f\n\t" \
	"mrs r0, psp_ns\n\t" \
	"b 4f\n" \
	"3:\n\t" /* one state: the process stack in thread mode with SPSEL */ \
	"movs r2, #12\n\t" \
	"bics r2, r1\n\t" \
	"mrs r0, psp\n\t" \
	"beq 4f\n\t" \
	"mrs r0, msp\n" \
	"4:\n\t" \
	BAREPROF_ISR_LOAD \
	"5:\n\t" \
	BAREPROF_ISR_PASS

#define BAREPROF_ISR_CONSTANTS , "i"(BAREPROF_PC_SECURE & 0xFFFFu), "i"(BAREPROF_PC_SECURE >> 16)

#elif defined(__ARM_ARCH_6M__)

#define BAREPROF_ISR_FETCH \
	"mov r0, lr\n\t" \
	"lsls r0, r0, #29\n\t" /* bit 2 becomes the sign */ \
	"mrs r0, msp\n\t" \
	"bpl 1f\n\t" \
	"mrs r0, psp\n" \
	"1:\n\t" \
	BAREPROF_ISR_PUSH \
	"ldr r0, [r0, #24]\n\t" \
	BAREPROF_ISR_PASS

#define BAREPROF_ISR_CONSTANTS

#else

#define BAREPROF_ISR_FETCH \
	"tst lr, #4\n\t" \
	"ite eq\n\t" \
	"mrseq r0, msp\n\t" \
	"mrsne r0, psp\n\t" \
	BAREPROF_ISR_PUSH \
	"ldr r0, [r0, #24]\n\t" \
	BAREPROF_ISR_PASS

#define BAREPROF_ISR_CONSTANTS

#endif

/* bareprof_tick() itself returns from the exception. On cores whose branches cannot reach all code, its address is
 * loaded. If stacks are recorded, the handler itself returns, by popping the words that the entry pushed. */
#if BAREPROF_STACKS != 0
#define BAREPROF_ISR_ACKNOWLEDGE \
	"push {r0, r2}\n\t" \
	"bl %c0\n\t"
#define BAREPROF_ISR_TICK \
	"bl bareprof_stack_tick\n\t" \
	"pop {r0, r1, r2, pc}\n\t" \
	".balign 4\n"
#define BAREPROF_ISR_SAMPLE \
	"pop {r0, r1}\n\t" \
	"bl bareprof_stack_sample\n\t" \
	"pop {r0, r1, r2, pc}"
#elif defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define BAREPROF_ISR_TICK \
	"ldr r2, 9f\n\t" \
	"bx r2\n\t" \
	".balign 4\n" \
	"9: .word bareprof_tick\n"
#define BAREPROF_ISR_SAMPLE \
	"ldr r0, [sp]\n\t" \
	"bl bareprof_sample\n\t" \
	"pop {r0, pc}"
#else
#define BAREPROF_ISR_TICK \
	"b.w bareprof_tick\n\t" \
	".balign 4\n"
#define BAREPROF_ISR_SAMPLE \
	"pop {r0, lr}\n\t" \
	"b.w bareprof_sample"
#endif

#if BAREPROF_STACKS == 0
#define BAREPROF_ISR_ACKNOWLEDGE \
	"push {r0, lr}\n\t" \
	"bl %c0\n\t"
#endif

/* For v6-M, GCC emits inline assembly in the old syntax by default. */
#define BAREPROF_ISR(name, body, acknowledge) \
	BAREPROF_EXTERN_C void name(void); \
	BAREPROF_CODE(name) __attribute__((used, naked)) void name(void) \
	{ \
		__asm volatile(".syntax unified\n\t" \
		               BAREPROF_ISR_BEGIN(name) BAREPROF_ISR_FETCH body BAREPROF_ISR_END(name) \
		               : : "i"(acknowledge) BAREPROF_ISR_CONSTANTS); \
	}

#define BAREPROF_TIMER_ISR_OF_ISA(name, acknowledge) \
	BAREPROF_ISR(name, "ldr r1, 8f\n\t" BAREPROF_ISR_TICK "8: .word %c0", acknowledge)

#define BAREPROF_FIXED_TIMER_ISR_OF_ISA(name, acknowledge) \
	BAREPROF_ISR(name, BAREPROF_ISR_ACKNOWLEDGE BAREPROF_ISR_SAMPLE, acknowledge)
/* clang-format on */

#endif
