/* SPDX-License-Identifier: MIT */
/* See wire.h. Plain and slow: bit by bit, byte by byte. */
#include "wire.h"

#include <string.h>

uint32_t wire_crc(const uint8_t *bytes, size_t size)
{
	uint32_t crc = 0xFFFFFFFF;
	for (size_t i = 0; i < 8 * size; i++) {
		uint32_t bit = (crc ^ (uint32_t)bytes[i / 8] >> i % 8) & 1;
		crc = crc >> 1 ^ (bit ? 0xEDB88320 : 0);
	}
	return ~crc;
}

/* As in the paper: a zero byte is added, then runs are removed from the front. */
size_t wire_stuff(const uint8_t *bytes, size_t size, uint8_t *stuffed)
{
	size_t in = 0, out = 0;
	while (in <= size) {
		size_t run = 0;
		while (run < 254 && in + run < size && bytes[in + run] != 0)
			run++;
		stuffed[out++] = (uint8_t)(run + 1);
		memcpy(stuffed + out, bytes + in, run);
		out += run;
		in += run;
		if (run < 254)
			in++; /* the zero byte, or the added one */
		else if (in == size)
			break;
	}
	return out;
}

size_t wire_frame(const uint8_t *content, size_t size, uint8_t *frame)
{
	uint8_t whole[2048];
	uint32_t crc = wire_crc(content, size);

	memcpy(whole, content, size);
	for (unsigned i = 0; i < 4; i++)
		whole[size + i] = (uint8_t)(crc >> 8 * i);
	frame[0] = 0;
	size_t length = 1 + wire_stuff(whole, size + 4, frame + 1);
	frame[length] = 0;
	return length + 1;
}

size_t wire_content(const uint8_t *frame, size_t size, uint8_t *content)
{
	size_t out = 0;
	for (size_t in = 1; in + 1 < size;) {
		size_t code = frame[in];
		if (code == 0 || in + code >= size)
			return 0;
		for (size_t i = 1; i < code; i++)
			content[out++] = frame[in + i];
		in += code;
		if (in + 1 < size && code < 255)
			content[out++] = 0;
	}
	if (out < 5)
		return 0;
	uint32_t crc = wire_crc(content, out - 4);
	for (unsigned i = 0; i < 4; i++)
		if (content[out - 4 + i] != (uint8_t)(crc >> 8 * i))
			return 0;
	return out - 4;
}

size_t wire_identity(uint8_t *content, unsigned sequence, unsigned blocks, unsigned frame, uint32_t block_size,
                     uint64_t address)
{
	const uint8_t start[] = {(uint8_t)(0x80 | sequence), 1,
	                         (uint8_t)(blocks - 1),      (uint8_t)frame,
	                         (uint8_t)(frame >> 8),      (uint8_t)block_size,
	                         (uint8_t)(block_size >> 8), (uint8_t)(block_size >> 16)};
	memcpy(content, start, sizeof start);
	for (unsigned i = 0; i < 8; i++)
		content[8 + i] = (uint8_t)(address >> 8 * i);
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
	for (unsigned i = 0; i < 3; i++)
		content[1 + i] = (uint8_t)(offset >> 8 * i);
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
