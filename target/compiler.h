/* SPDX-License-Identifier: MIT */
/*
 * How GCC compiles the recorder under any options of the project; every source includes this before its
 * functions. With -Os alone, GCC moves values out of loops and across branches. In short functions this takes more
 * registers, and saving them costs 1 % of the text. Conditional instructions in place of branches, and moves that hide
 * the latency of a load, cost 2 %. On v6-M, jump tables call a function of the compiler's library. The FPU's registers
 * have arguments at the entry of a function, where the hook is called.
 */
#ifndef COMPILER_H
#define COMPILER_H

#include <bareprof/code.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os", "no-strict-aliasing", "no-jump-tables", "no-gcse", "no-move-loop-invariants", \
                     "no-tree-loop-im", "no-if-conversion", "no-tree-tail-merge", "no-caller-saves",     \
                     "no-schedule-insns2")
#if defined(__arm__) && __GNUC__ >= 11
#pragma GCC target("general-regs-only")
#elif defined(__arm__) && defined(__ARM_PCS_VFP)
#error "bareprof: GCC before 11 cannot keep the recorder from using the FPU; compile with GCC 11, clang or -mfloat-abi=soft"
#endif
#endif

/* The object at an aligned offset. */
BAREPROF_INLINE volatile void *offset_by(volatile void *base, uintptr_t offset)
{
	return (volatile uint8_t *)base + offset;
}

#endif
