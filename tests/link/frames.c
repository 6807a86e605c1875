/* SPDX-License-Identifier: MIT */
/* See frames.h. */
#include "frames.h"

/* The CRC-32 of IEEE 802.3, bit by bit. */
static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ ((crc & 1) ? 0xEDB88320 : 0);
	}
	return ~crc;
}

size_t frames_make(uint8_t *content, size_t size, uint8_t frame[FRAMES_SIZE_MAX])
{
	const uint32_t crc = crc_of(content, size);
	size_t code = 1, end = 2;

	for (unsigned i = 0; i < 4; i++)
		content[size++] = (uint8_t)(crc >> 8 * i);
	frame[0] = 0;
	for (size_t i = 0; i < size; i++) {
		if (end - code == 255) {
			frame[code] = 255;
			code = end++;
		}
		if (content[i] != 0) {
			frame[end++] = content[i];
			continue;
		}
		frame[code] = (uint8_t)(end - code);
		code = end++;
	}
	frame[code] = (uint8_t)(end - code);
	frame[end++] = 0;
	return end;
}

/* Takes the zeros back in; 0 = a piece is cut short. */
static size_t decode(const uint8_t *bytes, size_t size, uint8_t *content)
{
	size_t end = 0;

	for (size_t code = 0; code < size; code += bytes[code]) {
		if (bytes[code] > size - code)
			return 0;
		for (size_t i = 1; i < bytes[code]; i++)
			content[end++] = bytes[code + i];
		if (bytes[code] < 255 && code + bytes[code] < size)
			content[end++] = 0;
	}
	return end;
}

size_t frames_take(struct frames_reader *reader, uint8_t byte, uint8_t content[64])
{
	if (byte != 0) {
		if (reader->size < sizeof reader->bytes)
			reader->bytes[reader->size] = byte;
		reader->size++;
		return 0;
	}
	const size_t length = reader->size;
	reader->size = 0;
	if (length > sizeof reader->bytes)
		return 0;
	const size_t size = decode(reader->bytes, length, content);
	if (size < 5)
		return 0;
	uint32_t crc = 0;
	for (unsigned i = 0; i < 4; i++)
		crc |= (uint32_t)content[size - 4 + i] << 8 * i;
	return crc == crc_of(content, size - 4) ? size - 4 : 0;
}
