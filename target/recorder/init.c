/* SPDX-License-Identifier: MIT */
/* From RAM that may hold anything to a valid block. Knows nothing of recording. */
#include "counter.h"
#include "memory.h"
#include "recorder.h"

/*
 * Words of the header that a running profile changes; all others are fixed by the build. A block that differs in one of
 * those, or that was being sampled at another rate than this start of the firmware will sample at, is not continued.
 */
#define WORD(field)       (offsetof(struct header, field) / 4)
#define WORDS             (HEADER_SIZE / 4)
#define USED_WORD(number) (WORD(directory) + ((number)*BAREPROF_ENTRY_SIZE + BAREPROF_ENTRY_USED) / 4)

static bool word_changes(uint32_t word)
{
	return (word >= WORD(gate) && word < WORD(clock_hz)) || (word >= WORD(ticks) && word <= WORD(saturated)) ||
	       word == WORD(cleared) || word == USED_WORD(DIRECTORY_ARCS) ||
	       (word == USED_WORD(DIRECTORY_SAMPLES) && bareprof_layout.coarse_capacity != 0) ||
	       word >= WORD(trigger_start);
}

/* The magic lies in flash as its complement only: whoever scans memory for blocks must not find the program. The
 * barrier keeps the compiler from working it out. */
static void magic_write(volatile uint8_t *magic)
{
#define COMPLEMENT(character) (uint8_t)(0xFF ^ (character))
	static const uint8_t complement[BAREPROF_MAGIC_SIZE] = {
	        COMPLEMENT('B'), COMPLEMENT('A'), COMPLEMENT('R'), COMPLEMENT('E'),
	        COMPLEMENT('P'), COMPLEMENT('R'), COMPLEMENT('O'), COMPLEMENT('F'),
	};
#undef COMPLEMENT
	for (uint32_t i = 0; i < BAREPROF_MAGIC_SIZE; i++) {
		uint32_t byte = complement[i];

		__asm__("" : "+r"(byte));
		magic[i] = (uint8_t)~byte;
	}
}

static void board_copy(volatile char *to, const char *board)
{
	for (uint32_t i = 0; board != NULL && board[i] != '\0' && i < BAREPROF_BOARD_CAPACITY - 1; i++)
		to[i] = board[i];
}

static uint8_t core_number(void)
{
#if BAREPROF_CORES > 1
	return (uint8_t)(bareprof_layout.config.core + bareprof_core_number());
#else
	return bareprof_layout.config.core;
#endif
}

/* The header of an empty profile of this build that is stopped. */
static void header_describe(volatile struct header *fresh, const volatile struct header *block)
{
	const struct bareprof_config *config = &bareprof_layout.config;

	memory_clear_words(fresh, sizeof *fresh);
	magic_write(fresh->magic);
	fresh->byte_order = BAREPROF_BYTE_ORDER_MARK;
	fresh->major = BAREPROF_FORMAT_MAJOR;
	fresh->minor = BAREPROF_FORMAT_MINOR;
	fresh->address_size = sizeof(uintptr_t);
	fresh->directory_count = DIRECTORY_COUNT;
	fresh->header_size = HEADER_SIZE;
	fresh->block_address = (uintptr_t)block;
	fresh->block_size = bareprof_layout.block_size;
	fresh->gate = GATE_CLOSED(block);
	fresh->state = BAREPROF_STATE_STOPPED;
	fresh->clock_hz = config->clock_hz;
	fresh->period = config->period;
	fresh->ticks_missed = config->counts_missed_ticks ? 0 : BAREPROF_UNKNOWN;
	fresh->core = core_number();
	fresh->identity_size = bareprof_identity_read(fresh->identity);
	fresh->identity_kind = fresh->identity_size != 0 ? BAREPROF_IDENTITY_BUILD_ID : BAREPROF_IDENTITY_NONE;
	fresh->dither = 1;
	board_copy(fresh->board, config->board);
	bareprof_ranges_describe(fresh);
	bareprof_layout.describe_samples(fresh);
	section_describe(&fresh->directory[DIRECTORY_ARCS], BAREPROF_SECTION_ARCS, sizeof(struct arc),
	                 (uint32_t)HEADER_SIZE + block_names_size(), block_arc_capacity());
#if BAREPROF_CONTEXTS != 0
	fresh->directory[DIRECTORY_ARCS].parameter = BAREPROF_ARC_CONTEXT;
	section_describe(&fresh->directory[DIRECTORY_CONTEXTS], BAREPROF_SECTION_CONTEXTS, sizeof(struct context_name),
	                 HEADER_SIZE, bareprof_layout.context_capacity);
	fresh->directory[DIRECTORY_CONTEXTS].used = bareprof_layout.context_capacity;
#endif
}

static bool block_is_of_this_build(const volatile struct header *block, const volatile struct header *fresh)
{
	const volatile uint32_t *left = (const volatile uint32_t *)block;
	const volatile uint32_t *right = (const volatile uint32_t *)fresh;

	for (uint32_t word = 0; word < WORDS; word++)
		if (left[word] != right[word] && !word_changes(word))
			return false;
	return block->state - 1 < 8;
}

/* From its end to its start: the magic goes first and comes last, so that nobody takes a block that is half written for
 * one. Nothing is read. */
static void block_begin(volatile struct header *block, const volatile struct header *fresh)
{
	const volatile uint32_t *source = (const volatile uint32_t *)fresh;
	volatile uint32_t *word = (volatile uint32_t *)block;

	memory_clear_words(block, bareprof_layout.block_size);
	for (uint32_t i = WORDS; i-- != 0;)
		word[i] = source[i];
}

/* A reset of the profile that the reset of the core cut short is finished at once: nothing records yet. */
static void block_continue(volatile struct header *block)
{
	block->gate = GATE_CLOSED(block);
	while (bareprof_clear_is_under_way(block))
		bareprof_clear_step(block);
	bareprof_stop();
	counter_increment(&block->reset_count);
}

void bareprof_init(void)
{
	volatile struct header *block = block_header();
	int (*is_cold_start)(void) = bareprof_layout.config.is_cold_start;
	struct header fresh;

	header_describe(&fresh, block);
	if ((is_cold_start == NULL || !is_cold_start()) && block_is_of_this_build(block, &fresh))
		block_continue(block);
	else
		block_begin(block, &fresh);
}
