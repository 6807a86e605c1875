/* SPDX-License-Identifier: MIT */
/* Frames as the other end of the pipe sees them; see wire.h. */
#include "wire.h"

#include <bareprof/frame.h>
#include <string.h>
#include <zlib.h>

uint64_t wire_integer(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

void wire_put(uint8_t *bytes, uint64_t value, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
}

/*
 * COBS as the section describes it: pieces end at zeros, which are left out; each piece is in parts of at most 254
 * bytes, all full except the last. A full part has no zero after it, so if a piece ends with one an empty part follows.
 */
size_t wire_frame(uint8_t *frame, const uint8_t *content, size_t size)
{
	size_t length = 0;
	size_t from = 0;

	frame[length++] = 0;
	for (;;) {
		const uint8_t *zero = memchr(content + from, 0, size - from);
		size_t left = (zero != NULL ? (size_t)(zero - content) : size) - from;

		for (; left >= 254; left -= 254, from += 254, length += 254) {
			frame[length++] = 255;
			memcpy(frame + length, content + from, 254);
		}
		frame[length++] = (uint8_t)(left + 1);
		memcpy(frame + length, content + from, left);
		length += left;
		from += left;
		if (zero == NULL)
			break;
		from++;
	}
	frame[length++] = 0;
	return length;
}

size_t wire_content(uint8_t *content, unsigned type, unsigned sequence, const void *body, size_t size)
{
	content[0] = (uint8_t)(type * 16 + sequence);
	if (size != 0)
		memcpy(content + 1, body, size);
	wire_put(content + 1 + size, crc32(0, content, (uInt)(1 + size)), 4);
	return 1 + size + 4;
}

size_t wire_message(uint8_t *frame, unsigned type, unsigned sequence, const void *body, size_t size)
{
	uint8_t content[WIRE_CONTENT_MAX];

	return wire_frame(frame, content, wire_content(content, type, sequence, body, size));
}

size_t wire_read(uint8_t *frame, unsigned sequence, uint32_t offset, uint32_t size, unsigned limit)
{
	uint8_t body[8];

	wire_put(body, offset, 3);
	wire_put(body + 3, size, 3);
	wire_put(body + 6, limit, 2);
	return wire_message(frame, BAREPROF_FRAME_READ, sequence, body, sizeof body);
}

size_t wire_write(uint8_t *frame, unsigned sequence, uint32_t offset, uint32_t value)
{
	uint8_t body[7];

	wire_put(body, offset, 3);
	wire_put(body + 3, value, 4);
	return wire_message(frame, BAREPROF_FRAME_WRITE, sequence, body, sizeof body);
}

/* Puts the zeros back. */
static bool destuff(const uint8_t *bytes, size_t size, uint8_t *content, size_t *content_size)
{
	size_t out = 0;
	size_t i = 0;

	while (i < size) {
		const size_t code = bytes[i++];

		if (code == 0 || code - 1 > size - i || out + code > WIRE_CONTENT_MAX)
			return false;
		memcpy(content + out, bytes + i, code - 1);
		out += code - 1;
		i += code - 1;
		if (code != 255 && i < size)
			content[out++] = 0;
	}
	*content_size = out;
	return true;
}

bool wire_next(const uint8_t *stream, size_t size, size_t *at, struct wire_frame *frame)
{
	const uint8_t *const begin = stream + *at;
	uint8_t content[WIRE_CONTENT_MAX];
	size_t content_size;

	if (size - *at < 2 || begin[0] != 0)
		return false;
	const uint8_t *const end = memchr(begin + 1, 0, size - *at - 1);

	if (end == NULL || !destuff(begin + 1, (size_t)(end - begin - 1), content, &content_size) || content_size < 5 ||
	    crc32(0, content, (uInt)(content_size - 4)) != wire_integer(content + content_size - 4, 4))
		return false;
	frame->type = content[0] / 16;
	frame->sequence = content[0] % 16;
	frame->length = (size_t)(end - begin) + 1;
	frame->size = content_size - 5;
	memcpy(frame->body, content + 1, frame->size);
	*at += frame->length;
	return true;
}

bool wire_unpack(const struct wire_frame *frame, uint8_t *bytes, size_t capacity, size_t *size)
{
	size_t i = 3;
	bool is_zeros = false;

	*size = 0;
	while (i < frame->size) {
		const size_t count = frame->body[i++];

		if (count > capacity - *size || (!is_zeros && count > frame->size - i))
			return false;
		if (is_zeros) {
			memset(bytes + *size, 0, count);
		} else {
			memcpy(bytes + *size, frame->body + i, count);
			i += count;
		}
		*size += count;
		is_zeros = !is_zeros;
	}
	return *size != 0 && *size % 4 == 0;
}
