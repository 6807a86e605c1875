/* SPDX-License-Identifier: MIT */
/* Copies of slices, and slices and totals of an interval. */
#include "capture/stacks.h"

#include "capture/decoders.h"

#include <bareprof/block.h>
#include <string.h>

/* Bytes of the bits that mark the kept words; 0 if the slice is not filtered. */
static size_t kept_bits_size(const struct capture_slice *slice, unsigned address_size)
{
	const unsigned group = BAREPROF_SLICE_GROUP_WORDS(address_size);
	const size_t words = slice->size / address_size;

	return slice->kept != NULL ? (words + group - 1) / group * address_size : 0;
}

static size_t kept_words_size(const struct capture_slice *slice, unsigned address_size)
{
	const size_t bits = kept_bits_size(slice, address_size);
	size_t words = 0;

	if (slice->kept == NULL)
		return slice->size;
	for (size_t i = 0; i < bits; i++)
		words += (size_t)__builtin_popcount(slice->kept[i]);
	return words * address_size;
}

size_t slice_memory_size(const struct capture_slice *slice, unsigned address_size)
{
	return kept_bits_size(slice, address_size) + kept_words_size(slice, address_size);
}

uint8_t *slice_move(struct capture_slice *slice, unsigned address_size, uint8_t *memory)
{
	const size_t bits = kept_bits_size(slice, address_size), words = kept_words_size(slice, address_size);

	if (slice->kept != NULL)
		slice->kept = memcpy(memory, slice->kept, bits);
	if (words > 0)
		memcpy(memory + bits, slice->bytes, words);
	slice->bytes = memory + bits;
	return memory + bits + words;
}

bool stack_totals_have_grown(const struct capture_block *block, const struct capture_block *earlier)
{
	const struct capture_stack_totals *after = &block->stack_totals, *before = &earlier->stack_totals;

	return after->offered >= before->offered && after->bad >= before->bad &&
	       after->tree_full >= before->tree_full && after->timed >= before->timed && after->cost >= before->cost &&
	       after->overruns >= before->overruns && after->table_crc == before->table_crc;
}

/* Drops the slices that the earlier block may have had. The others are a uniform sample of the ticks since then. */
static void drop_slices(struct capture_block *block, uint64_t offered)
{
	size_t kept = 0;

	for (size_t i = 0; i < block->slice_count; i++) {
		if (block->slices[i].number <= offered)
			continue;
		block->slices[kept] = block->slices[i];
		block->slices[kept++].weight = 0;
	}
	block->slice_count = kept;
}

void subtract_stacks(struct capture_block *block, const struct capture_block *earlier)
{
	struct capture_stack_totals *totals = &block->stack_totals;
	const struct capture_stack_totals *before = &earlier->stack_totals;

	totals->offered -= before->offered;
	totals->bad -= before->bad;
	totals->tree_full -= before->tree_full;
	totals->timed -= before->timed;
	totals->cost -= before->cost;
	totals->overruns -= before->overruns;
	drop_slices(block, before->offered);
	weigh_slices(block);
}
