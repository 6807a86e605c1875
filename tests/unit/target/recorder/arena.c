/* SPDX-License-Identifier: MIT */
/* The RAM that the tests of the recorder run in; see arena.h. */
#include "arena.h"

#include "../../../random.h"
#include "test.h"

#include <string.h>

#define ARENA_SIZE   (1u << 17)
#define BLOCK_OFFSET (1u << 14)

__attribute__((aligned(64), used)) uint8_t arena[ARENA_SIZE];
__attribute__((used)) struct bareprof_layout arena_layout;
__attribute__((used)) uint32_t arena_note[9];
__attribute__((used)) const char bareprof_text_start[ARENA_TEXT_SIZE] = {0};

/* The symbols that a linker script would define. To the recorder they are const objects of unknown size. */
__asm__(".globl bareprof_block\n.set bareprof_block, arena + 16384\n"
        ".globl bareprof_layout\n.set bareprof_layout, arena_layout\n"
        ".globl bareprof_text_end\n.set bareprof_text_end, bareprof_text_start + 4096\n"
        ".globl bareprof_build_id_start\n.set bareprof_build_id_start, arena_note\n"
        ".globl bareprof_build_id_end\n.set bareprof_build_id_end, arena_note + 36\n");

void (*arena_tick)(BAREPROF_TICK_PARAMETERS);
uint32_t arena_hash_bytes;

void bareprof_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units))
{
	arena_tick(interrupted_pc, acknowledge BAREPROF_IF_STACKS(, NULL));
}

uint32_t bareprof_period(void)
{
	return bareprof_period_of(&arena_layout.config);
}

void bareprof_hash_code(void *header)
{
	if (arena_hash_bytes != 0)
		bareprof_code_hash(header, arena_hash_bytes);
}

#if BAREPROF_STACKS != 0
void bareprof_stack_tick(uintptr_t interrupted_pc, void (*acknowledge)(uint32_t clock_units),
                         const struct bareprof_interrupted *interrupted)
{
	arena_tick(interrupted_pc, acknowledge, interrupted);
}

static void lay_out_slices(uint32_t items)
{
	const struct bareprof_section sections[] = {BAREPROF_STACKS_SECTIONS(items)};

	arena_layout.sections[BAREPROF_DIRECTORY_SLICES] = sections[0];
	arena_layout.sections[BAREPROF_DIRECTORY_TOTALS] = sections[1];
#if BAREPROF_STACK_FILTER != 0
	arena_layout.stack_bytes = BAREPROF_STACK_BYTES;
#endif
}
#endif

static uint8_t remembered[ARENA_SIZE];
static uint32_t random_state = 1;

static void note_fill(void)
{
	arena_note[0] = 4;
	arena_note[1] = 20;
	arena_note[2] = 3;
	memcpy(&arena_note[3], "GNU", 4);
	for (unsigned i = 4; i < 9; i++)
		arena_note[i] = 0x01020304u * i;
}

void arena_begin(uint32_t arcs, uint32_t bins)
{
	memset(arena, 0, sizeof arena);
	note_fill();
	arena_layout = (struct bareprof_layout){
	        .block = bareprof_block,
	        .sections = {[BAREPROF_DIRECTORY_RANGES] = {BAREPROF_SECTION_RANGES, 0, 2 * sizeof(uintptr_t),
	                                                    BAREPROF_RANGES_OFFSET, BAREPROF_RANGE_CAPACITY,
	                                                    BAREPROF_RANGE_CAPACITY},
	                     [BAREPROF_DIRECTORY_COARSE] = {0},
	                     BAREPROF_CONTEXTS_SECTION},
	        .config = {.board = "native", .clock_hz = 1000, .period = 10},
	};
	arena_use_bins(arcs, bins);
}

static void lay_out(uint32_t arcs, struct bareprof_section samples, uint32_t coarse)
{
	const uint32_t size = samples.item_size;

	arena_layout.arc_mask = 4 * (arcs - 1);
	arena_layout.sections[BAREPROF_DIRECTORY_ARCS] =
	        (struct bareprof_section){BAREPROF_SECTION_ARCS,
	                                  BAREPROF_CONTEXTS != 0 ? BAREPROF_ARC_CONTEXT : 0,
	                                  BAREPROF_ARC_SIZE,
	                                  BAREPROF_ARCS_OFFSET,
	                                  arcs,
	                                  arcs};
	samples.offset = (uint32_t)BAREPROF_SAMPLES_OFFSET(arcs);
	arena_layout.sections[BAREPROF_DIRECTORY_SAMPLES] = samples;
	arena_layout.sections[BAREPROF_DIRECTORY_COARSE] = (struct bareprof_section){
	        coarse != 0 ? BAREPROF_SECTION_COARSE : BAREPROF_SECTION_UNUSED, 0,      4,
	        (uint32_t)BAREPROF_COARSE_OFFSET(arcs, samples.capacity, size),  coarse, coarse};
	const unsigned scaled = coarse != 0 ? BAREPROF_DIRECTORY_COARSE : BAREPROF_DIRECTORY_SAMPLES;
	arena_layout.scaled_entry = BAREPROF_OFFSET_DIRECTORY + scaled * BAREPROF_ENTRY_SIZE;
	arena_layout.scaled_capacity = arena_layout.sections[scaled].capacity;
	arena_layout.block_size = (uint32_t)BAREPROF_BLOCK_BYTES(arcs, samples.capacity, size, coarse);
#if BAREPROF_STACKS != 0
	lay_out_slices((uint32_t)BAREPROF_TABLES_END(arcs, samples.capacity, size, coarse));
#endif
	assert_true(arena_layout.block_size <= ARENA_SIZE - 2 * BLOCK_OFFSET);
}

void arena_use_bins(uint32_t arcs, uint32_t bins)
{
	lay_out(arcs, (struct bareprof_section){BAREPROF_SECTION_BINS, 0, 2, 0, bins, bins}, 0);
	arena_tick = bareprof_bins_tick;
}

void arena_use_wide_bins(uint32_t arcs, uint32_t bins)
{
	lay_out(arcs, (struct bareprof_section){BAREPROF_SECTION_BINS, 0, 4, 0, bins, bins}, 0);
	arena_tick = bareprof_wide_bins_tick;
}

void arena_use_granules(uint32_t arcs, uint32_t granules, uint8_t shift, uint32_t coarse)
{
	lay_out(arcs,
	        (struct bareprof_section){BAREPROF_SECTION_GRANULES, shift, BAREPROF_GRANULE_SIZE, 0, granules,
	                                  granules},
	        coarse);
	arena_tick = bareprof_granules_tick;
}

uint32_t arena_arc_capacity(void)
{
	return arena_layout.arc_mask / 4 + 1;
}

void arena_set_range(unsigned index, uintptr_t start, uintptr_t end)
{
	arena_layout.config.ranges[index] = (struct bareprof_range){(const char *)start, (const char *)end};
}

void arena_init_and_start(void)
{
	bareprof_init();
	bareprof_start();
}

void arena_begin_running(uint32_t arcs, uint32_t bins)
{
	arena_begin(arcs, bins);
	arena_init_and_start();
}

void arena_seed(uint32_t seed)
{
	random_state = seed * 2654435761u + 1u;
}

uint32_t arena_random(void)
{
	return random_next(&random_state);
}

void arena_fill_random(uint32_t seed)
{
	arena_seed(seed | 1u);
	for (size_t i = 0; i < sizeof arena; i += 4) {
		uint32_t word = arena_random();

		memcpy(arena + i, &word, sizeof word);
	}
}

void arena_remember(void)
{
	memcpy(remembered, arena, sizeof arena);
}

bool arena_is_as_remembered(void)
{
	return memcmp(remembered, arena, sizeof arena) == 0;
}

bool arena_is_untouched_outside_block(void)
{
	size_t end = BLOCK_OFFSET + arena_layout.block_size;

	return memcmp(remembered, arena, BLOCK_OFFSET) == 0 &&
	       memcmp(remembered + end, arena + end, sizeof arena - end) == 0;
}

uint8_t *arena_bytes(uint32_t offset)
{
	return arena + BLOCK_OFFSET + offset;
}

uint32_t arena_word(uint32_t offset)
{
	uint32_t word;

	memcpy(&word, arena_bytes(offset), sizeof word);
	return word;
}

void arena_set_word(uint32_t offset, uint32_t value)
{
	memcpy(arena_bytes(offset), &value, sizeof value);
}

uint32_t arena_state(void)
{
	return arena_word(BAREPROF_OFFSET_GATE) - BAREPROF_GATE((uintptr_t)arena_bytes(0), 0);
}

void arena_set_state(uint32_t state)
{
	arena_set_word(BAREPROF_OFFSET_GATE, BAREPROF_GATE((uintptr_t)arena_bytes(0), state));
}

uint16_t arena_half(uint32_t offset)
{
	uint16_t half;

	memcpy(&half, arena_bytes(offset), sizeof half);
	return half;
}

void arena_request(uint32_t sequence, uint32_t command, uint32_t argument)
{
	arena_set_word(BAREPROF_OFFSET_CONTROL_ARGUMENT, argument);
	arena_set_word(BAREPROF_OFFSET_CONTROL_REQUEST, BAREPROF_REQUEST(sequence, command));
}

uint32_t arena_entry(unsigned kind)
{
	for (uint32_t i = 0; i < *arena_bytes(BAREPROF_OFFSET_DIRECTORY_COUNT); i++) {
		uint32_t entry = BAREPROF_OFFSET_DIRECTORY + i * BAREPROF_ENTRY_SIZE;

		if (*arena_bytes(entry + BAREPROF_ENTRY_KIND) == kind)
			return entry;
	}
	fail_msg("the directory has no section of kind %u", kind);
	return 0;
}

static uint32_t item_size(unsigned kind)
{
	return arena_half(arena_entry(kind) + BAREPROF_ENTRY_ITEM_SIZE);
}

static uint32_t capacity(unsigned kind)
{
	return arena_word(arena_entry(kind) + BAREPROF_ENTRY_CAPACITY);
}

uint32_t arena_item(unsigned kind, uint32_t index)
{
	return arena_word(arena_entry(kind) + BAREPROF_ENTRY_OFFSET) + index * item_size(kind);
}

static uint32_t count_of(unsigned kind, uint32_t index)
{
	const uint32_t offset = arena_item(kind, index);

	if (kind == BAREPROF_SECTION_GRANULES)
		return arena_word(offset + (uint32_t)BAREPROF_GRANULE_COUNT(sizeof(uintptr_t)));
	return item_size(kind) == 4 ? arena_word(offset) : arena_half(offset);
}

uint32_t arena_bin(uint32_t index)
{
	return count_of(BAREPROF_SECTION_BINS, index);
}

void arena_set_bin(uint32_t index, uint32_t count)
{
	assert_int_equal(item_size(BAREPROF_SECTION_BINS), 4);
	arena_set_word(arena_item(BAREPROF_SECTION_BINS, index), count);
}

uint32_t arena_coarse(uint32_t index)
{
	return count_of(BAREPROF_SECTION_COARSE, index);
}

struct arena_granule arena_granule(uint32_t index)
{
	const uint32_t offset = arena_item(BAREPROF_SECTION_GRANULES, index);
	struct arena_granule granule = {.count = count_of(BAREPROF_SECTION_GRANULES, index)};

	memcpy(&granule.number, arena_bytes(offset + BAREPROF_GRANULE_NUMBER(sizeof(uintptr_t))),
	       sizeof granule.number);
	if (BAREPROF_CONTEXTS != 0)
		granule.context = arena_word(offset + (uint32_t)BAREPROF_GRANULE_CONTEXT(sizeof(uintptr_t)));
	return granule;
}

void arena_set_granule_count(uint32_t index, uint32_t count)
{
	arena_set_word(arena_item(BAREPROF_SECTION_GRANULES, index) +
	                       (uint32_t)BAREPROF_GRANULE_COUNT(sizeof(uintptr_t)),
	               count);
}

uint64_t arena_samples(unsigned kind)
{
	uint64_t samples = 0;

	for (uint32_t i = 0; i < capacity(kind); i++)
		samples += count_of(kind, i);
	return samples;
}

uint64_t arena_granule_samples(uint32_t context, uintptr_t number, uint32_t *slots)
{
	uint64_t samples = 0;

	*slots = 0;
	for (uint32_t i = 0; i < capacity(BAREPROF_SECTION_GRANULES); i++) {
		const struct arena_granule granule = arena_granule(i);

		if (granule.count == 0 || granule.number != number || granule.context != context)
			continue;
		samples += granule.count;
		++*slots;
	}
	return samples;
}

struct arena_arc arena_arc(uint32_t index)
{
	struct arena_arc arc;
	uint32_t offset = arena_item(BAREPROF_SECTION_ARCS, index);

	memcpy(&arc.caller, arena_bytes(offset + BAREPROF_ARC_CALLER(sizeof(uintptr_t))), sizeof arc.caller);
	memcpy(&arc.callee, arena_bytes(offset + BAREPROF_ARC_CALLEE(sizeof(uintptr_t))), sizeof arc.callee);
	arc.count = arena_word(offset + (uint32_t)BAREPROF_ARC_COUNT(sizeof(uintptr_t)));
	arc.context = 0;
	if (*arena_bytes(arena_entry(BAREPROF_SECTION_ARCS) + BAREPROF_ENTRY_PARAMETER) & BAREPROF_ARC_CONTEXT)
		arc.context = arena_word(offset + (uint32_t)BAREPROF_ARC_COUNT(sizeof(uintptr_t)) + 4);
	return arc;
}

void arena_set_arc_count(uint32_t index, uint32_t count)
{
	arena_set_word(arena_item(BAREPROF_SECTION_ARCS, index) + (uint32_t)BAREPROF_ARC_COUNT(sizeof(uintptr_t)),
	               count);
}

uint64_t arena_context_calls(uint32_t context, uintptr_t caller, uintptr_t callee)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < arena_arc_capacity(); i++) {
		struct arena_arc arc = arena_arc(i);

		if (arc.count != 0 && arc.context == context && arc.caller == caller && arc.callee == callee)
			calls += arc.count;
	}
	return calls;
}

uint64_t arena_arc_calls(uintptr_t caller, uintptr_t callee)
{
	return arena_context_calls(0, caller, callee);
}

uint64_t arena_calls(void)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < arena_arc_capacity(); i++)
		calls += arena_arc(i).count;
	return calls;
}

uint32_t arena_slots_in_flight(void)
{
	uint32_t slots = 0;

	for (uint32_t i = 0; i < arena_arc_capacity(); i++)
		slots += arena_arc(i).count != 0 && arena_arc(i).callee == 0;
	return slots;
}

uint32_t arena_slots_claimed(void)
{
	uint32_t slots = 0;

	for (uint32_t i = 0; i < arena_arc_capacity(); i++)
		slots += arena_arc(i).count != 0;
	return slots;
}

uint32_t arena_finish_reset(void)
{
	uint32_t ticks = 0;

	while ((arena_state() & BAREPROF_STATE_CLEARING) != 0) {
		bareprof_sample(0);
		assert_true(++ticks < 10000);
	}
	return ticks;
}
