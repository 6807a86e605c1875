/* SPDX-License-Identifier: MIT */
/* See memory.h. */
#include "memory.h"

#include "../random.h"

#include <bareprof/bareprof.h>
#include <stdio.h>
#include <string.h>

#define ARCS        256u
#define GRANULES    512u
#define COARSE      440u /* so that the block has 16 KiB */
#define TEXT_SIZE   0x10000u
#define MEMORY_SIZE 0x40000u

#define GRANULES_OFFSET BAREPROF_SAMPLES_OFFSET(ARCS)
#define COARSE_OFFSET   BAREPROF_COARSE_OFFSET(ARCS, GRANULES, BAREPROF_GRANULE_SIZE)
#define BLOCK_SIZE      BAREPROF_BLOCK_BYTES(ARCS, GRANULES, BAREPROF_GRANULE_SIZE, COARSE)

__attribute__((aligned(64), used)) uint8_t memory[MEMORY_SIZE];
__attribute__((used)) const char bareprof_text_start[TEXT_SIZE] = {0};
__attribute__((used)) uint32_t memory_note[9] = {4, 20, 3, 0x00554E47, 1, 2, 3, 4, 5};

/* Like the layout that BAREPROF_DEFINE defines, but writable: `block:FILE` changes the size. */
__attribute__((used)) struct bareprof_layout memory_layout = {
        .block = bareprof_block,
        .arc_mask = 4 * (ARCS - 1),
        .block_size = BLOCK_SIZE,
        .sections = {{BAREPROF_SECTION_RANGES, 0, 2 * sizeof(uintptr_t), BAREPROF_RANGES_OFFSET,
                      BAREPROF_RANGE_CAPACITY, BAREPROF_RANGE_CAPACITY},
                     {BAREPROF_SECTION_GRANULES, 3, BAREPROF_GRANULE_SIZE, GRANULES_OFFSET, GRANULES, GRANULES},
                     {BAREPROF_SECTION_ARCS, 0, BAREPROF_ARC_SIZE, BAREPROF_ARCS_OFFSET, ARCS, ARCS},
                     {BAREPROF_SECTION_COARSE, 0, 4, COARSE_OFFSET, COARSE, COARSE}},
        .scaled_entry = BAREPROF_OFFSET_DIRECTORY + BAREPROF_DIRECTORY_COARSE * BAREPROF_ENTRY_SIZE,
        .scaled_capacity = COARSE,
        .config = {.board = "native", .clock_hz = 1000000, .period = 1000},
};

uint32_t bareprof_period(void)
{
	return bareprof_period_of(&memory_layout.config);
}

/* There is a build-id. */
void bareprof_hash_code(void *header)
{
	(void)header;
}

__asm__(".globl bareprof_block\n.set bareprof_block, memory\n"
        ".globl bareprof_layout\n.set bareprof_layout, memory_layout\n"
        ".globl bareprof_text_end\n.set bareprof_text_end, bareprof_text_start + 65536\n"
        ".globl bareprof_build_id_start\n.set bareprof_build_id_start, memory_note\n"
        ".globl bareprof_build_id_end\n.set bareprof_build_id_end, memory_note + 36\n");

void bareprof_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units))
{
	bareprof_granules_tick(interrupted_pc, acknowledge);
}

static uint32_t random_state;

static uint32_t random_word(void)
{
	return random_next(&random_state);
}

/* An address in the text. Low addresses are more likely: some code is hot. */
static uintptr_t random_address(void)
{
	const uint32_t word = random_word();
	const unsigned cold = (unsigned)__builtin_ctz(word | 0x100) / 2;

	return (uintptr_t)bareprof_text_start + (word >> 16) % (TEXT_SIZE >> (4 - cold)) / 2 * 2;
}

static void call_and_sample(unsigned calls, unsigned samples)
{
	for (unsigned i = 0; i < calls; i++)
		bareprof_arc(random_address(), random_address() & ~(uintptr_t)0x3F);
	for (unsigned i = 0; i < samples; i++)
		bareprof_sample(random_address());
}

static void record(unsigned calls, unsigned samples)
{
	memory_layout.block_size = BLOCK_SIZE;
	bareprof_init();
	bareprof_start();
	call_and_sample(calls, samples);
}

static void fill_tables(void)
{
	for (size_t i = BAREPROF_ARCS_OFFSET; i < BLOCK_SIZE; i++)
		memory[i] = (uint8_t)(random_word() % 255 + 1);
	/* The top byte of a granule number is small: its address must exist. */
	for (size_t i = 0; i < GRANULES; i++)
		memory[GRANULES_OFFSET + i * BAREPROF_GRANULE_SIZE + 7] = (uint8_t)(random_word() % 31 + 1);
}

static uint32_t word_at(size_t offset)
{
	uint32_t word;

	memcpy(&word, memory + offset, sizeof word);
	return word;
}

static void set_word(size_t offset, uint32_t word)
{
	memcpy(memory + offset, &word, sizeof word);
}

/* The gate encodes the state relative to the address, which is below 4 GiB since the target is not a PIE. */
static void move_block(void)
{
	const uint32_t state = word_at(BAREPROF_OFFSET_GATE) + word_at(BAREPROF_OFFSET_BLOCK_ADDRESS);
	const uint32_t address = (uint32_t)(uintptr_t)memory;

	set_word(BAREPROF_OFFSET_BLOCK_ADDRESS, address);
	set_word(BAREPROF_OFFSET_BLOCK_ADDRESS + 4, 0);
	set_word(BAREPROF_OFFSET_GATE, BAREPROF_GATE(address, state));
}

static bool fill_from(const char *path)
{
	FILE *file = fopen(path, "rb");
	const size_t size = file != NULL ? fread(memory, 1, MEMORY_SIZE, file) : 0;

	if (file != NULL)
		fclose(file);
	memory_layout.block_size = word_at(BAREPROF_OFFSET_BLOCK_SIZE);
	if (size < BAREPROF_OFFSET_RANGES || memory_layout.block_size > size ||
	    memcmp(memory, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE) != 0)
		return false;
	move_block();
	return true;
}

bool memory_fill(const char *content, uint32_t seed)
{
	random_state = random_state_of(seed);
	if (strncmp(content, "block:", 6) == 0)
		return fill_from(content + 6);
	if (strcmp(content, "empty") == 0 || strcmp(content, "random") == 0)
		record(0, 0);
	else if (strcmp(content, "sparse") == 0)
		record(ARCS / 20, GRANULES / 20);
	else if (strcmp(content, "full") == 0 || strcmp(content, "running") == 0)
		record(64 * ARCS, 64 * GRANULES + random_word() % 4096); /* the number of ticks depends on the seed */
	else
		return false;
	if (strcmp(content, "running") != 0)
		bareprof_stop();
	if (strcmp(content, "random") == 0)
		fill_tables();
	return true;
}

void memory_garble(uint32_t seed)
{
	random_state = random_state_of(~seed);
	for (size_t i = 0; i < MEMORY_SIZE; i += 4)
		set_word(i, random_word());
}

void memory_tick(void)
{
	call_and_sample(3, 1);
}

size_t memory_size(void)
{
	return memory_layout.block_size;
}

const uint8_t *memory_bytes(void)
{
	return memory;
}
