/* SPDX-License-Identifier: MIT */
/* See build_block.h. */
#include "build_block.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Numbers as docs/FORMAT.md has them, on purpose not those of block.h. */
enum { DIRECTORY = 0x90, ENTRY = 16, RANGES = 0xD0 };

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

static unsigned used_bins(const struct build_block *block)
{
	uint64_t bins = 0;
	for (unsigned i = 0; i < block->range_count; i++)
		bins += range_bins(block, i);
	assert(bins <= BUILD_BINS_MAX);
	return (unsigned)bins;
}

void build_block_sample(struct build_block *block, uint64_t address, uint64_t count)
{
	uint64_t first = 0;
	for (unsigned i = 0; i < block->range_count; first += range_bins(block, i), i++) {
		if (address < block->ranges[i][0] || address >= block->ranges[i][1])
			continue;
		block->bins[first + ((address - block->ranges[i][0]) >> block->bin_shift)] += count;
		block->ticks += (uint32_t)count;
		return;
	}
	assert(false && "a sample in no range");
}

void build_block_arc(struct build_block *block, uint64_t caller, uint64_t callee, uint32_t count)
{
	assert(block->arc_count < BUILD_ARCS_MAX);
	block->arcs[block->arc_count++] = (struct build_arc){caller, callee, count};
}

static unsigned header_size(const struct build_block *block)
{
	return RANGES + 4 * 2 * block->address_size + 16;
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

static void put_header(const struct writer *writer, const struct build_block *block, size_t size)
{
	memcpy(writer->bytes, "BAREPROF", 8);
	put(writer, 0x08, 0x0102, 2);
	writer->bytes[0x0A] = 1;
	writer->bytes[0x0B] = 0;
	writer->bytes[0x0C] = (uint8_t)block->address_size;
	writer->bytes[0x0D] = block->extra_kind != 0 ? 4 : 3;
	put(writer, 0x0E, header_size(block), 2);
	put(writer, 0x10, block->address, 8);
	put(writer, 0x18, size, 4);
	put(writer, 0x1C, block->clock_hz, 4);
	put(writer, 0x20, block->period, 4);
	put(writer, 0x24, (uint32_t)(block->state - block->address), 4);
	const uint32_t words[] = {block->epoch,   block->reset_count, block->ticks,        block->ticks_missed,
	                          block->outside, block->table_full,  block->arcs_dropped, block->saturated};
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		put(writer, 0x34 + 4 * i, words[i], 4);
	writer->bytes[0x58] = block->identity_size > 0;
	writer->bytes[0x59] = (uint8_t)block->identity_size;
	memcpy(writer->bytes + 0x5C, block->identity, sizeof block->identity);
	memcpy(writer->bytes + 0x7C, block->board, strnlen(block->board, 16));
}

static void put_tables(const struct writer *writer, const struct build_block *block, size_t arcs, size_t bins)
{
	unsigned slot = 3 * block->address_size;
	for (unsigned i = 0; i < block->range_count; i++) {
		put(writer, RANGES + i * 2 * block->address_size, block->ranges[i][0], block->address_size);
		put(writer, RANGES + (i * 2 + 1) * block->address_size, block->ranges[i][1], block->address_size);
	}
	for (unsigned i = 0; i < block->arc_count; i++) {
		size_t at = arcs + (size_t)i * slot;
		put(writer, at, block->arcs[i].caller, block->address_size);
		put(writer, at + block->address_size, block->arcs[i].callee, block->address_size);
		put(writer, at + 2 * block->address_size, block->arcs[i].count, 4);
	}
	for (unsigned i = 0; i < used_bins(block); i++)
		put(writer, bins + (size_t)i * block->bin_bytes, block->bins[i], block->bin_bytes);
}

uint8_t *build_block_bytes(const struct build_block *block, size_t *size)
{
	unsigned slot = 3 * block->address_size, bin_count = used_bins(block);
	size_t arcs = header_size(block), bins = arcs + (size_t)block->arc_count * slot;
	size_t extra = bins + (size_t)bin_count * block->bin_bytes;
	*size = (extra + 4 + 7) / 8 * 8;
	struct writer writer = {calloc(1, *size), block->big_endian, block->address_size};
	assert(writer.bytes != NULL);
	put_header(&writer, block, *size);
	put_entry(&writer, 0, 1, 0, 2 * block->address_size, RANGES, 4, block->range_count);
	put_entry(&writer, 1, 2, block->bin_shift, block->bin_bytes, bins, bin_count, bin_count);
	put_entry(&writer, 2, 3, 0, slot, arcs, block->arc_count, block->arc_count);
	if (block->extra_kind != 0)
		put_entry(&writer, 3, block->extra_kind, 0, 4, extra, 1, 1);
	put_tables(&writer, block, arcs, bins);
	return writer.bytes;
}
