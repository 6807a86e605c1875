/* SPDX-License-Identifier: MIT */
/*
 * bareprof for firmware: the functions and macros that an application uses. Include this header, write
 * BAREPROF_DEFINE(...) in one file, link libbareprof.a, and compile the code to be profiled with -pg or
 * -finstrument-functions. docs/PORTING.md has the steps.
 *
 * All functions may be called from thread and handler mode on the core that owns the block, before and after
 * bareprof_init(): the recorder does nothing until its gate is open.
 */
#ifndef BAREPROF_BAREPROF_H
#define BAREPROF_BAREPROF_H

#include <bareprof/block.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Options. Define them for every file that includes this header, and link a library that was built with the same ones
 * (make target WITH="contexts cores stacks"). An option that is off costs nothing.
 *
 * -DBAREPROF_CONTEXTS=N files calls and samples under up to N contexts (see bareprof_context_switch()). It costs 44
 * bytes of RAM, 20 per context and, on 32-bit targets, 4 per slot of both tables; an arc that occurs in several
 * contexts takes a slot for each. A call of a known arc takes 29 instructions instead of 24 on Armv7-M and Armv8-M
 * Mainline, and 30 instead of 24 on RV32. On Armv6-M and Armv8-M Baseline it goes through C and takes 79 instead of 33.
 *
 * -DBAREPROF_CORES=N records on N cores that run one image, each in a block of its own. It costs N times the RAM, and
 * every call goes through C and calls bareprof_core_number().
 *
 * -DBAREPROF_STACKS=N keeps up to N slices, copies of the registers and of a piece of the stack of interrupted code.
 * They are a uniform sample of all ticks. From them reports take call paths and measured total times, for code with -pg
 * and without. -DBAREPROF_STACK_BYTES=B is the size of the piece, 512 bytes by default. It costs 64 bytes of RAM, and
 * 36 + B per slice (56 + B on 64-bit targets). The firmware must name the memory of its stacks, see .stacks below.
 *
 * -DBAREPROF_STACK_FILTER=M, with slices, examines the B bytes of stack and keeps only the words that unwinding may
 * need: return addresses and pointers into the stack. A slice has room for M bytes of them, so it costs 36 + M bytes of
 * RAM instead of 36 + B; 128 are enough for most stacks.
 *
 * -DBAREPROF_PATHS=N, in place of slices, unwinds each interrupted stack on the target and counts its call path in a
 * tree of up to N nodes, a power of two from 16 to 32,768. No contents of stacks leave the target. It costs 64 bytes of
 * RAM, 12 per node (16 on 64-bit targets), 400 bytes (800) of the handler's stack, and flash for BAREPROF_UNWIND_TABLE.
 */
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

/* With a library that was built with other options, linking fails: it does not define these names. */
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
#define BAREPROF_VARIANT(name)  BAREPROF_VARIANT_OF_TABLES(name##_with_paths)
#define BAREPROF_IF_STACKS(...) __VA_ARGS__
#elif BAREPROF_STACK_FILTER != 0
#define BAREPROF_VARIANT(name)  BAREPROF_VARIANT_OF_TABLES(name##_with_filtered_stacks)
#define BAREPROF_IF_STACKS(...) __VA_ARGS__
#elif BAREPROF_STACKS != 0
#define BAREPROF_VARIANT(name)  BAREPROF_VARIANT_OF_TABLES(name##_with_stacks)
#define BAREPROF_IF_STACKS(...) __VA_ARGS__
#else
#define BAREPROF_VARIANT(name) BAREPROF_VARIANT_OF_TABLES(name)
#define BAREPROF_IF_STACKS(...)
#endif
#define bareprof_init BAREPROF_VARIANT(bareprof_init)

/* Code to be sampled, or memory of stacks: addresses of linker symbols, start inclusive, end exclusive. */
struct bareprof_range {
	const char *start;
	const char *end;
};

/*
 * The configuration: the arguments of BAREPROF_DEFINE after the tables, as designated initialisers (in C++ in this
 * order). All of it is in flash.
 */
struct bareprof_config {
	/* Name of the board as reports show it, 15 characters at most. Default: empty. */
	char board[BAREPROF_BOARD_CAPACITY];
	/* Frequency of the clock that drives the sampling timer, in Hz. Default 0: reports count samples, not seconds.
	 */
	uint32_t clock_hz;
	/* Clock units between two samples, 1 to 3,000,000,000. Default 0: unknown. A host may request another period,
	 * see below. */
	uint32_t period;
	/*
	 * Up to four ranges of code to sample, which must not overlap; empty ranges are ignored. All ranges share the
	 * tables. Default, if the first range has no end: bareprof_text_start to bareprof_text_end, which the linker
	 * fragment defines.
	 */
	struct bareprof_range ranges[BAREPROF_RANGE_CAPACITY];
	/* Reprograms the sampling timer when a host requests another period. Default: none, the request is refused. */
	void (*set_period)(uint32_t clock_units);
	/*
	 * For RAM with ECC, where reading a word that was never written is a fault. Returns true if the RAM had lost
	 * power before this start, from the chip's reset-cause register; then bareprof_init() writes the whole block
	 * before it reads any of it. Default: none; init reads the block to recognise it. Instrumented code that runs
	 * before init reads only the gate. So the startup code must write the gate first. If ECC covers more than 32
	 * bits, it must write all of RAM, because a store of 32 bits then reads the rest.
	 */
	bool (*is_cold_start)(void);
	/* Whether the timer calls bareprof_tick_missed(); else reports say that missed ticks are unknown. */
	bool counts_missed_ticks;
	/* Number of the core that records in this block; with BAREPROF_CORES, the number of the first core. Default
	 * 0. */
	uint8_t core;
	/* The shortest and the longest period that a host may request; others are refused. With dither the next tick
	 * comes after three quarters of the period at the earliest, and the handler must have returned by then. Five
	 * quarters of the period must fit the timer. Defaults, 0: 512 and 3,000,000,000. */
	uint32_t period_min;
	uint32_t period_max;
#if BAREPROF_STACKS != 0
	/*
	 * Up to four ranges of RAM that contain the stacks; nothing else is read, so a bad stack pointer cannot make
	 * the handler fault. The first empty range ends the list. Every word of a range must be readable: leave out MPU
	 * or PMP guards above a stack, or return the ends of the stacks from stack_end. Default, if there is no range:
	 * bareprof_stack_start to bareprof_stack_end, two symbols that your linker script may define. Without them
	 * slices contain no stack, and are counted as bad.
	 */
	struct bareprof_range stacks[BAREPROF_RANGE_CAPACITY];
	/*
	 * For tasks whose stacks share a range: returns the end of the stack that contains this stack pointer: the
	 * address after the stack's highest byte. It returns 0 if it does not know the stack, which then ends with its
	 * range. The sampling interrupt calls it, so compile it uninstrumented. Default: none.
	 */
	uintptr_t (*stack_end)(uintptr_t sp);
	/*
	 * Armv8-M, for a sampling interrupt in the Secure state: whether stacks of Secure code are copied. Anyone who
	 * can read captures then sees parts of these stacks. Default: they are withheld. Stacks of Non-secure code are
	 * copied where Non-secure code may read them itself.
	 */
	bool copies_secure_stack;
#endif
};

/* An entry of the directory, which init copies to the block. Emitted by BAREPROF_DEFINE and read by the recorder; not
 * for applications. */
struct bareprof_section {
	uint8_t kind;
	uint8_t parameter;
	uint16_t item_size;
	uint32_t offset;
	uint32_t capacity;
	uint32_t used;
};

#define BAREPROF_DIRECTORY_RANGES   0
#define BAREPROF_DIRECTORY_SAMPLES  1
#define BAREPROF_DIRECTORY_ARCS     2
#define BAREPROF_DIRECTORY_COARSE   3
#define BAREPROF_DIRECTORY_CONTEXTS 4
#define BAREPROF_DIRECTORY_SLICES   (BAREPROF_DIRECTORY_CAPACITY + (BAREPROF_CONTEXTS != 0))
#define BAREPROF_DIRECTORY_PATHS    BAREPROF_DIRECTORY_SLICES
#define BAREPROF_DIRECTORY_TOTALS   (BAREPROF_DIRECTORY_SLICES + 1)
#define BAREPROF_DIRECTORY_COUNT    (BAREPROF_DIRECTORY_SLICES + (BAREPROF_STACKS != 0 ? 2 : 0))

struct bareprof_layout {
	uint64_t *block;
	uint32_t arc_mask; /* masks a hash: four times the last index of the table */
	/* For the hooks in assembly. With contexts: the table of arcs, whose offset is not constant. Otherwise: the
	 * factor from a masked hash to the offset of its slot. */
#if BAREPROF_CONTEXTS != 0
	void *arcs;
#else
	uint32_t arc_factor;
#endif
	uint32_t block_size;
	struct bareprof_section sections[BAREPROF_DIRECTORY_COUNT];
	/* The section whose bins are scaled to cover all ranges: offset of its entry in the header, and its
	 * capacity. */
	uint32_t scaled_entry;
	uint32_t scaled_capacity;
#if BAREPROF_STACK_FILTER != 0
	uint32_t stack_bytes; /* bytes of stack to examine */
#endif
	struct bareprof_config config;
};

extern uint64_t bareprof_block[];
extern const struct bareprof_layout bareprof_layout;
extern const char bareprof_text_start[];
extern const char bareprof_text_end[];

/* Registers of interrupted code, as the entry of the sampling interrupt saved them; <bareprof/isa/> defines it. */
struct bareprof_interrupted;

/* One function per store of samples. BAREPROF_DEFINE makes bareprof_tick() call the function of its store. */
#define BAREPROF_TICK_PARAMETERS                                \
	uintptr_t pc, void (*acknowledge)(uint32_t clock_units) \
	                      BAREPROF_IF_STACKS(, const struct bareprof_interrupted *interrupted)
#define bareprof_bins_tick      BAREPROF_VARIANT(bareprof_bins_tick)
#define bareprof_wide_bins_tick BAREPROF_VARIANT(bareprof_wide_bins_tick)
#define bareprof_granules_tick  BAREPROF_VARIANT(bareprof_granules_tick)
void bareprof_bins_tick(BAREPROF_TICK_PARAMETERS);
void bareprof_wide_bins_tick(BAREPROF_TICK_PARAMETERS);
void bareprof_granules_tick(BAREPROF_TICK_PARAMETERS);

/* Designated initialisers are part of C++20 and an extension before. GCC warns about omitted members, in C++ only. */
#ifdef __cplusplus
#define BAREPROF_STATIC_ASSERT  static_assert
#define BAREPROF_IGNORE_MISSING _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")
#define BAREPROF_BEGIN_DEFAULTS _Pragma("GCC diagnostic push") BAREPROF_IGNORE_MISSING __extension__
#define BAREPROF_END_DEFAULTS   _Pragma("GCC diagnostic pop")
#else
#define BAREPROF_STATIC_ASSERT _Static_assert
#define BAREPROF_BEGIN_DEFAULTS
#define BAREPROF_END_DEFAULTS
#endif

#define BAREPROF_IS_POWER_OF_2(number) (((number) & ((number)-1)) == 0)

#define BAREPROF_ARC_SIZE      (sizeof(uintptr_t) * 3 + (BAREPROF_CONTEXTS != 0 && sizeof(uintptr_t) == 4 ? 4 : 0))
#define BAREPROF_GRANULE_SIZE  (sizeof(uintptr_t) * 2 + (BAREPROF_CONTEXTS != 0 && sizeof(uintptr_t) == 4 ? 4 : 0))
#define BAREPROF_RANGES_OFFSET (BAREPROF_OFFSET_DIRECTORY + BAREPROF_DIRECTORY_COUNT * BAREPROF_ENTRY_SIZE)
#define BAREPROF_CONTEXTS_OFFSET                                                                                 \
	(BAREPROF_HEADER_SIZE(sizeof(uintptr_t)) + (BAREPROF_CONTEXTS != 0 ? BAREPROF_CONTEXT_HEADER_SIZE : 0) + \
	 (BAREPROF_STACKS != 0 ? BAREPROF_STACK_HEADER_SIZE : 0))
/* One more context is for tasks that find no other. */
#define BAREPROF_CONTEXT_ITEMS                             (BAREPROF_CONTEXTS != 0 ? BAREPROF_CONTEXTS + 1 : 0)
#define BAREPROF_CONTEXT_SIZE                              (BAREPROF_CONTEXT_SWITCHES + 4)
#define BAREPROF_CONTEXTS_BYTES                            ((BAREPROF_CONTEXT_ITEMS * BAREPROF_CONTEXT_SIZE + 7u) / 8u * 8u)
#define BAREPROF_ARCS_OFFSET                               (BAREPROF_CONTEXTS_OFFSET + BAREPROF_CONTEXTS_BYTES)
#define BAREPROF_SAMPLES_OFFSET(arcs)                      (BAREPROF_ARCS_OFFSET + (arcs)*BAREPROF_ARC_SIZE)
#define BAREPROF_COARSE_OFFSET(arcs, samples, sample_size) (BAREPROF_SAMPLES_OFFSET(arcs) + (samples) * (sample_size))
#define BAREPROF_TABLES_END(arcs, samples, sample_size, coarse) \
	((BAREPROF_COARSE_OFFSET(arcs, samples, sample_size) + (coarse)*4u + 7u) / 8u * 8u)
#define BAREPROF_BLOCK_BYTES(arcs, samples, sample_size, coarse) \
	(BAREPROF_TABLES_END(arcs, samples, sample_size, coarse) + BAREPROF_STACKS_BYTES)

/* After the tables: the slices or the path nodes. */
#if BAREPROF_PATHS != 0
#define BAREPROF_STACK_ITEM_KIND BAREPROF_SECTION_PATHS
#define BAREPROF_STACK_ITEM_SIZE BAREPROF_PATH_SIZE(sizeof(uintptr_t))
#else
#define BAREPROF_STACK_ITEM_KIND BAREPROF_SECTION_SLICES
#define BAREPROF_STACK_ITEM_SIZE BAREPROF_SLICE_SIZE(sizeof(uintptr_t), BAREPROF_STACK_ROOM)
#endif
#if BAREPROF_STACK_FILTER != 0
#define BAREPROF_STACK_ROOM           BAREPROF_STACK_FILTER
#define BAREPROF_STACK_ITEM_PARAMETER BAREPROF_SLICES_FILTERED
#define BAREPROF_STACK_BYTES_PLACE    BAREPROF_STACK_BYTES,
#else
#define BAREPROF_STACK_ROOM           BAREPROF_STACK_BYTES
#define BAREPROF_STACK_ITEM_PARAMETER 0
#define BAREPROF_STACK_BYTES_PLACE
#endif
#if BAREPROF_STACKS != 0
#define BAREPROF_STACKS_BYTES ((BAREPROF_STACKS * BAREPROF_STACK_ITEM_SIZE + 7u) / 8u * 8u)
#else
#define BAREPROF_STACKS_BYTES 0u
#endif

/*
 * The stores of samples, for BAREPROF_DEFINE. Each expands to: a check of its limits, kind, log2 of the granule, items,
 * bytes of one item, coarse bins, scaled section, function.
 *
 * BAREPROF_GRANULES(granules, bytes, coarse): a hash table of the pieces of code that were sampled, `bytes` of code
 * each (a power of two, 2 to 4,096), so RAM does not grow with the code. granules: a power of two, 8 to 65,536; each
 * costs 8 bytes of RAM (16 on 64-bit; with contexts 12 and 16). If the table is full, samples go to `coarse` bins (4 to
 * 65,536, of 4 bytes), which cover all ranges; reports show these bins as separate rows. BAREPROF_GRANULES(32, 16, 32)
 * takes 384 bytes.
 *
 * BAREPROF_BINS(bins), BAREPROF_WIDE_BINS(bins): the classic histogram, 16 to 1,048,576 counters of 2 or of 4 bytes.
 * init chooses the bytes of code per bin: the smallest power of two (at least 2, which is exact) for which the bins
 * cover all ranges. If several functions share a bin, its samples are divided by the functions' sizes, and every report
 * states how many samples were divided. Not available with contexts.
 */
#define BAREPROF_BINS_HOLD(bins) ((bins) >= 16 && (bins) <= 1048576 && BAREPROF_CONTEXTS == 0)
#define BAREPROF_BINS(bins) \
	(BAREPROF_BINS_HOLD(bins), BAREPROF_SECTION_BINS, 0, bins, 2, 0, BAREPROF_DIRECTORY_SAMPLES, bareprof_bins_tick)
#define BAREPROF_WIDE_BINS(bins)                                                                     \
	(BAREPROF_BINS_HOLD(bins), BAREPROF_SECTION_BINS, 0, bins, 4, 0, BAREPROF_DIRECTORY_SAMPLES, \
	 bareprof_wide_bins_tick)
#define BAREPROF_GRANULES(granules, bytes, coarse)                                                       \
	((granules) >= 8 && (granules) <= 65536 && BAREPROF_IS_POWER_OF_2(granules) && (bytes) >= 2 &&   \
	         (bytes) <= 4096 && BAREPROF_IS_POWER_OF_2(bytes) && (coarse) >= 4 && (coarse) <= 65536, \
	 BAREPROF_SECTION_GRANULES, __builtin_ctz(bytes), granules, BAREPROF_GRANULE_SIZE, coarse,       \
	 BAREPROF_DIRECTORY_COARSE, bareprof_granules_tick)

/*
 * Sizes and defines the profile block. Write it once, at file scope:
 *
 *	BAREPROF_DEFINE(256, BAREPROF_GRANULES(512, 8, 64), .board = "my-board", .clock_hz = 16000000, .period = 16007);
 *
 * arcs     slots for distinct caller->callee pairs; a power of two, 8 to 65,536. Each costs 12 bytes of RAM (24 on
 *          64-bit; with contexts 16 and 24). Calls that find the table full are counted as dropped, and every report
 *          says so. Twice the number of executed call sites is a good size.
 * samples  one of the stores above.
 *
 * Beyond these tables the block takes 256 bytes (288 on 64-bit; with contexts 44 more, and 20 for each; with stacks 88
 * more, and the slices or nodes).
 */
#define BAREPROF_DEFINE(arcs, samples, ...) BAREPROF_DEFINE_UNPACKED(arcs, BAREPROF_UNPACK samples, __VA_ARGS__)
#define BAREPROF_UNPACK(...)                __VA_ARGS__
#define BAREPROF_DEFINE_UNPACKED(...)       BAREPROF_DEFINE_TABLES(__VA_ARGS__)
#define BAREPROF_DEFINE_TABLES(arcs, holds, kind, shift, samples, size, coarse, scaled, tick, ...)                    \
	BAREPROF_STATIC_ASSERT((arcs) >= 8 && (arcs) <= 65536 && BAREPROF_IS_POWER_OF_2(arcs),                        \
	                       "bareprof: arcs must be a power of two from 8 to 65,536");                             \
	__attribute__((section(".bareprof"), aligned(8), used))                                                       \
	uint64_t bareprof_block[BAREPROF_CORES * BAREPROF_BLOCK_BYTES(arcs, samples, size, coarse) / 8];              \
	BAREPROF_BEGIN_DEFAULTS __attribute__((used)) const struct bareprof_layout bareprof_layout = {                \
	        bareprof_block,                                                                                       \
	        4u * ((arcs)-1u),                                                                                     \
	        BAREPROF_ARCS_PLACE,                                                                                  \
	        BAREPROF_BLOCK_BYTES(arcs, samples, size, coarse),                                                    \
	        {{BAREPROF_SECTION_RANGES, 0, 2 * sizeof(uintptr_t), BAREPROF_RANGES_OFFSET, BAREPROF_RANGE_CAPACITY, \
	          BAREPROF_RANGE_CAPACITY},                                                                           \
	         {kind, shift, size, BAREPROF_SAMPLES_OFFSET(arcs), samples, samples},                                \
	         {BAREPROF_SECTION_ARCS, BAREPROF_CONTEXTS != 0 ? BAREPROF_ARC_CONTEXT : 0, BAREPROF_ARC_SIZE,        \
	          BAREPROF_ARCS_OFFSET, arcs, arcs},                                                                  \
	         {(coarse) != 0 ? BAREPROF_SECTION_COARSE : BAREPROF_SECTION_UNUSED, 0, 4,                            \
	          BAREPROF_COARSE_OFFSET(arcs, samples, size), coarse, coarse},                                       \
	         BAREPROF_CONTEXTS_SECTION BAREPROF_STACKS_SECTIONS(                                                  \
	                 BAREPROF_TABLES_END(arcs, samples, size, coarse))},                                          \
	        BAREPROF_OFFSET_DIRECTORY + (scaled)*BAREPROF_ENTRY_SIZE,                                             \
	        (scaled) == BAREPROF_DIRECTORY_COARSE ? (coarse) : (samples),                                         \
	        BAREPROF_STACK_BYTES_PLACE{__VA_ARGS__},                                                              \
	};                                                                                                            \
	BAREPROF_END_DEFAULTS                                                                                         \
	BAREPROF_DEFINE_TICK(tick)                                                                                    \
	BAREPROF_STATIC_ASSERT(holds,                                                                                 \
	                       "bareprof: numbers of the store are out of bounds, or it does not go with contexts")
#if BAREPROF_CONTEXTS != 0
#define BAREPROF_ARCS_PLACE (bareprof_block + BAREPROF_ARCS_OFFSET / 8)
#define BAREPROF_CONTEXTS_SECTION                                                   \
	{BAREPROF_SECTION_CONTEXTS, BAREPROF_CONTEXT_OTHERS, BAREPROF_CONTEXT_SIZE, \
	 BAREPROF_CONTEXTS_OFFSET,  BAREPROF_CONTEXT_ITEMS,  BAREPROF_CONTEXT_ITEMS},
#else
#define BAREPROF_ARCS_PLACE (BAREPROF_ARC_SIZE / 4)
#define BAREPROF_CONTEXTS_SECTION
#endif
#if BAREPROF_STACKS != 0
#define BAREPROF_STACKS_SECTIONS(items)                                                                             \
	{BAREPROF_STACK_ITEM_KIND, BAREPROF_STACK_ITEM_PARAMETER, BAREPROF_STACK_ITEM_SIZE, items, BAREPROF_STACKS, \
	 BAREPROF_STACKS},                                                                                          \
	        {BAREPROF_SECTION_STACK_TOTALS,                                                                     \
	         0,                                                                                                 \
	         4,                                                                                                 \
	         BAREPROF_OFFSET_STACK_TOTALS(BAREPROF_DIRECTORY_COUNT, sizeof(uintptr_t)),                         \
	         BAREPROF_STACK_TOTALS,                                                                             \
	         BAREPROF_STACK_TOTALS},
#define BAREPROF_DEFINE_TICK(tick)                                                                                 \
	BAREPROF_DEFINE_TICK_FUNCTION(tick, (uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units)), \
	                              NULL, bareprof_tick)                                                         \
	BAREPROF_DEFINE_TICK_FUNCTION(tick,                                                                        \
	                              (uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units),        \
	                               const struct bareprof_interrupted *interrupted),                            \
	                              interrupted, bareprof_stack_tick)
#define BAREPROF_DEFINE_TICK_FUNCTION(tick, parameters, interrupted_or_null, name) \
	__attribute__((BAREPROF_ISR_ATTRIBUTES)) void name parameters              \
	{                                                                          \
		tick(interrupted_pc, acknowledge, interrupted_or_null);            \
	}
#else
#define BAREPROF_STACKS_SECTIONS(items)
#define BAREPROF_DEFINE_TICK(tick)                                                                             \
	__attribute__((BAREPROF_ISR_ATTRIBUTES)) void bareprof_tick(uintptr_t interrupted_pc,                  \
	                                                            void (*acknowledge)(uint32_t clock_units)) \
	{                                                                                                      \
		tick(interrupted_pc, acknowledge);                                                             \
	}
#endif

#if BAREPROF_PATHS != 0
/*
 * Reserves flash for the unwind table, which objcopy fills in after the link. `bareprof unwind-table` prints how many
 * bytes it needs; round them up to a multiple of 8. Write it once, at file scope:
 *
 *	BAREPROF_UNWIND_TABLE(2048);
 */
#define BAREPROF_UNWIND_TABLE(bytes)                                                       \
	__attribute__((section(".bareprof_unwind"), aligned(8), used))                     \
	const uint64_t bareprof_unwind_table[(bytes) / 8] = {0};                           \
	__attribute__((used)) const struct bareprof_unwind_place bareprof_unwind_place = { \
	        bareprof_unwind_table, sizeof bareprof_unwind_table};                      \
	BAREPROF_STATIC_ASSERT((bytes) >= 32 && (bytes) % 8 == 0,                          \
	                       "bareprof: the size of the unwind table is a multiple of 8, and at least 32")

/* Emitted by BAREPROF_UNWIND_TABLE and read by the recorder; not for applications. */
struct bareprof_unwind_place {
	const uint64_t *table;
	uint32_t size;
};
extern const uint64_t bareprof_unwind_table[];
extern const struct bareprof_unwind_place bareprof_unwind_place;
#else
#define BAREPROF_UNWIND_TABLE(bytes) BAREPROF_STATIC_ASSERT(0, "bareprof: BAREPROF_UNWIND_TABLE needs -DBAREPROF_PATHS")
#endif

/*
 * Prepares the block. Call it once, early in main(), on the core that records and before the sampling timer runs. After
 * a warm reset, a valid block is kept and the reset is counted, if it belongs to the same build (by build-id, or by
 * layout and ranges without one) and was sampled at the same rate. Otherwise the whole block is written. The profile is
 * stopped afterwards. For RAM with ECC see is_cold_start above.
 */
void bareprof_init(void);

/* Open and close the gate. Both are idempotent. While a reset is under way, they set the state in which it ends. */
void bareprof_start(void);
void bareprof_stop(void);

/*
 * Stops the profile and arms it: it starts at the next recorded call of the function whose code begins at `function`
 * and has `size` bytes, and stops after `ticks` samples, or never if that is 0. Starting or stopping it by hand cancels
 * the window; a reset keeps the rest of it. The hook of -pg is called some bytes after the start of the function: if
 * you do not know the size, pass one that is smaller than any function with its hook, such as 24.
 */
void bareprof_arm(const void *function, uint32_t size, uint32_t ticks);

/*
 * Clears all counts and begins a new epoch. The gate closes at once. From the second tick on, the tables are cleared,
 * 256 bytes per tick. Then the profile returns to its state (running, armed or stopped). Calls in between are not
 * recorded. The sampling timer must be running.
 */
void bareprof_reset(void);

/*
 * Handles one tick of the sampling timer: calls acknowledge(clock_units), see BAREPROF_TIMER_ISR, and files one sample.
 * Call it only from the timer's interrupt, with the interrupted PC. Call it also while the profile is stopped, because
 * it reads the requests of the host. A handler defined by BAREPROF_TIMER_ISR does so.
 */
void bareprof_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units));

/*
 * bareprof_tick() for a handler that has already acknowledged the interrupt, because its timer has a fixed period or it
 * has set the distance from bareprof_dither() itself. The cost of a tick is measured only with a fixed period.
 */
void bareprof_sample(uintptr_t interrupted_pc);

#if BAREPROF_STACKS != 0
/*
 * bareprof_tick() and bareprof_sample() with the registers that the interrupt's entry saved, so that a slice may be
 * kept or a path counted. Handlers defined by BAREPROF_TIMER_ISR and BAREPROF_FIXED_TIMER_ISR, and the library's own,
 * call them. A handler of your own in C cannot, and samples only the PC. interrupted may be NULL.
 */
void bareprof_stack_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units),
                         const struct bareprof_interrupted *interrupted);
void bareprof_stack_sample(uintptr_t interrupted_pc, const struct bareprof_interrupted *interrupted);
#endif

/*
 * Draws a distance to the next sample: pseudo-random, from three quarters to five quarters of the period, independent
 * of the firmware's work, with the period as its mean. So samples need no weights, and cannot lock to work that repeats
 * at the period. A period below 512 is returned unchanged. bareprof_tick() draws distances itself.
 */
uint32_t bareprof_dither(uint32_t period);

/*
 * The clock units until the sampling timer fires next. Optional: define it yourself, uninstrumented, if the timer can
 * be read. Every 64th tick the recorder uses it to measure the cost of a tick, which reports subtract from the times of
 * functions. Without it the cost is unknown. bareprof_systick_start() and BAREPROF_MTIMER_ISR define it. One line is
 * enough:
 *
 * 	counts down        return TIMER->VALUE;
 * 	counts up          return TIMER->RELOAD - TIMER->COUNT;
 * 	compares           return TIMER->COMPARE - TIMER->COUNT;
 */
uint32_t bareprof_timer_remaining(void);

/*
 * Adds ticks that the hardware merged while interrupts were masked. Call it from the timer's handler, if the timer
 * shows how many there were.
 */
void bareprof_tick_missed(uint32_t ticks);

/*
 * The sampling clock now runs at hz. Samples of two rates must not be mixed, so this clears the profile as
 * bareprof_reset() does and begins a new epoch.
 */
void bareprof_clock_changed(uint32_t hz);

/* Files one call. For ports and languages whose compiler calls neither mcount nor the -finstrument-functions hooks.
 * call_site: return address in the caller. callee: any address inside the callee, not 0 (counted as dropped). */
void bareprof_arc(uintptr_t call_site, uintptr_t callee);

/*
 * Arm: starts SysTick as the sampling timer, with a dithered period. `period` is in clocks of the core and the same as
 * in BAREPROF_DEFINE. Its maximum is BAREPROF_SYSTICK_PERIOD_MAX, because five quarters of it must fit 24 bits. Call it
 * after bareprof_init(). To let hosts change the period, set .set_period to this function and .period_max to that
 * maximum. The library defines SysTick_Handler for it.
 */
#define BAREPROF_SYSTICK_PERIOD_MAX 13421772u
void bareprof_systick_start(uint32_t period);

/*
 * RISC-V: starts the machine timer as the sampling timer, with a dithered period. `period` is in ticks of mtime and the
 * same as in BAREPROF_DEFINE. Pass the addresses of the registers' low halves, and enable the interrupt yourself.
 * Define its handler by BAREPROF_MTIMER_ISR(name, mtime, mtimecmp). With another macro, acknowledge must call
 * bareprof_mtimer_set(), which counts missed ticks.
 */
void bareprof_mtimer_start(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp, uint32_t period);
void bareprof_mtimer_set(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp, uint32_t clock_units);
/* Like bareprof_mtimer_set(), but draws the distance itself; for a handler that then calls bareprof_sample(). */
void bareprof_mtimer_next(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp);

/*
 * RISC-V: called by the sampling interrupt for a trap that is not its own, such as an exception, with interrupts
 * masked. When it returns, execution continues at mepc. The library's version never returns: a debugger finds the core
 * there, with mcause and mepc as the trap left them, and the profile ends with the trap. Define your own version to
 * handle traps, uninstrumented and without floating point.
 */
void bareprof_other_trap(void);

#if BAREPROF_CONTEXTS != 0
/*
 * Files calls and samples from now on under this context, 0 to BAREPROF_CONTEXTS - 1; 0 is the first one. All higher
 * numbers share one more context, BAREPROF_CONTEXTS, which reports call <other tasks>. Call it where an RTOS switches
 * tasks, or at the start of an interrupt. Returns the previous context. While the profile runs, a change of context
 * adds 1 to the switches of the new one.
 */
uint32_t bareprof_context_switch(uint32_t context);
/*
 * Changes the context without counting a switch: for the end of an interrupt, with the value that
 * bareprof_context_switch() returned at its start. The interrupted task merely continues. BAREPROF_IN_CONTEXT does this
 * for you.
 */
uint32_t bareprof_context_restore(uint32_t context);
/* Names a context for reports; the first 15 characters are kept. After bareprof_init(). */
void bareprof_context_name(uint32_t context, const char *name);

/*
 * Returns the context that has this name, compared over the first 15 characters. If there is none, gives the name to
 * the first context from 1 on without a name. If all have other names, returns a number of BAREPROF_CONTEXTS or more.
 * Returns 0 before bareprof_init() and for an empty name. Calls must not interrupt each other.
 */
uint32_t bareprof_context_named(const char *name);

/*
 * For task switchers: switches to `context`, which an earlier call returned for this task, or if it is 0, to the
 * context with the task's name. Returns the number of the context; keep it with the task:
 *
 *	task->context = bareprof_context_enter(task->context, task->name);
 */
uint32_t bareprof_context_enter(uint32_t context, const char *name);

/*
 * The first line of an interrupt handler: the rest of the scope runs in this context, and the end of the scope restores
 * the previous one. If tasks were switched within the scope, as some kernels do in the handler itself, the end keeps
 * the context of the new task.
 *
 *	BAREPROF_IN_CONTEXT(interrupts);
 */
#define BAREPROF_IN_CONTEXT(context)                                                                     \
	__attribute__((cleanup(bareprof_scope_leave), unused)) struct bareprof_scope bareprof_in_scope = \
	        bareprof_scope_enter(context)

/* Used by BAREPROF_IN_CONTEXT only. */
struct bareprof_scope {
	uint32_t before;
	uint32_t entered;
};

#define BAREPROF_SCOPE_ATTRIBUTES __attribute__((always_inline, no_instrument_function, unused))
BAREPROF_SCOPE_ATTRIBUTES static inline struct bareprof_scope bareprof_scope_enter(uint32_t context)
{
	struct bareprof_scope scope;

	scope.entered = context < BAREPROF_CONTEXTS ? context : BAREPROF_CONTEXTS;
	scope.before = bareprof_context_switch(context);
	return scope;
}

BAREPROF_SCOPE_ATTRIBUTES static inline void bareprof_scope_leave(const struct bareprof_scope *scope)
{
	const uint32_t current = bareprof_context_restore(scope->before);

	if (current != scope->entered)
		bareprof_context_restore(current);
}
#endif

#if BAREPROF_CORES > 1
/* Define this yourself, uninstrumented: the number of the core that runs it, 0 to BAREPROF_CORES - 1. */
uint32_t bareprof_core_number(void);
#endif

/*
 * BAREPROF_TIMER_ISR(name, acknowledge) defines the interrupt handler `void name(void)`: it fetches the interrupted PC,
 * which a C function cannot, calls `void acknowledge(uint32_t clock_units)`, and files the sample. acknowledge clears
 * the timer's interrupt and sets the timer to fire clock_units after it last fired. If the timer uses a new period only
 * after it next fires, clock_units count from then. Never count from the current time: a late interrupt must not delay
 * later samples. acknowledge may be any C function, static or not; on RISC-V it must not use floating point. Keep it
 * uninstrumented.
 *
 * 	static void next_sample(uint32_t clock_units)
 * 	{
 * 		TIM7->ARR = clock_units - 1;    // preloaded: from the next update on
 * 		TIM7->SR = 0;
 * 	}
 * 	BAREPROF_TIMER_ISR(TIM7_IRQHandler, next_sample)
 *
 * BAREPROF_FIXED_TIMER_ISR(name, acknowledge) is for a timer that cannot be set while it runs: `void acknowledge(void)`
 * clears its interrupt. Most work repeats, and is then sampled at only a few of its phases. Times of functions can be
 * wrong by many times the errors that reports state, however long the profile is.
 */
#include <bareprof/timer_isr.h>

#ifdef __cplusplus
}
#endif

#endif
