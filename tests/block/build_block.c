/* SPDX-License-Identifier: MIT */
/* See build_block.h. */
#include "build_block.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Numbers from docs/FORMAT.md, deliberately not those of block.h. */
enum { DIRECTORY = 0x90, ENTRY = 16, ENTRIES = 4, CONTEXT_NAME = 16 };

struct writer {
	uint8_t *bytes;
	bool big_endian;
	unsigned address_size;
};

static void put(const struct writer *writer, size_t offset, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned byte = writer->big_endian ? size - 1 - i : i;

		writer->bytes[offset + i] = (uint8_t)(value >> (8 * byte));
	}
}

void build_block_defaults(struct build_block *block)
{
	*block = (struct build_block){
	        .address_size = 4,
	        .address = 0x20000000,
	        .clock_hz = 1000000,
	        .period = 10000,
	        .state = 2,
	        .board = "",
	        .bin_shift = 2,
	        .bin_bytes = 2,
	};
}

static uint64_t range_bins(const struct build_block *block, unsigned range)
{
	uint64_t bin = UINT64_C(1) << block->bin_shift;

	return (block->ranges[range][1] - block->ranges[range][0] + bin - 1) / bin;
}

uint64_t build_block_bins(const struct build_block *block)
{
	uint64_t bins = 0;

	for (unsigned i = 0; i < block->range_count; i++)
		bins += range_bins(block, i);
	return bins;
}

static unsigned used_bins(const struct build_block *block)
{
	uint64_t bins = build_block_bins(block);

	assert(bins <= BUILD_BINS_MAX);
	return (unsigned)bins;
}

void build_block_sample(struct build_block *block, uint64_t address, uint64_t count)
{
	uint64_t first = 0;

	assert(build_block_bins(block) <= BUILD_BINS_MAX);
	for (unsigned i = 0; i < block->range_count; first += range_bins(block, i), i++) {
		if (address < block->ranges[i][0] || address >= block->ranges[i][1])
			continue;
		block->bins[first + ((address - block->ranges[i][0]) >> block->bin_shift)] += count;
		block->ticks += (uint32_t)count;
		if (block->granule_capacity > 0)
			block->table_full += (uint32_t)count;
		return;
	}
	assert(false && " != NULLa sample in no range");
}

void build_block_granule(struct build_block *block, uint64_t address, uint32_t count, uint32_t context)
{
	assert(block->granule_count < block->granule_capacity && block->granule_capacity <= BUILD_GRANULES_MAX);
	block->granules[block->granule_count++] =
	        (struct build_granule){address >> block->granule_shift, count, context};
	block->ticks += count;
}

void build_block_arc(struct build_block *block, uint64_t caller, uint64_t callee, uint32_t count)
{
	build_block_arc_of(block, caller, callee, count, 0);
}

void build_block_arc_of(struct build_block *block, uint64_t caller, uint64_t callee, uint32_t count, uint32_t context)
{
	assert(block->arc_count < BUILD_ARCS_MAX);
	block->arcs[block->arc_count++] = (struct build_arc){caller, callee, count, context};
}

struct build_slice *build_block_slice(struct build_block *block, uint32_t number, uint64_t pc, unsigned bytes)
{
	assert(block->slice_count < BUILD_SLICES_MAX && bytes <= BUILD_STACK_MAX);
	struct build_slice *slice = &block->slices[block->slice_count++];
	*slice = (struct build_slice){.number = number,
	                              .number_again = number,
	                              .context = UINT32_MAX,
	                              .pc = pc,
	                              .lr = pc + 1,
	                              .sp = pc + 2,
	                              .fp = pc + 3,
	                              .bytes = bytes};
	for (unsigned i = 0; i < bytes; i++)
		slice->stack[i] = (uint8_t)i;
	return slice;
}

unsigned build_block_node(struct build_block *block, uint64_t key, unsigned parent, unsigned flags, uint32_t count)
{
	assert(block->node_count < BUILD_NODES_MAX);
	block->nodes[block->node_count] = (struct build_node){key, parent, flags, count};
	return block->node_count++;
}

static bool has_stacks(const struct build_block *block)
{
	return block->has_stacks || block->slice_count > 0 || block->node_count > 0;
}

static unsigned entries(const struct build_block *block)
{
	return ENTRIES + (block->context_count > 0 ? 1u : 0u) + (has_stacks(block) ? 3u : 0u);
}

static unsigned stack_totals(const struct build_block *block)
{
	return block->minor >= 3 ? 14 : 8;
}

/* Offsets of header, names of contexts, arcs, samples and coarse bins. */
struct places {
	unsigned ranges, header_size, context_size, arc_size, granule_size, slice_size, node_size;
	size_t contexts, arcs, granules, bins, slices, stack_totals, nodes, extra, size;
};

static struct places place(const struct build_block *block)
{
	unsigned address = block->address_size, context = block->context_count > 0 ? 4 : 0;
	struct places places = {.ranges = DIRECTORY + entries(block) * ENTRY};

	places.header_size = places.ranges + 4 * 2 * address + 16 + 2 * context;
	/* Slots of 64-bit targets are padded to 8 bytes, which leaves room for the context. */
	places.arc_size = address == 8 ? 24 : 12 + context;
	places.granule_size = address == 8 ? 16 : 8 + context;
	places.contexts = places.header_size;
	places.context_size = CONTEXT_NAME + (block->counts_switches ? 4 : 0);
	places.arcs = places.contexts + ((size_t)block->context_count * places.context_size + 7) / 8 * 8;
	places.granules = places.arcs + (size_t)block->arc_count * places.arc_size;
	places.bins = places.granules + (size_t)block->granule_capacity * places.granule_size;
	places.slice_size = 16 + 5 * address + block->slice_room;
	places.node_size = address + 8;
	places.slices = places.bins + (size_t)used_bins(block) * block->bin_bytes;
	places.stack_totals = places.slices + (size_t)block->slice_count * places.slice_size;
	places.nodes = places.stack_totals + (has_stacks(block) ? 4 * (size_t)stack_totals(block) : 0);
	places.extra = places.nodes + (size_t)block->node_count * places.node_size;
	places.size = (places.extra + 4 + 7) / 8 * 8;
	return places;
}

static void put_entry(const struct writer *writer, unsigned index, unsigned kind, unsigned parameter,
                      unsigned item_size, size_t offset, unsigned capacity, unsigned used)
{
	size_t at = DIRECTORY + index * ENTRY;

	put(writer, at, kind, 1);
	put(writer, at + 1, parameter, 1);
	put(writer, at + 2, item_size, 2);
	put(writer, at + 4, offset, 4);
	put(writer, at + 8, capacity, 4);
	put(writer, at + 12, used, 4);
}

static void put_header(const struct writer *writer, const struct build_block *block, const struct places *places)
{
	memcpy(writer->bytes, "BAREPROF", 8);
	put(writer, 0x08, 0x0102, 2);
	writer->bytes[0x0A] = 1;
	writer->bytes[0x0B] = (uint8_t)block->minor;
	writer->bytes[0x0C] = (uint8_t)block->address_size;
	writer->bytes[0x0D] = (uint8_t)entries(block);
	put(writer, 0x0E, places->header_size, 2);
	put(writer, 0x10, block->address, 8);
	put(writer, 0x18, places->size, 4);
	put(writer, 0x1C, block->clock_hz, 4);
	put(writer, 0x20, block->period, 4);
	put(writer, 0x24, (uint32_t)(block->state - block->address), 4);
	const uint32_t words[] = {block->epoch,   block->reset_count, block->ticks,        block->ticks_missed,
	                          block->outside, block->table_full,  block->arcs_dropped, block->saturated};
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		put(writer, 0x34 + 4 * i, words[i], 4);
	writer->bytes[0x58] = block->identity_size > 0;
	writer->bytes[0x59] = (uint8_t)block->identity_size;
	writer->bytes[0x5A] = (uint8_t)block->core;
	memcpy(writer->bytes + 0x5C, block->identity, sizeof block->identity);
	memcpy(writer->bytes + 0x7C, block->board, strnlen(block->board, 16));
	put(writer, 0x8C, block->random, 4);
	put(writer, places->ranges + 4 * 2 * block->address_size + 12, block->tick_cost, 4);
}

static void put_ranges(const struct writer *writer, const struct build_block *block, size_t at)
{
	for (unsigned i = 0; i < block->range_count; i++) {
		put(writer, at + i * 2 * block->address_size, block->ranges[i][0], block->address_size);
		put(writer, at + (i * 2 + 1) * block->address_size, block->ranges[i][1], block->address_size);
	}
}

static void put_arc(const struct writer *writer, const struct build_block *block, unsigned index, size_t at)
{
	const struct build_arc *arc = &block->arcs[index];

	put(writer, at, arc->caller, block->address_size);
	put(writer, at + block->address_size, arc->callee, block->address_size);
	put(writer, at + 2 * block->address_size, arc->count, 4);
	if (block->context_count > 0)
		put(writer, at + 2 * block->address_size + 4, arc->context, 4);
}

static void put_granule(const struct writer *writer, const struct build_block *block, unsigned index, size_t at)
{
	const struct build_granule *granule = &block->granules[index];

	put(writer, at, granule->number, block->address_size);
	put(writer, at + block->address_size, granule->count, 4);
	if (block->context_count > 0)
		put(writer, at + block->address_size + 4, granule->context, 4);
}

static void put_slice(const struct writer *writer, const struct build_slice *slice, size_t at, size_t size)
{
	const unsigned address = writer->address_size;
	const uint64_t registers[] = {slice->pc, slice->lr, slice->sp, slice->fp};

	put(writer, at, slice->number, 4);
	put(writer, at + 4, slice->context, 4);
	put(writer, at + 8, slice->bytes, 2);
	put(writer, at + 10, slice->flags, 2);
	put(writer, at + 12, slice->entry, 4);
	for (unsigned i = 0; i < 4; i++)
		put(writer, at + 16 + (size_t)i * address, registers[i], address);
	memcpy(writer->bytes + at + 16 + 4 * (size_t)address, slice->stack, size - 16 - 5 * (size_t)address);
	put(writer, at + size - 4, slice->number_again, 4);
}

static void put_node(const struct writer *writer, const struct build_node *node, size_t at)
{
	put(writer, at, node->key, writer->address_size);
	put(writer, at + writer->address_size, node->parent, 2);
	put(writer, at + writer->address_size + 2, node->flags, 2);
	put(writer, at + writer->address_size + 4, node->count, 4);
}

static void put_stacks(const struct writer *writer, const struct build_block *block, const struct places *places)
{
	for (unsigned i = 0; i < block->slice_count; i++)
		put_slice(writer, &block->slices[i], places->slices + (size_t)i * places->slice_size,
		          places->slice_size);
	for (unsigned i = 0; has_stacks(block) && i < stack_totals(block); i++)
		put(writer, places->stack_totals + 4 * (size_t)i, block->stack_totals[i], 4);
	for (unsigned i = 0; i < block->node_count; i++)
		put_node(writer, &block->nodes[i], places->nodes + (size_t)i * places->node_size);
}

static void put_tables(const struct writer *writer, const struct build_block *block, const struct places *places)
{
	put_ranges(writer, block, places->ranges);
	for (unsigned i = 0; i < block->context_count; i++) {
		size_t at = places->contexts + (size_t)i * places->context_size;

		if (block->contexts_refused != 0 && i + 1 == block->context_count)
			put(writer, at, block->contexts_refused, 4);
		else
			memcpy(writer->bytes + at, block->contexts[i], strnlen(block->contexts[i], CONTEXT_NAME));
		if (block->counts_switches)
			put(writer, at + CONTEXT_NAME, block->switches[i], 4);
	}
	for (unsigned i = 0; i < block->arc_count; i++)
		put_arc(writer, block, i, places->arcs + (size_t)i * places->arc_size);
	for (unsigned i = 0; i < block->granule_count; i++)
		put_granule(writer, block, i, places->granules + (size_t)i * places->granule_size);
	for (unsigned i = 0; i < used_bins(block); i++)
		put(writer, places->bins + (size_t)i * block->bin_bytes, block->bins[i], block->bin_bytes);
}

/* In the order of the recorder: ranges, samples, arcs, then coarse bins and contexts if there are any. */
static void put_directory(const struct writer *writer, const struct build_block *block, const struct places *places)
{
	unsigned bins = used_bins(block);

	put_entry(writer, 0, 1, 0, 2 * block->address_size, places->ranges, 4, block->range_count);
	put_entry(writer, 2, 3, block->context_count > 0 ? 2 : 0, places->arc_size, places->arcs, block->arc_count,
	          block->arc_count);
	if (block->granule_capacity > 0) {
		put_entry(writer, 1, 4, block->granule_shift, places->granule_size, places->granules,
		          block->granule_capacity, block->granule_count);
		put_entry(writer, 3, 5, block->bin_shift, block->bin_bytes, places->bins, bins, bins);
	} else {
		put_entry(writer, 1, 2, block->bin_shift, block->bin_bytes, places->bins, bins, bins);
	}
	if (block->extra_kind != 0)
		put_entry(writer, 3, block->extra_kind, 0, 4, places->extra, 1, 1);
	if (block->context_count > 0)
		put_entry(writer, 4, 6, block->contexts_refused != 0 ? 2 : 0, places->context_size, places->contexts,
		          block->context_count, block->context_count);
	if (!has_stacks(block))
		return;
	const unsigned first = entries(block) - 3;
	put_entry(writer, first, 9, block->slices_filtered, places->slice_size, places->slices, block->slice_count,
	          block->slice_count);
	put_entry(writer, first + 1, 10, 0, 4, places->stack_totals, stack_totals(block), stack_totals(block));
	put_entry(writer, first + 2, 11, 0, places->node_size, places->nodes, block->node_count, block->node_count);
}

uint8_t *build_block_bytes(const struct build_block *block, size_t *size)
{
	const struct places places = place(block);
	struct writer writer = {calloc(1, places.size), block->big_endian, block->address_size};

	assert(writer.bytes != NULL);
	put_header(&writer, block, &places);
	put_directory(&writer, block, &places);
	put_tables(&writer, block, &places);
	put_stacks(&writer, block, &places);
	*size = places.size;
	return writer.bytes;
}
