/* SPDX-License-Identifier: MIT */
/*
 * The options of the recorder. All files of a firmware that include its headers, and the recorder itself, need the same
 * ones: write them into a file bareprof_config.h, where the compiler searches for headers, or pass them as -D options.
 * libbareprof.a is built for its options by make target WITH="contexts stacks". An option that is off costs nothing.
 *
 * BAREPROF_CONTEXTS=N files calls and samples under up to N contexts (see bareprof_context_switch()). It costs 44
 * bytes of RAM, 20 per context and, on 32-bit targets, 4 per slot of both tables; an arc that occurs in several
 * contexts takes a slot for each. A call of a known arc takes 29 instructions instead of 24 on Armv7-M and Armv8-M
 * Mainline, and 30 instead of 24 on RV32. On Armv6-M and Armv8-M Baseline it goes through C and takes 79 instead of 33.
 *
 * BAREPROF_CORES=N records on N cores that run one image, each in a block of its own. It costs N times the RAM, and
 * every call goes through C and calls bareprof_core_number().
 *
 * BAREPROF_STACKS=N keeps up to N slices, copies of the registers and of a piece of the stack of interrupted code.
 * They are a uniform sample of all ticks. From them reports take call paths and measured total times, for code with -pg
 * and without. BAREPROF_STACK_BYTES=B is the size of the piece, 512 bytes by default. It costs 64 bytes of RAM, and
 * 36 + B per slice (56 + B on 64-bit targets). The firmware must name the memory of its stacks, see .stacks below.
 *
 * BAREPROF_STACK_FILTER=M, with slices, examines the B bytes of stack and keeps only the words that unwinding may
 * need: return addresses and pointers into the stack. A slice has room for M bytes of them, so it costs 36 + M bytes of
 * RAM instead of 36 + B; 128 are enough for most stacks.
 *
 * BAREPROF_PATHS=N, in place of slices, unwinds each interrupted stack on the target and counts its call path in a
 * tree of up to N nodes, a power of two from 16 to 32,768. No contents of stacks leave the target. It costs 64 bytes of
 * RAM, 12 per node (16 on 64-bit targets), 400 bytes (800) of the handler's stack, and flash for BAREPROF_UNWIND_TABLE.
 */
#ifndef BAREPROF_OPTIONS_H
#define BAREPROF_OPTIONS_H

#ifdef __has_include
#if __has_include("bareprof_config.h")
#include "bareprof_config.h"
#endif
#endif

#ifndef BAREPROF_CONTEXTS
#define BAREPROF_CONTEXTS 0
#endif
#ifndef BAREPROF_CORES
#define BAREPROF_CORES 1
#endif
#ifndef BAREPROF_PATHS
#define BAREPROF_PATHS 0
#endif
/* A path tree is a stack store as well. */
#if BAREPROF_PATHS != 0
#undef BAREPROF_STACKS
#define BAREPROF_STACKS BAREPROF_PATHS
#endif
#ifndef BAREPROF_STACKS
#define BAREPROF_STACKS 0
#endif
#ifndef BAREPROF_STACK_BYTES
#define BAREPROF_STACK_BYTES 512
#endif
#ifndef BAREPROF_STACK_FILTER
#define BAREPROF_STACK_FILTER 0
#endif

/*
 * The tables of the block, for a BAREPROF_DEFINE that does not state them: slots for arcs, and the store of samples
 * (see <bareprof/bareprof.h>). BAREPROF_KB=2, 8 or 32 sets both for a block of slightly less than this size; the
 * options above add to it.
 */
#ifndef BAREPROF_KB
#define BAREPROF_KB 8
#endif
#if BAREPROF_KB == 2
#define BAREPROF_KB_ARCS  64
#define BAREPROF_KB_STORE BAREPROF_GRANULES(64, 16, 64)
#elif BAREPROF_KB == 8
#define BAREPROF_KB_ARCS  256
#define BAREPROF_KB_STORE BAREPROF_GRANULES(512, 8, 64)
#elif BAREPROF_KB == 32
#define BAREPROF_KB_ARCS  1024
#define BAREPROF_KB_STORE BAREPROF_GRANULES(2048, 8, 256)
#else
#error "bareprof: BAREPROF_KB is 2, 8 or 32; for other sizes define BAREPROF_ARCS and BAREPROF_STORE"
#define BAREPROF_KB_ARCS  8
#define BAREPROF_KB_STORE BAREPROF_GRANULES(8, 16, 4)
#endif
#ifndef BAREPROF_ARCS
#define BAREPROF_ARCS BAREPROF_KB_ARCS
#endif
#ifndef BAREPROF_STORE
#define BAREPROF_STORE BAREPROF_KB_STORE
#endif

/*
 * The section of the block. In the default section, startup code clears the block as it clears .bss, unless the linker
 * script includes the fragment bareprof.ld. In ".noinit" the block survives a reset if the linker script places that
 * section. If it does not, the linker chooses a place, which may be inside the heap.
 */
#ifndef BAREPROF_BLOCK_SECTION
#define BAREPROF_BLOCK_SECTION ".bss.bareprof"
#endif

/*
 * For firmware without a build-id: init hashes at most this many bytes of code, so that a host can check the ELF over a
 * serial link, and a block outside .bss is continued after a reset if the build is the same. It costs 7 instructions
 * per word on Armv7-M: 64 KB take 7 ms at 16 MHz. init must know the start and end of the code: from .ranges;
 * otherwise, with the library, from the fragment, and with the drop-in files from VTOR (RISC-V: _start) to _etext or
 * __etext, if the linker script defines one. 0: no hash.
 */
#ifndef BAREPROF_HASH_BYTES
#define BAREPROF_HASH_BYTES 0
#endif

#if BAREPROF_CORES < 1 || BAREPROF_CORES > 256
#error "bareprof: BAREPROF_CORES is 1 to 256"
#endif
#if BAREPROF_CONTEXTS < 0 || BAREPROF_CONTEXTS > 65535
#error "bareprof: BAREPROF_CONTEXTS is 1 to 65535, or 0 for none"
#endif
#if BAREPROF_STACKS < 0 || BAREPROF_STACKS > 65535
#error "bareprof: BAREPROF_STACKS is 1 to 65535, or 0 for none"
#endif
#if BAREPROF_PATHS != 0 && \
        (BAREPROF_PATHS < 16 || BAREPROF_PATHS > 32768 || (BAREPROF_PATHS & (BAREPROF_PATHS - 1)) != 0)
#error "bareprof: BAREPROF_PATHS is a power of two from 16 to 32768, or 0 for none"
#endif
#if BAREPROF_STACK_BYTES < 32 || BAREPROF_STACK_BYTES > 32768 || BAREPROF_STACK_BYTES % 8 != 0
#error "bareprof: BAREPROF_STACK_BYTES is a multiple of 8 from 32 to 32768"
#endif
#if BAREPROF_STACK_FILTER != 0 && (BAREPROF_STACKS == 0 || BAREPROF_PATHS != 0)
#error "bareprof: BAREPROF_STACK_FILTER is for slices, BAREPROF_STACKS"
#endif
#if BAREPROF_STACK_FILTER != 0 && \
        (BAREPROF_STACK_FILTER < 32 || BAREPROF_STACK_FILTER > 32768 || BAREPROF_STACK_FILTER % 8 != 0)
#error "bareprof: BAREPROF_STACK_FILTER is a multiple of 8 from 32 to 32768, or 0 for none"
#endif

/* Adds the options to the names, as the linker sees them, of functions that differ by options. So linking fails with a
 * recorder that was compiled with other options. */
#if BAREPROF_CONTEXTS != 0 && BAREPROF_CORES > 1
#define BAREPROF_VARIANT_OF_TABLES(name) name##_with_contexts_and_cores
#elif BAREPROF_CONTEXTS != 0
#define BAREPROF_VARIANT_OF_TABLES(name) name##_with_contexts
#elif BAREPROF_CORES > 1
#define BAREPROF_VARIANT_OF_TABLES(name) name##_with_cores
#else
#define BAREPROF_VARIANT_OF_TABLES(name) name
#endif
#if BAREPROF_PATHS != 0
#define BAREPROF_VARIANT(name) BAREPROF_VARIANT_OF_TABLES(name##_with_paths)
#elif BAREPROF_STACK_FILTER != 0
#define BAREPROF_VARIANT(name) BAREPROF_VARIANT_OF_TABLES(name##_with_filtered_stacks)
#elif BAREPROF_STACKS != 0
#define BAREPROF_VARIANT(name) BAREPROF_VARIANT_OF_TABLES(name##_with_stacks)
#else
#define BAREPROF_VARIANT(name) BAREPROF_VARIANT_OF_TABLES(name)
#endif

#endif
