/* SPDX-License-Identifier: MIT */
/* A builder of profile blocks from a description, for either byte order and address size. Written only from
 * docs/FORMAT.md; shares no code with recorder or decoder. */
#ifndef TESTS_BUILD_BLOCK_H
#define TESTS_BUILD_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_RANGES_MAX   4
#define BUILD_BINS_MAX     4096
#define BUILD_ARCS_MAX     512
#define BUILD_GRANULES_MAX 1024
#define BUILD_CONTEXTS_MAX 16
#define BUILD_SLICES_MAX   16
#define BUILD_STACK_MAX    64
#define BUILD_NODES_MAX    64

struct build_arc {
	uint64_t caller, callee;
	uint32_t count, context;
};

struct build_granule {
	uint64_t number;
	uint32_t count, context;
};

struct build_slice {
	uint32_t number, number_again; /* equal unless the slice is being written */
	uint32_t context, entry;
	uint64_t pc, lr, sp, fp;
	unsigned bytes, flags;
	uint8_t stack[BUILD_STACK_MAX]; /* as in memory */
};

struct build_node {
	uint64_t key;
	unsigned parent, flags;
	uint32_t count;
};

struct build_block {
	bool big_endian;
	unsigned address_size; /* 4 or 8 */
	uint64_t address;
	unsigned minor;             /* version of the format; blocks of 2 or later have the next two */
	uint32_t random, tick_cost; /* the state of the dither, the cost of one sampling interrupt */
	uint32_t clock_hz, period;
	uint32_t state, epoch, reset_count;
	uint32_t ticks, ticks_missed, outside, table_full, arcs_dropped, saturated;
	unsigned core;
	const char *board;
	uint8_t identity[32];
	unsigned identity_size;
	uint64_t ranges[BUILD_RANGES_MAX][2];
	unsigned range_count;
	/* The dense store; with granules, the coarse bins. */
	unsigned bin_shift, bin_bytes;
	uint64_t bins[BUILD_BINS_MAX];
	unsigned granule_capacity; /* nonzero: the sparse store */
	unsigned granule_shift;
	struct build_granule granules[BUILD_GRANULES_MAX];
	unsigned granule_count;
	unsigned context_count; /* nonzero: arcs and granules have contexts with these names */
	const char *contexts[BUILD_CONTEXTS_MAX];
	uint32_t contexts_refused; /* not 0: the last context is BAREPROF_CONTEXT_OTHERS, with these bits */
	bool counts_switches;      /* switches to each context */
	uint32_t switches[BUILD_CONTEXTS_MAX];
	struct build_arc arcs[BUILD_ARCS_MAX];
	unsigned arc_count;
	/* Stacks. Their three directory entries are there if there is room for slices or nodes, or if has_stacks. */
	bool has_stacks;
	unsigned slice_room; /* bytes of stack; the slices of a block */
	bool slices_filtered;
	struct build_slice slices[BUILD_SLICES_MAX];
	unsigned slice_count;
	struct build_node nodes[BUILD_NODES_MAX];
	unsigned node_count;
	uint32_t stack_totals[14]; /* before minor 3, a block has the first 8 */
	unsigned extra_kind;       /* nonzero: a fourth directory entry of this kind, with one item of 4 bytes */
};

/* Sets defaults: 32-bit, little-endian, 100 Hz, bins of 2 bytes for 2^2 bytes of code, no ranges, no arcs. */
void build_block_defaults(struct build_block *block);

/* The number of bins of all ranges, at most BUILD_BINS_MAX once there are samples. */
uint64_t build_block_bins(const struct build_block *block);

/* Adds count samples to the bin of address, which must be in a range; with granules, to its coarse bin. */
void build_block_sample(struct build_block *block, uint64_t address, uint64_t count);

/* Fills a slot of the table of granules. */
void build_block_granule(struct build_block *block, uint64_t address, uint32_t count, uint32_t context);

void build_block_arc(struct build_block *block, uint64_t caller, uint64_t callee, uint32_t count);
/* Adds an arc of a context. */
void build_block_arc_of(struct build_block *block, uint64_t caller, uint64_t callee, uint32_t count, uint32_t context);

/* Adds a slice with the registers pc, pc + 1, pc + 2, pc + 3 and bytes of stack, each its offset. */
struct build_slice *build_block_slice(struct build_block *block, uint32_t number, uint64_t pc, unsigned bytes);
/* Adds a node of the path tree; flags: 1 root, 2 call, 4 leaf. Returns its index. */
unsigned build_block_node(struct build_block *block, uint64_t key, unsigned parent, unsigned flags, uint32_t count);

/* The bytes of the block. The caller frees them. */
uint8_t *build_block_bytes(const struct build_block *block, size_t *size);

#endif
