/* SPDX-License-Identifier: MIT */
/* The inside of the recorder as far as <bareprof/bareprof.h>, which includes this, needs it: not for applications. */
#ifndef BAREPROF_LAYOUT_H
#define BAREPROF_LAYOUT_H

#include <bareprof/block.h>
#include <stdint.h>

/* An entry of the directory, which init copies to the block. */
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

/* The default range, which the linker fragment defines. The drop-in files (BAREPROF_DROP_IN) have another default, see
 * ranges.c. */
extern const char bareprof_text_start[];
extern const char bareprof_text_end[];

/* BAREPROF_DEFINE defines bareprof_hash_code(), so that the hash is linked only where it is used. Both get the header
 * that init prepares, with the ranges; so linking fails here, too, if the store needs one (BAREPROF_REQUIRE_RANGE). */
void bareprof_code_hash(void *header, uint32_t limit);
void bareprof_hash_code(void *header);

extern uint64_t bareprof_block[];
extern const struct bareprof_layout bareprof_layout;

/* Bins need the start and end of the code. In the drop-in files only .ranges gives them, so bins without .ranges refer
 * to an undefined symbol. At -O0 the compiler cannot evaluate the condition, so nothing is checked. */
#if !defined(__OPTIMIZE__) || !defined(BAREPROF_DROP_IN)
#define BAREPROF_REQUIRE_RANGE (void)0
#elif defined(__arm__)
#define BAREPROF_REQUIRE_RANGE __asm__ volatile(".reloc ., R_ARM_NONE, bareprof_bins_need_ranges")
#elif defined(__riscv)
#define BAREPROF_REQUIRE_RANGE __asm__ volatile(".reloc ., R_RISCV_NONE, bareprof_bins_need_ranges")
#else
#define BAREPROF_REQUIRE_RANGE (void)0
#endif

/* The configured period, in clock units; 0: unknown. BAREPROF_DEFINE defines the function, so that the compiler knows
 * the numbers and divides. */
uint32_t bareprof_period(void);
BAREPROF_INLINE uint32_t bareprof_period_of(const struct bareprof_config *config)
{
	return config->period == 0 && config->rate_hz != 0 ? config->clock_hz / config->rate_hz : config->period;
}

/* One function per store of samples. BAREPROF_DEFINE makes bareprof_tick() call the function of its store. */
#if BAREPROF_STACKS != 0
#define BAREPROF_IF_STACKS(...) __VA_ARGS__
#else
#define BAREPROF_IF_STACKS(...)
#endif
#define BAREPROF_TICK_PARAMETERS                                \
	uintptr_t pc, void (*acknowledge)(uint32_t clock_units) \
	                      BAREPROF_IF_STACKS(, const struct bareprof_interrupted *interrupted)
void bareprof_bins_tick(BAREPROF_TICK_PARAMETERS) BAREPROF_VARIES(bareprof_bins_tick);
void bareprof_wide_bins_tick(BAREPROF_TICK_PARAMETERS) BAREPROF_VARIES(bareprof_wide_bins_tick);
void bareprof_granules_tick(BAREPROF_TICK_PARAMETERS) BAREPROF_VARIES(bareprof_granules_tick);

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

/* Whether the arguments of BAREPROF_DEFINE begin with tables: the second one is then a store, which expands to eight
 * values in parentheses. */
#define BAREPROF_LAYOUT_FORM(first, second, ...)                                                           \
	BAREPROF_NINTH(BAREPROF_UNPACK second, BAREPROF_LAYOUT_WITH_TABLES, BAREPROF_LAYOUT_OF_OPTIONS,    \
	               BAREPROF_LAYOUT_OF_OPTIONS, BAREPROF_LAYOUT_OF_OPTIONS, BAREPROF_LAYOUT_OF_OPTIONS, \
	               BAREPROF_LAYOUT_OF_OPTIONS, BAREPROF_LAYOUT_OF_OPTIONS, BAREPROF_LAYOUT_OF_OPTIONS, )
#define BAREPROF_NINTH(...)                               BAREPROF_NINTH_OF(__VA_ARGS__)
#define BAREPROF_NINTH_OF(a, b, c, d, e, f, g, h, i, ...) i
#define BAREPROF_UNPACK(...)                              __VA_ARGS__
#define BAREPROF_LAYOUT_OF_OPTIONS(...)                   BAREPROF_LAYOUT_WITH_TABLES(BAREPROF_ARCS, BAREPROF_STORE, __VA_ARGS__)
#define BAREPROF_LAYOUT_WITH_TABLES(arcs, samples, ...) \
	BAREPROF_DEFINE_UNPACKED(arcs, BAREPROF_UNPACK samples, __VA_ARGS__)
#define BAREPROF_DEFINE_UNPACKED(...) BAREPROF_DEFINE_TABLES(__VA_ARGS__)
#define BAREPROF_DEFINE_TABLES(arcs, holds, kind, shift, samples, size, coarse, scaled, tick, ...)                    \
	BAREPROF_STATIC_ASSERT((arcs) >= 8 && (arcs) <= 65536 && BAREPROF_IS_POWER_OF_2(arcs),                        \
	                       "bareprof: arcs must be a power of two from 8 to 65,536");                             \
	__attribute__((section(BAREPROF_BLOCK_SECTION), aligned(8), used))                                            \
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
	BAREPROF_CODE(bareprof_period) uint32_t bareprof_period(void)                                                 \
	{                                                                                                             \
		return bareprof_period_of(&bareprof_layout.config);                                                   \
	}                                                                                                             \
	BAREPROF_DEFINE_HASH_CODE((scaled) == BAREPROF_DIRECTORY_SAMPLES)                                             \
	BAREPROF_DEFINE_TICK(tick)                                                                                    \
	BAREPROF_STATIC_ASSERT(holds,                                                                                 \
	                       "bareprof: numbers of the store are out of bounds, or it does not go with contexts")
#define BAREPROF_DEFINE_HASH_CODE(needs_range)                                     \
	BAREPROF_CODE(bareprof_hash_code) void bareprof_hash_code(void *header)    \
	{                                                                          \
		if ((needs_range) && bareprof_layout.config.ranges[0].end == NULL) \
			BAREPROF_REQUIRE_RANGE;                                    \
		BAREPROF_HASH_CODE;                                                \
	}
#if BAREPROF_HASH_BYTES != 0
#define BAREPROF_HASH_CODE bareprof_code_hash(header, BAREPROF_HASH_BYTES)
#else
#define BAREPROF_HASH_CODE (void)header
#endif

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
	BAREPROF_CODE(name) __attribute__((used)) void name parameters             \
	{                                                                          \
		tick(interrupted_pc, acknowledge, interrupted_or_null);            \
	}
#else
#define BAREPROF_STACKS_SECTIONS(items)
#define BAREPROF_DEFINE_TICK(tick)                                                                                    \
	BAREPROF_CODE(bareprof_tick)                                                                                  \
	__attribute__((used)) void bareprof_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units)) \
	{                                                                                                             \
		tick(interrupted_pc, acknowledge);                                                                    \
	}
#endif

#endif
