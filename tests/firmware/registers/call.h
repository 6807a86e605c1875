/* SPDX-License-Identifier: MIT */
/*
 * Calls of the compilers' hooks from registers that hold chosen values, and the registers that each ABI requires them
 * to keep. call_arm_m.S and call_riscv.S implement it.
 */
#ifndef FIRMWARE_REGISTERS_CALL_H
#define FIRMWARE_REGISTERS_CALL_H

#include <stdint.h>

/* Registers have the numbers of the instruction set. Bit n of a mask is register n. */
#if defined(__arm__)

/* The interface of __gnu_mcount_nc: ip (r12) and the flags may change, and lr is the word that was pushed. */
#define MCOUNT_NAME     "__gnu_mcount_nc"
#define MCOUNT_KEEPS    0x6FFFu
#define MCOUNT_CALLER   14u
#define FUNCTION_KEEPS  0x2FF0u /* r4 to r11 and sp: AAPCS32 6.1.1 */
#define SECOND_ARGUMENT 1u
#define STACK_POINTER   13u
#define REGISTER_COUNT  15u
#define REGISTER_NAMES  "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "ip", "sp", "lr"
#define STACK_BYTES_MAX 96u /* 68 on v6-M, with GCC 12 */

#elif defined(__riscv)

/* RISC-V ELF psABI, 1.1: sp, gp, tp and s0 to s11. The caller of _mcount is in ra, and GCC copies it to a0. */
#define MCOUNT_NAME     "_mcount"
#define MCOUNT_KEEPS    0x0FFC031Cu
#define MCOUNT_CALLER   1u
#define FUNCTION_KEEPS  MCOUNT_KEEPS
#define SECOND_ARGUMENT 11u
#define STACK_POINTER   2u
#define GLOBAL_POINTER  3u
#define REGISTER_COUNT  32u
#define REGISTER_NAMES                                                                                                \
	"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", \
	        "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"
#define STACK_BYTES_MAX 64u /* 8 on RV64, with GCC 12 */

#endif

/*
 * Each loads all registers, including the stack pointer, from `before`, makes the call as GCC does, and stores in
 * `after` all registers that could have been kept. Below that stack pointer only the call writes. Interrupts must be
 * masked.
 */
void call_mcount(const uintptr_t *before, uintptr_t *after);
void call_enter(const uintptr_t *before, uintptr_t *after);
void call_exit(const uintptr_t *before, uintptr_t *after);

#endif
