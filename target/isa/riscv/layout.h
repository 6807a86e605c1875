/* SPDX-License-Identifier: MIT */
/* Offsets of members of structs, for assembly; layout.c checks them against the structs. */
#ifndef ISA_LAYOUT_H
#define ISA_LAYOUT_H

#include <bareprof/block.h>
#include <bareprof/code.h>
#include <bareprof/options.h>

#define BYTES       (__riscv_xlen / 8)
#define BELOW_LIMIT (-0x100) /* BAREPROF_COUNTER_LIMIT in 32 bits */

/* The address of the block comes first, then the mask of the arcs and, with contexts, the address of their table. */
#define LAYOUT_MASK BYTES
#define LAYOUT_ARCS (2 * BYTES)
#if BAREPROF_CONTEXTS != 0
#define LAYOUT_SECTIONS (3 * BYTES + 4)
#else
#define LAYOUT_SECTIONS (BYTES + 12)
#endif
#define LAYOUT_SAMPLES (LAYOUT_SECTIONS + BAREPROF_ENTRY_SIZE)
/* With slices. */
#if BAREPROF_CONTEXTS != 0
#define LAYOUT_SLICES (LAYOUT_SECTIONS + (BAREPROF_DIRECTORY_CAPACITY + 1) * BAREPROF_ENTRY_SIZE)
#else
#define LAYOUT_SLICES (LAYOUT_SECTIONS + BAREPROF_DIRECTORY_CAPACITY * BAREPROF_ENTRY_SIZE)
#endif

#if BAREPROF_STACKS != 0
#define STACKS_END   (BAREPROF_HEADER_SIZE(BYTES) + BAREPROF_STACK_HEADER_SIZE)
#define STACKS_COUNT (BAREPROF_DIRECTORY_CAPACITY + 2)
#else
#define STACKS_END   BAREPROF_HEADER_SIZE(BYTES)
#define STACKS_COUNT BAREPROF_DIRECTORY_CAPACITY
#endif
#if BAREPROF_CONTEXTS != 0
#define HEADER_END      (STACKS_END + BAREPROF_CONTEXT_HEADER_SIZE)
#define DIRECTORY_COUNT (STACKS_COUNT + 1)
#else
#define HEADER_END      STACKS_END
#define DIRECTORY_COUNT STACKS_COUNT
#endif
#define HEADER_TICK_COST BAREPROF_OFFSET_TICK_COST(DIRECTORY_COUNT, BYTES)
#define HEADER_WINDOW    (HEADER_TICK_COST - 4)
#define HEADER_TOTALS    BAREPROF_OFFSET_STACK_TOTALS(DIRECTORY_COUNT, BYTES)
#define HEADER_CONTEXT   (HEADER_END - 8) /* with contexts */

/* struct bareprof_mtimer */
#define TIMER_MTIME    0
#define TIMER_MTIMECMP BYTES
#define TIMER_SET      (2 * BYTES)

#endif
