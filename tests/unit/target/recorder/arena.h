/* SPDX-License-Identifier: MIT */
/*
 * RAM with the profile block in its middle, a layout that a test can change to that of another build, and the symbols
 * of the linker script. The block is read by the offsets of <bareprof/block.h>, never through the recorder's structs.
 */
#ifndef UNIT_TARGET_RECORDER_ARENA_H
#define UNIT_TARGET_RECORDER_ARENA_H

#include <bareprof/bareprof.h>
#include <stdbool.h>

#define ARENA_TEXT_SIZE 4096u

struct arena_granule {
	uintptr_t number;
	uint32_t count;
	uint32_t context; /* 0 where slots have none */
};

struct arena_arc {
	uintptr_t caller;
	uintptr_t callee;
	uint32_t count;
	uint32_t context; /* likewise */
};

/* The recorder's bareprof_layout, and the words of its build-id note. */
extern struct bareprof_layout arena_layout;
extern uint32_t arena_note[9];
/* How many bytes of code bareprof_hash_code() hashes. */
extern uint32_t arena_hash_bytes;

/* Lays out a block of this size, fills the arena with zeros and gives the note its usual content. */
void arena_begin(uint32_t arcs, uint32_t bins);
/* The function of the store of samples that bareprof_tick() calls. */
extern void (*arena_tick)(BAREPROF_TICK_PARAMETERS);
/* Before init, another build's tables: bins, or granules of 2^shift bytes with coarse bins. */
void arena_use_bins(uint32_t arcs, uint32_t bins);
void arena_use_wide_bins(uint32_t arcs, uint32_t bins);
void arena_use_granules(uint32_t arcs, uint32_t granules, uint8_t shift, uint32_t coarse);
/* Before init, a range of code to sample. */
void arena_set_range(unsigned index, uintptr_t start, uintptr_t end);
void arena_init_and_start(void);
/* arena_begin(), then the former. */
void arena_begin_running(uint32_t arcs, uint32_t bins);

/* Random words, reproducible from a seed. */
uint32_t arena_random(void);
void arena_seed(uint32_t seed);

/* Fills the block and the RAM around it. */
void arena_fill_random(uint32_t seed);
/* arena_remember() copies all bytes; the others compare all of them, or those outside the block, with the copy. */
void arena_remember(void);
bool arena_is_as_remembered(void);
bool arena_is_untouched_outside_block(void);

/* The block's bytes at an offset, in this computer's order. */
uint8_t *arena_bytes(uint32_t offset);
uint32_t arena_word(uint32_t offset);
void arena_set_word(uint32_t offset, uint32_t value);
uint16_t arena_half(uint32_t offset);

/* The state in the gate, which is open if it is BAREPROF_STATE_RUNNING; more than BAREPROF_STATE_MAX if it is invalid.
 */
uint32_t arena_state(void);
void arena_set_state(uint32_t state);

/* Writes a request of the host, which the next tick serves. */
void arena_request(uint32_t sequence, uint32_t command, uint32_t argument);

/* The offset of the directory entry of that kind, and of an item of its section; the test fails if there is none. */
uint32_t arena_entry(unsigned kind);
uint32_t arena_item(unsigned kind, uint32_t index);
uint32_t arena_bin(uint32_t index);
void arena_set_bin(uint32_t index, uint32_t count);
uint32_t arena_coarse(uint32_t index);
struct arena_granule arena_granule(uint32_t index);
void arena_set_granule_count(uint32_t index, uint32_t count);
/* Counts of all items of a section of bins, granules or coarse bins; of the slots that hold a granule, and how many. */
uint64_t arena_samples(unsigned kind);
uint64_t arena_granule_samples(uint32_t context, uintptr_t number, uint32_t *slots);

uint32_t arena_arc_capacity(void);
struct arena_arc arena_arc(uint32_t index);
void arena_set_arc_count(uint32_t index, uint32_t count);
/* Counts of all slots that hold this arc, without or with a context, and of all slots. */
uint64_t arena_arc_calls(uintptr_t caller, uintptr_t callee);
uint64_t arena_context_calls(uint32_t context, uintptr_t caller, uintptr_t callee);
uint64_t arena_calls(void);
/* Slots in flight have been counted but have no callee yet. */
uint32_t arena_slots_in_flight(void);
uint32_t arena_slots_claimed(void);

/* Ticks until no reset is under way; returns the number of ticks. */
uint32_t arena_finish_reset(void);

#endif
