/* SPDX-License-Identifier: MIT */
/*
 * Tasks on a RISC-V hart: they yield, so that only the registers that a function keeps are switched. Interrupts run on
 * the stack of the interrupted task.
 */
#include "switch.h"

#ifdef __riscv

#if __riscv_xlen == 64
#define STORE(number, register) "sd " #register ", 8*" #number "(sp)\n\t"
#define LOAD(number, register)  "ld " #register ", 8*" #number "(sp)\n\t"
#define FRAME                   "112"
#else
#define STORE(number, register) "sw " #register ", 4*" #number "(sp)\n\t"
#define LOAD(number, register)  "lw " #register ", 4*" #number "(sp)\n\t"
#define FRAME                   "64"
#endif
#define FRAME_BYTES (__riscv_xlen == 64 ? 112u : 64u)

#define KEPT_REGISTERS(action)                                                                            \
	action(0, ra) action(1, s0) action(2, s1) action(3, s2) action(4, s3) action(5, s4) action(6, s5) \
	        action(7, s6) action(8, s7) action(9, s8) action(10, s9) action(11, s10) action(12, s11)

UNINSTRUMENTED __attribute__((naked)) void switch_from_task(void)
{
	__asm volatile("addi sp, sp, -" FRAME
	               "\n\t" KEPT_REGISTERS(STORE) "mv a0, sp\n\t"
	                                            "call tasks_take_turns\n\t"
	                                            "mv sp, a0\n\t" KEPT_REGISTERS(LOAD) "addi sp, sp, " FRAME "\n\t"
	                                                                                 "ret");
}

UNINSTRUMENTED void switch_from_interrupt(void)
{
}

UNINSTRUMENTED _Noreturn void switch_start(void (*first)(void), uintptr_t *first_end, void (*second)(void),
                                           uintptr_t *second_end)
{
	uintptr_t *frame = second_end - FRAME_BYTES / sizeof *frame;

	frame[0] = (uintptr_t)second;
	tasks_prepare_second(frame);
	__asm volatile("mv sp, %0\n\tjr %1" : : "r"(first_end), "r"(first) : "memory");
	__builtin_unreachable();
}

#endif
