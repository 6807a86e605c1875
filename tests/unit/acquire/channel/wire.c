/* SPDX-License-Identifier: MIT */
/* See wire.h. */
#include "wire.h"

#include <string.h>

size_t wire_encode(const uint8_t *content, size_t size, uint8_t *frame)
{
	return wire_message(frame, content[0] / 16u, content[0] % 16u, content + 1, size - 1);
}

size_t wire_decode(const uint8_t *frame, size_t size, uint8_t *content)
{
	struct wire_frame decoded;
	size_t at = 0;

	if (!wire_next(frame, size, &at, &decoded))
		return 0;
	content[0] = (uint8_t)(decoded.type << 4 | decoded.sequence);
	memcpy(content + 1, decoded.body, decoded.size);
	return 1 + decoded.size;
}

size_t wire_identity(uint8_t *content, unsigned sequence, unsigned blocks, unsigned frame, uint32_t block_size,
                     uint64_t address)
{
	const uint8_t start[] = {(uint8_t)(0x80 | sequence), 1,
	                         (uint8_t)(blocks - 1),      (uint8_t)frame,
	                         (uint8_t)(frame >> 8),      (uint8_t)block_size,
	                         (uint8_t)(block_size >> 8), (uint8_t)(block_size >> 16)};

	memcpy(content, start, sizeof start);
	wire_put(content + 8, address, 8);
	return 16;
}

/* The number of zero bytes from offset on, at most 255. */
static uint32_t zeros_at(const uint8_t *memory, uint32_t offset, uint32_t end)
{
	uint32_t count = 0;

	while (count < 255 && offset + count < end && memory[offset + count] == 0)
		count++;
	return count;
}

size_t wire_data(uint8_t *content, unsigned sequence, const uint8_t *memory, uint32_t offset, uint32_t end,
                 size_t frame, uint32_t *next)
{
	size_t room = frame - 8 - frame / 254; /* for head and body: without CRC, COBS and zero bytes */
	size_t size = 4;

	content[0] = (uint8_t)(0x90 | sequence);
	wire_put(content + 1, offset, 3);
	/* Words that are not zero, then zero words. */
	while (offset < end && size + 6 <= room) {
		uint32_t literal = 0;
		size_t counts_at = size++;

		while (offset < end && literal < 252 && size + 5 <= room && zeros_at(memory, offset, end) < 4) {
			memcpy(content + size, memory + offset, 4);
			size += 4;
			offset += 4;
			literal += 4;
		}
		content[counts_at] = (uint8_t)literal;
		uint32_t zeros = zeros_at(memory, offset, end) / 4 * 4;
		content[size++] = (uint8_t)zeros;
		offset += zeros;
	}
	*next = offset;
	return size;
}

/* Knuth, "The Art of Computer Programming", volume 2, 3.3.4, table 1, line 26. */
uint32_t wire_random(uint64_t *seed, uint32_t bound)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % bound);
}
