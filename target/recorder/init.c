/* SPDX-License-Identifier: MIT */
/* From RAM that may hold anything to a valid block. Knows nothing of recording. */
#include "counter.h"
#include "memory.h"
#include "recorder.h"

#define ENTRY_OFFSET(index) (BAREPROF_OFFSET_DIRECTORY + (index)*BAREPROF_ENTRY_SIZE)

/* What is fixed by the build, as stretches of the header. A block that differs in any of it, or that was being sampled
 * at another rate than this start of the firmware will sample at, is not continued. */
static const struct stretch {
	uint16_t start;
	uint16_t end;
} build_stretches[] = {
        {BAREPROF_OFFSET_BYTE_ORDER, BAREPROF_OFFSET_GATE},
        {BAREPROF_OFFSET_CLOCK_HZ, BAREPROF_OFFSET_TICKS},
        {BAREPROF_OFFSET_IDENTITY_KIND, BAREPROF_OFFSET_CLEARED},
        {ENTRY_OFFSET(0), ENTRY_OFFSET(DIRECTORY_ARCS) + BAREPROF_ENTRY_USED},
        {ENTRY_OFFSET(DIRECTORY_ARCS + 1), HEADER_SIZE},
};

/* The magic lies in flash as its complement only: whoever scans memory for blocks must not find the program. The
 * barrier keeps the compiler from working it out. */
static uint8_t magic_byte(uint32_t index)
{
#define COMPLEMENT(character) (uint8_t)(0xFF ^ (character))
	static const uint8_t complement[BAREPROF_MAGIC_SIZE] = {
	        COMPLEMENT('B'), COMPLEMENT('A'), COMPLEMENT('R'), COMPLEMENT('E'),
	        COMPLEMENT('P'), COMPLEMENT('R'), COMPLEMENT('O'), COMPLEMENT('F'),
	};
#undef COMPLEMENT
	uint32_t byte = complement[index];

	__asm__("" : "+r"(byte));
	return (uint8_t)~byte;
}

static bool magic_is_there(const volatile struct header *header)
{
	for (uint32_t i = 0; i < BAREPROF_MAGIC_SIZE; i++)
		if (header->magic[i] != magic_byte(i))
			return false;
	return true;
}

static void board_copy(volatile char *to, const char *board)
{
	for (uint32_t i = 0; board != NULL && board[i] != '\0' && i < BAREPROF_BOARD_CAPACITY - 1; i++)
		to[i] = board[i];
}

static void arcs_describe(volatile struct section *arcs)
{
	arcs->kind = BAREPROF_SECTION_ARCS;
	arcs->item_size = sizeof(struct arc);
	arcs->offset = HEADER_SIZE;
	arcs->capacity = bareprof_layout.arc_capacity;
}

/* The header of an empty profile of this build, all but the magic and the gate. */
static void header_describe(volatile struct header *header)
{
	const struct bareprof_config *config = &bareprof_layout.config;

	memory_clear_words(header, sizeof *header);
	header->byte_order = BAREPROF_BYTE_ORDER_MARK;
	header->major = BAREPROF_FORMAT_MAJOR;
	header->minor = BAREPROF_FORMAT_MINOR;
	header->address_size = sizeof(uintptr_t);
	header->directory_count = DIRECTORY_COUNT;
	header->header_size = HEADER_SIZE;
	header->block_address = (uintptr_t)bareprof_block;
	header->block_size = bareprof_layout.block_size;
	header->gate = GATE_INVALID;
	header->state = BAREPROF_STATE_STOPPED;
	header->clock_hz = config->clock_hz;
	header->period = config->period;
	header->ticks_missed = config->counts_missed_ticks ? 0 : BAREPROF_UNKNOWN;
	header->core = config->core;
	header->identity_size = bareprof_identity_read(header->identity);
	header->identity_kind = header->identity_size != 0 ? BAREPROF_IDENTITY_BUILD_ID : BAREPROF_IDENTITY_NONE;
	board_copy(header->board, config->board);
	bareprof_ranges_describe(header);
	arcs_describe(&header->directory[DIRECTORY_ARCS]);
}

static bool block_is_of_this_build(const volatile struct header *block, const volatile struct header *fresh)
{
	if (!magic_is_there(block) || block->state < BAREPROF_STATE_STOPPED ||
	    block->state > BAREPROF_STATE_CLEARING_TO_RUN)
		return false;
	for (uint32_t i = 0; i < sizeof build_stretches / sizeof *build_stretches; i++) {
		const struct stretch stretch = build_stretches[i];

		if (!memory_is_equal((const volatile uint8_t *)block + stretch.start,
		                     (const volatile uint8_t *)fresh + stretch.start, stretch.end - stretch.start))
			return false;
	}
	return true;
}

/* The magic goes first and comes last: nobody takes a block that is half written for one. */
static void block_begin(volatile struct header *block, const volatile struct header *fresh)
{
	memory_clear_words(block->magic, BAREPROF_MAGIC_SIZE);
	block->gate = GATE_INVALID;
	memory_clear_words((volatile uint8_t *)block + BAREPROF_OFFSET_GATE + 4,
	                   bareprof_layout.block_size - BAREPROF_OFFSET_GATE - 4);
	memory_copy(&block->byte_order, &fresh->byte_order, HEADER_SIZE - BAREPROF_OFFSET_BYTE_ORDER);
	block->gate = block_gate_closed();
	for (uint32_t i = 0; i < BAREPROF_MAGIC_SIZE; i++)
		block->magic[i] = magic_byte(i);
}

/* A reset of the profile that the reset of the core cut short is finished at once: nothing records yet. */
static void block_continue(volatile struct header *block)
{
	block->gate = block_gate_closed();
	while (bareprof_clear_is_under_way())
		bareprof_clear_step();
	bareprof_state_change(STATE_BIT_RUNNING, 0);
	counter_add(&block->reset_count, 1);
}

void bareprof_init(void)
{
	struct header fresh;

	header_describe(&fresh);
	if (block_is_of_this_build(block_header(), &fresh))
		block_continue(block_header());
	else
		block_begin(block_header(), &fresh);
}
