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

/* Places in the directory. */
#define DIRECTORY_RANGES   0
#define DIRECTORY_SAMPLES  1
#define DIRECTORY_ARCS     2
#define DIRECTORY_COARSE   3
#define DIRECTORY_CONTEXTS 4
#define DIRECTORY_COUNT    (BAREPROF_DIRECTORY_CAPACITY + (BAREPROF_CONTEXTS != 0))

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
	struct section directory[DIRECTORY_COUNT];
	struct range ranges[BAREPROF_RANGE_CAPACITY];
	/* Private to the recorder. */
	uintptr_t trigger_start;
	uintptr_t trigger_end;
	uint32_t window; /* ticks until the profile stops; 0 = it does not */
	uint32_t dither; /* state of the random numbers, never 0 */
#if BAREPROF_CONTEXTS != 0
	uint32_t context; /* the one that is being recorded under */
	uint32_t reserved_end;
#endif
};

/* On 64-bit there is room for the context in any case. */
#define SLOTS_HAVE_CONTEXT (BAREPROF_CONTEXTS != 0 || UINTPTR_MAX > UINT32_MAX)

struct arc {
	uintptr_t caller;
	uintptr_t callee;
	uint32_t count;
#if SLOTS_HAVE_CONTEXT
	uint32_t context;
#endif
};

struct granule {
	uintptr_t number;
	uint32_t count;
#if SLOTS_HAVE_CONTEXT
	uint32_t context;
#endif
};

struct context_name {
	char text[BAREPROF_CONTEXT_NAME_CAPACITY];
};

#define HEADER_SIZE sizeof(struct header)

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
AT(ranges, BAREPROF_OFFSET_DIRECTORY + DIRECTORY_COUNT * BAREPROF_ENTRY_SIZE);
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
_Static_assert(sizeof(struct granule) == BAREPROF_GRANULE_SIZE, "granule: size");
_Static_assert(offsetof(struct granule, number) == BAREPROF_GRANULE_NUMBER(sizeof(uintptr_t)), "granule: number");
_Static_assert(offsetof(struct granule, count) == BAREPROF_GRANULE_COUNT(sizeof(uintptr_t)), "granule: count");
#if SLOTS_HAVE_CONTEXT
_Static_assert(offsetof(struct granule, context) == BAREPROF_GRANULE_CONTEXT(sizeof(uintptr_t)), "granule: context");
#endif
_Static_assert(HEADER_SIZE == BAREPROF_HEADER_SIZE(sizeof(uintptr_t)) +
                                      (BAREPROF_CONTEXTS != 0 ? BAREPROF_CONTEXT_HEADER_SIZE : 0),
               "header: size");

static inline volatile struct header *block_header(void)
{
#if BAREPROF_CORES > 1
	return (volatile struct header *)((uint8_t *)bareprof_block +
	                                  bareprof_core_number() * bareprof_layout.block_size);
#else
	return (volatile struct header *)bareprof_block;
#endif
}

/*
 * Header, names of contexts, arcs, samples, coarse bins. Without contexts the arcs stand at an offset that no build
 * changes.
 */
static inline uint32_t block_names_size(void)
{
#if BAREPROF_CONTEXTS != 0
	return bareprof_layout.context_capacity * (uint32_t)sizeof(struct context_name);
#else
	return 0;
#endif
}

static inline volatile struct arc *block_arcs(volatile struct header *header)
{
	return (volatile struct arc *)((volatile uint8_t *)(header + 1) + block_names_size());
}

static inline uint32_t block_arc_capacity(void)
{
	return bareprof_layout.arc_mask / 4u + 1u;
}

static inline volatile void *block_samples(volatile struct header *header)
{
	return block_arcs(header) + block_arc_capacity();
}

static inline uint32_t block_samples_offset(void)
{
	return (uint32_t)HEADER_SIZE + block_names_size() + block_arc_capacity() * (uint32_t)sizeof(struct arc);
}

/* The context that is being recorded under, whether a slot is of it, and its entry in one that is being claimed. */
#if BAREPROF_CONTEXTS != 0
#define BLOCK_CONTEXT(header)            ((header)->context)
#define SLOT_IS_OF_CONTEXT(header, slot) ((slot)->context == (header)->context)
#define SLOT_ENTER_CONTEXT(header, slot) ((slot)->context = (header)->context)
#else
#define BLOCK_CONTEXT(header)            0u
#define SLOT_IS_OF_CONTEXT(header, slot) true
#define SLOT_ENTER_CONTEXT(header, slot) (void)0
#endif

static inline void section_describe(volatile struct section *section, unsigned kind, uint32_t item_size,
                                    uint32_t offset, uint32_t capacity)
{
	section->kind = (uint8_t)kind;
	section->item_size = (uint16_t)item_size;
	section->offset = offset;
	section->capacity = capacity;
}

/* Neither open nor armed nor closed: the block is not at address 0. */
#define GATE_INVALID 0u

#define GATE_OPEN(header)   BAREPROF_GATE_OPEN((uintptr_t)(header))
#define GATE_ARMED(header)  BAREPROF_GATE_ARMED((uintptr_t)(header))
#define GATE_CLOSED(header) BAREPROF_GATE_CLOSED((uintptr_t)(header))

/* False: the RAM was never prepared, nothing but its gate may be looked at. */
static inline bool block_is_initialised(const volatile struct header *header)
{
	const uint32_t gate = header->gate;

	return gate == GATE_CLOSED(header) || gate + (uint32_t)(uintptr_t)header <= 1;
}

#endif
