/* SPDX-License-Identifier: MIT */
/* bareprof_init(): turns RAM with any contents into a valid block. */
#include "build_id.h"
#include "counter.h"
#include "paths.h"
#include "random.h"
#include "recorder.h"

/*
 * Flash holds only the complement of the magic, so that a scan of memory for blocks does not find the program. The
 * barrier keeps the compiler from computing the magic.
 */
BAREPROF_INLINE void magic_write(uint32_t magic[2])
{
#define COMPLEMENT(character) (uint8_t)(0xFF ^ (character))
	static const uint8_t complement[BAREPROF_MAGIC_SIZE] __attribute__((aligned(4))) = {
	        COMPLEMENT('B'), COMPLEMENT('A'), COMPLEMENT('R'), COMPLEMENT('E'),
	        COMPLEMENT('P'), COMPLEMENT('R'), COMPLEMENT('O'), COMPLEMENT('F'),
	};
#undef COMPLEMENT
	const uint32_t *words = (const uint32_t *)(const void *)complement;
	uint32_t low = words[0];
	uint32_t high = words[1];

	__asm__("" : "+r"(low), "+r"(high));
	magic[0] = ~low;
	magic[1] = ~high;
}

BAREPROF_INLINE uint8_t core_number(void)
{
#if BAREPROF_CORES > 1
	return (uint8_t)(bareprof_layout.config.core + bareprof_core_number());
#else
	return bareprof_layout.config.core;
#endif
}

/* The header of an empty profile of this build, except for its gate. */
BAREPROF_INLINE void header_describe(struct header *fresh, const volatile struct header *block)
{
	const struct bareprof_config *config = &bareprof_layout.config;

	bareprof_memory_clear(fresh, sizeof *fresh);
	magic_write(fresh->magic);
	fresh->byte_order = BAREPROF_BYTE_ORDER_MARK;
	fresh->major = BAREPROF_FORMAT_MAJOR;
	fresh->minor = BAREPROF_FORMAT_MINOR;
	fresh->address_size = sizeof(uintptr_t);
	fresh->directory_count = BAREPROF_DIRECTORY_COUNT;
	fresh->header_size = HEADER_SIZE;
	fresh->block_address = (uintptr_t)block;
	fresh->block_size = bareprof_layout.block_size;
	fresh->clock_hz = config->clock_hz;
	fresh->period = bareprof_period();
	fresh->ticks_missed = ticks_missed_at_first();
	fresh->core = core_number();
	fresh->identity_size = build_id_read(fresh->identity);
	fresh->identity_kind = BAREPROF_IDENTITY_BUILD_ID;
#if BAREPROF_PATHS != 0
	fresh->table_count = (uint8_t)bareprof_paths_count_tables(fresh);
#endif
	bareprof_memory_copy(fresh->board, config->board, sizeof fresh->board);
	bareprof_memory_copy(fresh->directory, bareprof_layout.sections, sizeof fresh->directory);
	bareprof_ranges_describe(fresh);
	if (fresh->identity_size == 0)
		bareprof_hash_code(fresh);
}

/*
 * Compares the fields that the build determines, in two ranges: fields that a running profile changes lie between them,
 * private words after them. The random number is not compared. A block that differs, or was sampled at another rate
 * than the firmware now uses, is not continued. Nor is a block without an identity, because another build can have the
 * same fields, nor one that was being cleared when the core was reset, because it should have been empty.
 *
 * The upper bits of the random number are cleared, so that it gives exactly the period with which the firmware starts
 * its timer: the first tick may be timed. The lower bits are kept, so that the distances are not the same after every
 * reset.
 */
BAREPROF_INLINE bool block_is_of_this_build(volatile struct header *block, struct header *fresh)
{
	const uint32_t fixed_again = offsetof(struct header, identity_kind);

	fresh->random = block->random = random_of_period(block->random);
#if BAREPROF_PATHS != 0
	if (block->stack_totals[BAREPROF_STACK_TOTAL_TABLE_CRC] != bareprof_paths_table_crc(fresh))
		return false;
#endif
	return (bareprof_memory_difference(block, fresh, offsetof(struct header, gate)) |
	        bareprof_memory_difference((const volatile uint8_t *)block + fixed_again,
	                                   (const uint8_t *)fresh + fixed_again,
	                                   offsetof(struct header, trigger) - fixed_again)) == 0 &&
	       fresh->identity_size != 0 && block_state(block) < BAREPROF_STATE_CLEARING;
}

/*
 * The gate is invalidated first, so that interrupts neither record in a half-written block nor serve its requests. This
 * function reads nothing from the block.
 */
BAREPROF_INLINE void block_begin(volatile struct header *block, struct header *fresh)
{
	block->gate = 0;
	bareprof_memory_clear(block, bareprof_layout.block_size);
	fresh->random = 0;
	bareprof_memory_copy(block, fresh, sizeof *fresh);
}

BAREPROF_INLINE void block_continue(volatile struct header *block)
{
#if BAREPROF_CONTEXTS != 0
	block->context = 0;
#endif
	bareprof_counter_increment(&block->reset_count);
}

/* The gate is written last, when everything that the recorder and the timers read is valid. */
BAREPROF_CODE(bareprof_init) void bareprof_init(void)
{
	volatile struct header *block = block_header();
	const struct bareprof_config *config = &bareprof_layout.config;
	struct header fresh;

	header_describe(&fresh, block);
	if ((config->is_cold_start != NULL && config->is_cold_start()) || !block_is_of_this_build(block, &fresh))
		block_begin(block, &fresh);
	else
		block_continue(block);
#if BAREPROF_PATHS != 0
	block->stack_totals[BAREPROF_STACK_TOTAL_TABLE_CRC] = bareprof_paths_table_crc(block);
#endif
	block->gate = BAREPROF_GATE((uintptr_t)block, BAREPROF_STATE_STOPPED);
}
