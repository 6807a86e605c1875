/* SPDX-License-Identifier: MIT */
/*
 * The profile block as the recorder uses it: <bareprof/block.h> as structs, whose offsets assertions check.
 *
 * Everything in the block is volatile: interrupts and a debug probe read it, and the host writes the control words, at
 * any instant. Capacities are never taken from the block but from bareprof_layout in flash: after another build was
 * flashed, the RAM may hold the block of the old one, with its gate open, until bareprof_init() runs.
 */
#ifndef RECORDER_BLOCK_H
#define RECORDER_BLOCK_H

#include "compiler.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

/* Keeps the compiler from computing an address again, or putting that of each member into the literal pool. */
#define KEEP_ADDRESS(pointer) __asm__("" : "+r"(pointer))

struct range {
	uintptr_t start;
	uintptr_t end;
};

/* The lower halves of the addresses of the function are enough. The words are in the order of the commands that set
 * them. */
struct trigger {
	uint32_t start;
	uint32_t end;
	uint32_t window; /* ticks until the profile stops; 0: never */
};

struct header {
	uint32_t magic[BAREPROF_MAGIC_SIZE / 4];
	uint16_t byte_order;
	uint8_t major;
	uint8_t minor;
	uint8_t address_size;
	uint8_t directory_count;
	uint16_t header_size;
	uint64_t block_address;
	uint32_t block_size;
	uint32_t clock_hz;
	uint32_t period;
	/*
	 * A running profile changes the words from here to left_to_clear, and the random number, but no other words of
	 * the header.
	 */
	uint32_t gate;
	uint32_t control_argument;
	uint32_t control_request;
	uint32_t control_acknowledge;
	uint32_t epoch;
	uint32_t reset_count;
	uint32_t ticks;
	uint32_t ticks_missed;
	uint32_t samples_outside;
	uint32_t samples_table_full;
	uint32_t arcs_dropped;
	uint32_t saturated;
	uint32_t left_to_clear; /* bytes, from the end of the tables; 0 before the first step of a reset */
	uint8_t identity_kind;
	uint8_t identity_size;
	uint8_t core;
	uint8_t table_count; /* unwind tables of this build, with a path tree; otherwise 0 */
	uint8_t identity[BAREPROF_IDENTITY_CAPACITY];
	char board[BAREPROF_BOARD_CAPACITY];
	uint32_t random; /* the last number of the generator, which a running profile changes */
	struct bareprof_section directory[BAREPROF_DIRECTORY_COUNT];
	struct range ranges[BAREPROF_RANGE_CAPACITY];
	/* Private to the recorder. */
	struct trigger trigger;
	uint32_t tick_cost; /* clock units that one tick takes; with stacks, until it begins; 0: unknown */
#if BAREPROF_STACKS != 0
	uint32_t stack_totals[BAREPROF_STACK_TOTALS]; /* the counters BAREPROF_STACK_TOTAL_* */
#endif
#if BAREPROF_CONTEXTS != 0
	uint32_t context; /* the current context */
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

struct slice {
	uint32_t number;
	uint32_t context;
	uint32_t bytes_and_flags; /* two numbers of 16 bits, SLICE_BYTES_AND_FLAGS() */
	uint32_t entry;
	uintptr_t pc;
	uintptr_t lr;
	uintptr_t sp;
	uintptr_t fp;
	uintptr_t words[];
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SLICE_BYTES_AND_FLAGS(bytes, flags) ((uint32_t)(bytes) | (uint32_t)(flags) << 16)
#else
#define SLICE_BYTES_AND_FLAGS(bytes, flags) ((uint32_t)(bytes) << 16 | (uint32_t)(flags))
#endif

struct path_node {
	uintptr_t key;
	uint32_t link; /* PATH_LINK(parent, flags) */
	uint32_t count;
};

/* Both halves of a word, in the order of memory. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PATH_LINK(parent, flags) ((parent) << 16 | (flags))
#else
#define PATH_LINK(parent, flags) ((flags) << 16 | (parent))
#endif

struct context {
	union {
		char name[BAREPROF_CONTEXT_NAME_CAPACITY];
		uint32_t refused; /* in the last context only, see BAREPROF_CONTEXT_OTHERS */
	};
	uint32_t switches; /* from another context to this one */
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
AT(random, BAREPROF_OFFSET_RANDOM);
AT(tick_cost, BAREPROF_OFFSET_TICK_COST(BAREPROF_DIRECTORY_COUNT, sizeof(uintptr_t)));
AT(left_to_clear, BAREPROF_OFFSET_LEFT_TO_CLEAR);
#if BAREPROF_STACKS != 0
AT(stack_totals, BAREPROF_OFFSET_STACK_TOTALS(BAREPROF_DIRECTORY_COUNT, sizeof(uintptr_t)));
#endif
AT(directory, BAREPROF_OFFSET_DIRECTORY);
AT(ranges, BAREPROF_OFFSET_DIRECTORY + BAREPROF_DIRECTORY_COUNT * BAREPROF_ENTRY_SIZE);
#undef AT

_Static_assert(offsetof(struct bareprof_section, kind) == BAREPROF_ENTRY_KIND, "directory entry: kind");
_Static_assert(offsetof(struct bareprof_section, parameter) == BAREPROF_ENTRY_PARAMETER, "directory entry: parameter");
_Static_assert(offsetof(struct bareprof_section, item_size) == BAREPROF_ENTRY_ITEM_SIZE, "directory entry: item size");
_Static_assert(offsetof(struct bareprof_section, offset) == BAREPROF_ENTRY_OFFSET, "directory entry: offset");
_Static_assert(offsetof(struct bareprof_section, capacity) == BAREPROF_ENTRY_CAPACITY, "directory entry: capacity");
_Static_assert(offsetof(struct bareprof_section, used) == BAREPROF_ENTRY_USED, "directory entry: used");
_Static_assert(sizeof(struct bareprof_section) == BAREPROF_ENTRY_SIZE, "directory entry: size");
_Static_assert(offsetof(struct arc, caller) == BAREPROF_ARC_CALLER(sizeof(uintptr_t)), "arc: caller");
_Static_assert(offsetof(struct arc, callee) == BAREPROF_ARC_CALLEE(sizeof(uintptr_t)), "arc: callee");
_Static_assert(offsetof(struct arc, count) == BAREPROF_ARC_COUNT(sizeof(uintptr_t)), "arc: count");
_Static_assert(sizeof(struct arc) == BAREPROF_ARC_SIZE, "arc: size");
_Static_assert(BAREPROF_ARCS_OFFSET % 8 == 0, "arcs: the layout has their address in words of 64 bits");
_Static_assert(sizeof(struct granule) == BAREPROF_GRANULE_SIZE, "granule: size");
_Static_assert(offsetof(struct granule, number) == BAREPROF_GRANULE_NUMBER(sizeof(uintptr_t)), "granule: number");
_Static_assert(offsetof(struct granule, count) == BAREPROF_GRANULE_COUNT(sizeof(uintptr_t)), "granule: count");
#if SLOTS_HAVE_CONTEXT
_Static_assert(offsetof(struct granule, context) == BAREPROF_GRANULE_CONTEXT(sizeof(uintptr_t)), "granule: context");
#endif
_Static_assert(offsetof(struct slice, number) == BAREPROF_SLICE_NUMBER, "slice: number");
_Static_assert(offsetof(struct slice, context) == BAREPROF_SLICE_CONTEXT, "slice: context");
_Static_assert(offsetof(struct slice, bytes_and_flags) == BAREPROF_SLICE_BYTES, "slice: bytes");
_Static_assert(BAREPROF_SLICE_FLAGS == BAREPROF_SLICE_BYTES + 2, "slice: flags");
_Static_assert(offsetof(struct slice, entry) == BAREPROF_SLICE_ENTRY, "slice: entry");
_Static_assert(offsetof(struct slice, pc) == BAREPROF_SLICE_PC, "slice: pc");
_Static_assert(offsetof(struct slice, lr) == BAREPROF_SLICE_LR(sizeof(uintptr_t)), "slice: lr");
_Static_assert(offsetof(struct slice, sp) == BAREPROF_SLICE_SP(sizeof(uintptr_t)), "slice: sp");
_Static_assert(offsetof(struct slice, fp) == BAREPROF_SLICE_FP(sizeof(uintptr_t)), "slice: fp");
_Static_assert(offsetof(struct slice, words) == BAREPROF_SLICE_WORDS(sizeof(uintptr_t)), "slice: words");
_Static_assert(offsetof(struct path_node, key) == BAREPROF_PATH_KEY(sizeof(uintptr_t)), "path node: key");
_Static_assert(offsetof(struct path_node, link) == BAREPROF_PATH_PARENT(sizeof(uintptr_t)), "path node: parent");
_Static_assert(offsetof(struct path_node, link) + 2 == BAREPROF_PATH_FLAGS(sizeof(uintptr_t)), "path node: flags");
_Static_assert(offsetof(struct path_node, count) == BAREPROF_PATH_COUNT(sizeof(uintptr_t)), "path node: count");
_Static_assert(sizeof(struct path_node) == BAREPROF_PATH_SIZE(sizeof(uintptr_t)), "path node: size");
_Static_assert(offsetof(struct context, switches) == BAREPROF_CONTEXT_SWITCHES, "context: switches");
_Static_assert(sizeof(struct context) == BAREPROF_CONTEXT_SIZE, "context: size");
_Static_assert(HEADER_SIZE == BAREPROF_HEADER_SIZE(sizeof(uintptr_t)) +
                                      (BAREPROF_CONTEXTS != 0 ? BAREPROF_CONTEXT_HEADER_SIZE : 0) +
                                      (BAREPROF_STACKS != 0 ? BAREPROF_STACK_HEADER_SIZE : 0),
               "header: size");

BAREPROF_INLINE volatile struct header *block_header(void)
{
	volatile struct header *header = (volatile struct header *)bareprof_block;

#if BAREPROF_CORES > 1
	header = offset_by(header, bareprof_core_number() * bareprof_layout.block_size);
#else
	KEEP_ADDRESS(header);
#endif
	return header;
}

/* The first item of a section, at its offset from the layout in flash. */
BAREPROF_INLINE volatile void *block_section(volatile struct header *header, unsigned place)
{
	return offset_by(header, bareprof_layout.sections[place].offset);
}

#if BAREPROF_CONTEXTS != 0
/* The capacity in bareprof_layout, at an offset that no build changes. */
BAREPROF_INLINE volatile struct context *block_contexts(volatile struct header *header)
{
	return (volatile struct context *)(header + 1);
}

/* The number of contexts. The context for tasks that find no other has this number and is not counted. */
BAREPROF_INLINE uint32_t context_capacity(void)
{
	return bareprof_layout.sections[BAREPROF_DIRECTORY_CONTEXTS].capacity - 1u;
}
#endif

/* Without contexts, arcs are at a fixed offset in every build. */
BAREPROF_INLINE volatile struct arc *block_arcs(volatile struct header *header)
{
#if BAREPROF_CONTEXTS != 0
	return (volatile struct arc *)block_section(header, BAREPROF_DIRECTORY_ARCS);
#else
	return (volatile struct arc *)(header + 1);
#endif
}

/*
 * The current context, a test whether a slot belongs to it, and its entry in a slot that is being claimed. The context
 * is read once per call: an arc that was looked up under one context must not be stored under another.
 */
#if BAREPROF_CONTEXTS != 0
#define BLOCK_CONTEXT(header)            ((header)->context)
#define SLICE_CONTEXT(header)            ((header)->context)
#define SLOT_IS_OF_CONTEXT(slot, number) ((slot)->context == (number))
#define SLOT_ENTER_CONTEXT(slot, number) ((slot)->context = (number))
#else
#define BLOCK_CONTEXT(header)            0u
#define SLICE_CONTEXT(header)            UINT32_MAX /* none */
#define SLOT_IS_OF_CONTEXT(slot, number) ((void)(number), true)
#define SLOT_ENTER_CONTEXT(slot, number) (void)(number)
#endif

/* 0 if the timer counts missed ticks, otherwise BAREPROF_UNKNOWN, which is 0 - 1. */
BAREPROF_INLINE uint32_t ticks_missed_at_first(void)
{
	return (uint32_t)bareprof_layout.config.counts_missed_ticks - 1u;
}
_Static_assert(BAREPROF_UNKNOWN == 0u - 1u, "unknown is not one less than 0");

/* BAREPROF_STATE_*; more than BAREPROF_STATE_MAX if the block was never initialised: then only the gate may be read. */
BAREPROF_INLINE uint32_t block_state(const volatile struct header *header)
{
	return header->gate - BAREPROF_GATE((uintptr_t)header, 0);
}

BAREPROF_INLINE bool block_is_initialised(const volatile struct header *header)
{
	return block_state(header) <= BAREPROF_STATE_MAX;
}

#endif
