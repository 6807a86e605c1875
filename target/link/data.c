/* SPDX-License-Identifier: MIT */
/* Data frames: words of the block, with runs of zero words as counts. */
#include "link.h"

/*
 * A frame covers at most this many bytes of memory per byte of its length, so that no call takes long even if all are
 * zero.
 */
#define MEMORY_PER_FRAME_BYTE 4u

/* The maximum of a count, in whole words. */
#define COUNT_MAX 252

struct packer {
	uint8_t *end;
	uint8_t *count; /* the count of the bytes or zeros that are being added */
	bool is_of_zeros;
};

BAREPROF_INLINE void count_begin(struct packer *packer, bool is_of_zeros)
{
	packer->count = packer->end++;
	*packer->count = 0;
	packer->is_of_zeros = is_of_zeros;
}

BAREPROF_INLINE void word_take(struct packer *packer, uint32_t word)
{
	const bool is_zero = word == 0;

	while (is_zero != packer->is_of_zeros || *packer->count == COUNT_MAX)
		count_begin(packer, !packer->is_of_zeros);
	*packer->count = (uint8_t)(*packer->count + sizeof word);
	if (!is_zero)
		packer->end = bareprof_link_put(packer->end, link_little_endian(word), sizeof word);
}

/*
 * Whether there is room for any next word. After non-zero words it takes the word or a count, otherwise the word and
 * two counts.
 */
BAREPROF_INLINE bool word_fits(const struct packer *packer, const uint8_t *limit)
{
	const int bytes = packer->is_of_zeros || *packer->count == COUNT_MAX ? 6 : 4;

	return limit - packer->end >= bytes;
}

/* Each word is read once: it may change at any time. */
BAREPROF_CODE(bareprof_link_data) void bareprof_link_data(struct link_state *state)
{
	struct link_read *const read = &state->read;
	uint8_t *const content = link_content(read->limit);
	const uint8_t *const limit = bareprof_link.frame + read->limit - 1 - BAREPROF_FRAME_CRC_SIZE;
	uint32_t offset = read->offset;
	const uint32_t enough = offset + read->limit * MEMORY_PER_FRAME_BYTE;
	struct packer packer;

	content[0] = read->head;
	packer.end = bareprof_link_put(content + BAREPROF_DATA_OFFSET, offset, 3);
	count_begin(&packer, false);
	do {
		word_take(&packer, *(volatile uint32_t *)offset_by(bareprof_block, offset));
		offset += sizeof(uint32_t);
	} while (offset != read->end && offset < enough && word_fits(&packer, limit));
	read->offset = offset;
	bareprof_link_frame(state, content, packer.end);
}
