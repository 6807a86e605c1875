/* SPDX-License-Identifier: MIT */
/* From RAM that may hold anything to a valid block. Knows nothing of recording. */
#include "counter.h"
#include "recorder.h"

/*
 * Words of the header that a running profile changes, a bit for each; all others are fixed by the build. A block that
 * differs in one of those, or that was being sampled at another rate than this start of the firmware will sample at, is
 * not continued. What stands behind the ranges is private.
 */
#define WORD(field) (offsetof(struct header, field) / 4)
#define BIT(word)   (UINT64_C(1) << (word))
#define USED(place) (WORD(directory) + ((place)*BAREPROF_ENTRY_SIZE + BAREPROF_ENTRY_USED) / 4)
#define WORDS       (HEADER_SIZE / 4)
#define FIXED_WORDS WORD(trigger_start)
#define CHANGING                                                                                   \
	((BIT(WORD(clock_hz)) - BIT(WORD(gate))) | (BIT(WORD(saturated) + 1) - BIT(WORD(ticks))) | \
	 BIT(WORD(left_to_clear)) | BIT(USED(BAREPROF_DIRECTORY_SAMPLES)) | BIT(USED(BAREPROF_DIRECTORY_ARCS)))
_Static_assert(USED(BAREPROF_DIRECTORY_ARCS) < 64 && WORD(directory) == BAREPROF_OFFSET_DIRECTORY / 4,
               "a changing word has no bit");

static const uint32_t changing[2 + FIXED_WORDS / 64] = {(uint32_t)CHANGING, (uint32_t)(CHANGING >> 32)};

/* The magic lies in flash as its complement only: whoever scans memory for blocks must not find the program. The
 * barrier keeps the compiler from working it out. */
static void magic_write(uint32_t magic[2])
{
#define COMPLEMENT(character) (uint8_t)(0xFF ^ (character))
	static const uint8_t complement[BAREPROF_MAGIC_SIZE] __attribute__((aligned(4))) = {
	        COMPLEMENT('B'), COMPLEMENT('A'), COMPLEMENT('R'), COMPLEMENT('E'),
	        COMPLEMENT('P'), COMPLEMENT('R'), COMPLEMENT('O'), COMPLEMENT('F'),
	};
#undef COMPLEMENT
	uint32_t low = ((const uint32_t *)complement)[0];
	uint32_t high = ((const uint32_t *)complement)[1];

	__asm__("" : "+r"(low), "+r"(high));
	magic[0] = ~low;
	magic[1] = ~high;
}

static uint8_t core_number(void)
{
#if BAREPROF_CORES > 1
	return (uint8_t)(bareprof_layout.config.core + bareprof_core_number());
#else
	return bareprof_layout.config.core;
#endif
}

/* Both names begin at words, and are copied as these. */
struct board {
	uint32_t words[BAREPROF_BOARD_CAPACITY / 4];
};

/* The header of an empty profile of this build that is stopped. */
static void header_describe(struct header *fresh, const volatile struct header *block)
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
	fresh->gate = BAREPROF_GATE((uintptr_t)block, BAREPROF_STATE_STOPPED);
	*(struct board *)fresh->board = *(const struct board *)config->board;
	fresh->clock_hz = config->clock_hz;
	fresh->period = config->period;
	if (!config->counts_missed_ticks)
		fresh->ticks_missed = BAREPROF_UNKNOWN;
	fresh->core = core_number();
	fresh->identity_size = bareprof_identity_read(fresh->identity);
	fresh->identity_kind = fresh->identity_size != 0 ? BAREPROF_IDENTITY_BUILD_ID : BAREPROF_IDENTITY_NONE;
	fresh->dither = 1;
	for (uint32_t i = 0; i < BAREPROF_DIRECTORY_COUNT; i++)
		fresh->directory[i].fixed = bareprof_layout.sections[i];
	bareprof_ranges_describe(fresh);
#if BAREPROF_CONTEXTS != 0
	fresh->directory[BAREPROF_DIRECTORY_CONTEXTS].used =
	        bareprof_layout.sections[BAREPROF_DIRECTORY_CONTEXTS].capacity;
#endif
}

/* Nor is one continued of which the reset of the core cut a reset short: it was to be empty. */
static bool block_is_of_this_build(const volatile struct header *block, const struct header *fresh)
{
	const volatile uint32_t *left = (const volatile uint32_t *)block;
	const uint32_t *right = (const uint32_t *)fresh;

	for (uint32_t word = 0; word < FIXED_WORDS; word++)
		if (left[word] != right[word] && (changing[word / 32] >> word % 32 & 1u) == 0)
			return false;
	return block_state(block) < BAREPROF_STATE_CLEARING;
}

/* The gate closes first, the magic comes last, so that nobody records in a block that is half written or takes it for
 * one. Nothing is read. */
static void block_begin(volatile struct header *block, const struct header *fresh)
{
	const uint32_t *source = (const uint32_t *)fresh;
	volatile uint32_t *word = (volatile uint32_t *)block;

	block->gate = fresh->gate;
	bareprof_memory_clear(block, bareprof_layout.block_size);
	for (uint32_t i = WORDS; i-- != 0;)
		word[i] = source[i];
}

static void block_continue(volatile struct header *block, const struct header *fresh)
{
	const uint32_t scaled = bareprof_layout.scaled_section;

	block->gate = fresh->gate;
	block->directory[scaled].used = fresh->directory[scaled].used;
	bareprof_counter_increment(&block->reset_count);
}

void bareprof_init(void)
{
	volatile struct header *block = block_header();
	struct header fresh;

	header_describe(&fresh, block);
	if ((bareprof_layout.config.is_cold_start == NULL || !bareprof_layout.config.is_cold_start()) &&
	    block_is_of_this_build(block, &fresh))
		block_continue(block, &fresh);
	else
		block_begin(block, &fresh);
}
