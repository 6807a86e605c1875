/* SPDX-License-Identifier: MIT */
/*
 * The profile block as the recorder sees it: <bareprof/block.h> in structs, held to its offsets by assertions. Knows
 * nothing of what the fields are for.
 *
 * Everything in the block is volatile: interrupts and a debug probe read it, and the host writes the control words, at
 * any instant. Capacities are never taken from the block but from bareprof_layout in flash: after another build was
 * flashed, the RAM may hold the block of the old one, with its gate open, until bareprof_init() runs.
 */
#ifndef RECORDER_BLOCK_H
#define RECORDER_BLOCK_H

#include <bareprof/bareprof.h>
#include <stdbool.h>

struct section {
	uint8_t kind;
	uint8_t parameter;
	uint16_t item_size;
	uint32_t offset;
	uint32_t capacity;
	uint32_t used;
};

struct range {
	uintptr_t start;
	uintptr_t end;
};

struct header {
	uint8_t magic[BAREPROF_MAGIC_SIZE];
	uint16_t byte_order;
	uint8_t major;
	uint8_t minor;
	uint8_t address_size;
	uint8_t directory_count;
	uint16_t header_size;
	uint64_t block_address;
	uint32_t block_size;
	uint32_t gate;
	uint32_t control_argument;
	uint32_t control_request;
	uint32_t control_acknowledge;
	uint32_t state;
	uint32_t epoch;
	uint32_t reset_count;
	uint32_t clock_hz;
	uint32_t period;
	uint32_t ticks;
	uint32_t ticks_missed;
	uint32_t samples_outside;
	uint32_t samples_table_full;
	uint32_t arcs_dropped;
	uint32_t saturated;
	uint8_t identity_kind;
	uint8_t identity_size;
	uint8_t core;
	uint8_t reserved;
	uint8_t identity[BAREPROF_IDENTITY_CAPACITY];
	char board[BAREPROF_BOARD_CAPACITY];
	uint32_t cleared;
	struct section directory[BAREPROF_DIRECTORY_CAPACITY];
	struct range ranges[BAREPROF_RANGE_CAPACITY];
	uint8_t reserved_end[16];
};

struct arc {
	uintptr_t caller;
	uintptr_t callee;
	uint32_t count;
#if UINTPTR_MAX > UINT32_MAX
	uint32_t reserved;
#endif
};

/* Header, then the arcs, then the bins: the arcs stand at an offset that no build changes. */
#define HEADER_SIZE sizeof(struct header)

/* Places in the directory. */
#define DIRECTORY_RANGES 0
#define DIRECTORY_BINS   1
#define DIRECTORY_ARCS   2
#define DIRECTORY_COUNT  3

#define AT(field, offset) _Static_assert(offsetof(struct header, field) == (offset), #field " is not at " #offset)
AT(magic, BAREPROF_OFFSET_MAGIC);
AT(byte_order, BAREPROF_OFFSET_BYTE_ORDER);
AT(major, BAREPROF_OFFSET_MAJOR);
AT(minor, BAREPROF_OFFSET_MINOR);
AT(address_size, BAREPROF_OFFSET_ADDRESS_SIZE);
AT(directory_count, BAREPROF_OFFSET_DIRECTORY_COUNT);
AT(header_size, BAREPROF_OFFSET_HEADER_SIZE);
AT(block_address, BAREPROF_OFFSET_BLOCK_ADDRESS);
AT(block_size, BAREPROF_OFFSET_BLOCK_SIZE);
AT(gate, BAREPROF_OFFSET_GATE);
AT(control_argument, BAREPROF_OFFSET_CONTROL_ARGUMENT);
AT(control_request, BAREPROF_OFFSET_CONTROL_REQUEST);
AT(control_acknowledge, BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE);
AT(state, BAREPROF_OFFSET_STATE);
AT(epoch, BAREPROF_OFFSET_EPOCH);
AT(reset_count, BAREPROF_OFFSET_RESET_COUNT);
AT(clock_hz, BAREPROF_OFFSET_CLOCK_HZ);
AT(period, BAREPROF_OFFSET_PERIOD);
AT(ticks, BAREPROF_OFFSET_TICKS);
AT(ticks_missed, BAREPROF_OFFSET_TICKS_MISSED);
AT(samples_outside, BAREPROF_OFFSET_SAMPLES_OUTSIDE);
AT(samples_table_full, BAREPROF_OFFSET_SAMPLES_TABLE_FULL);
AT(arcs_dropped, BAREPROF_OFFSET_ARCS_DROPPED);
AT(saturated, BAREPROF_OFFSET_SATURATED);
AT(identity_kind, BAREPROF_OFFSET_IDENTITY_KIND);
AT(identity_size, BAREPROF_OFFSET_IDENTITY_SIZE);
AT(core, BAREPROF_OFFSET_CORE);
AT(identity, BAREPROF_OFFSET_IDENTITY);
AT(board, BAREPROF_OFFSET_BOARD);
AT(cleared, BAREPROF_OFFSET_CLEARED);
AT(directory, BAREPROF_OFFSET_DIRECTORY);
AT(ranges, BAREPROF_OFFSET_RANGES);
#undef AT

_Static_assert(offsetof(struct section, kind) == BAREPROF_ENTRY_KIND, "directory entry: kind");
_Static_assert(offsetof(struct section, parameter) == BAREPROF_ENTRY_PARAMETER, "directory entry: parameter");
_Static_assert(offsetof(struct section, item_size) == BAREPROF_ENTRY_ITEM_SIZE, "directory entry: item size");
_Static_assert(offsetof(struct section, offset) == BAREPROF_ENTRY_OFFSET, "directory entry: offset");
_Static_assert(offsetof(struct section, capacity) == BAREPROF_ENTRY_CAPACITY, "directory entry: capacity");
_Static_assert(offsetof(struct section, used) == BAREPROF_ENTRY_USED, "directory entry: used");
_Static_assert(sizeof(struct section) == BAREPROF_ENTRY_SIZE, "directory entry: size");
_Static_assert(offsetof(struct arc, caller) == BAREPROF_ARC_CALLER(sizeof(uintptr_t)), "arc: caller");
_Static_assert(offsetof(struct arc, callee) == BAREPROF_ARC_CALLEE(sizeof(uintptr_t)), "arc: callee");
_Static_assert(offsetof(struct arc, count) == BAREPROF_ARC_COUNT(sizeof(uintptr_t)), "arc: count");
_Static_assert(sizeof(struct arc) == BAREPROF_ARC_SIZE, "arc: size");
_Static_assert(HEADER_SIZE == BAREPROF_HEADER_SIZE(sizeof(uintptr_t)), "header: size");

static inline volatile struct header *block_header(void)
{
	return (volatile struct header *)bareprof_block;
}

static inline volatile struct arc *block_arcs(void)
{
	return (volatile struct arc *)(block_header() + 1);
}

static inline volatile uint16_t *block_bins(void)
{
	return (volatile uint16_t *)(block_arcs() + bareprof_layout.arc_capacity);
}

static inline uint32_t block_gate_open(void)
{
	return BAREPROF_GATE_OPEN((uintptr_t)bareprof_block);
}

static inline uint32_t block_gate_closed(void)
{
	return BAREPROF_GATE_CLOSED((uintptr_t)bareprof_block);
}

/* Neither open nor closed: both valid values are even. */
#define GATE_INVALID 1u

static inline bool block_is_recording(void)
{
	return block_header()->gate == block_gate_open();
}

/* False: the RAM was never prepared, nothing but its gate may be looked at. */
static inline bool block_is_initialised(void)
{
	const uint32_t gate = block_header()->gate;

	return gate == block_gate_open() || gate == block_gate_closed();
}

#endif
