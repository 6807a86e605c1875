/* SPDX-License-Identifier: MIT */
/* See frame.h. */
#include "acquire/channel/frame.h"

#include <string.h>
#include <zlib.h>

/* The COBS code that implies no zero byte after its bytes. */
#define CODE_WITHOUT_ZERO 0xFF

/* After this many bytes of text, the bytes cannot be a frame any more. */
#define TEXT_ENOUGH 16

uint64_t frame_number(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	while (size > 0)
		value = value << 8 | bytes[--size];
	return value;
}

void frame_put_number(uint8_t *bytes, size_t size, uint64_t value)
{
	for (size_t i = 0; i < size; i++, value >>= 8)
		bytes[i] = (uint8_t)value;
}

void frame_decoder_init(struct frame_decoder *decoder)
{
	memset(decoder, 0, sizeof *decoder);
}

/* Whether a byte may follow in UTF-8 text (RFC 3629, section 4) that a terminal accepts. *missing is the number of
 * bytes that the last character still needs. A truncated character is accepted, because bytes may be lost. */
static bool is_text(uint8_t byte, unsigned *missing)
{
	if ((byte & 0xC0) == 0x80)
		return *missing > 0 && (*missing)-- > 0;
	*missing = byte < 0xC2 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
	bool is_control = (byte >= '\a' && byte <= '\r') || byte == '\033';
	return is_control || (byte >= ' ' && byte < 0x7F) || (byte >= 0xC2 && byte <= 0xF4);
}

/* Stricter than is_text(), for possible noise. */
static bool is_all_text(const uint8_t *bytes, size_t size)
{
	unsigned missing = 0;

	for (size_t i = 0; i < size; i++) {
		bool is_cut = missing > 0 && (bytes[i] & 0xC0) != 0x80;

		if (is_cut || !is_text(bytes[i], &missing))
			return false;
	}
	return true;
}

static enum frame_event release_held(struct frame_decoder *decoder)
{
	decoder->size = decoder->held;
	decoder->held = 0;
	return is_all_text(decoder->content, decoder->size) ? FRAME_TEXT : FRAME_NOISE;
}

/* Decodes COBS in place; the result is never longer. False if the last run is cut. */
static bool decode_cobs(uint8_t *bytes, size_t size, size_t *count)
{
	size_t in = 0, out = 0;

	while (in < size) {
		uint8_t code = bytes[in++];
		size_t run = code - 1u;

		if (run > size - in)
			return false;
		memmove(bytes + out, bytes + in, run);
		in += run;
		out += run;
		if (code != CODE_WITHOUT_ZERO && in < size)
			bytes[out++] = 0;
	}
	*count = out;
	return true;
}

static bool is_frame(const uint8_t *bytes, size_t size)
{
	if (size <= BAREPROF_FRAME_CRC_SIZE)
		return false;
	size_t content = size - BAREPROF_FRAME_CRC_SIZE;
	return crc32(0, bytes, (uInt)content) == frame_number(bytes + content, BAREPROF_FRAME_CRC_SIZE);
}

/* A zero byte ends held-back bytes, and may begin a frame if it did not end one. */
static enum frame_event take_delimiter(struct frame_decoder *decoder)
{
	uint8_t piece[FRAME_CONTENT_MAX];
	size_t size = 0;

	decoder->is_inside = true;
	if (decoder->held == 0)
		return FRAME_NONE;
	memcpy(piece, decoder->content, decoder->held);
	if (!decode_cobs(piece, decoder->held, &size) || !is_frame(piece, size))
		return release_held(decoder);
	memcpy(decoder->content, piece, size);
	decoder->size = size - BAREPROF_FRAME_CRC_SIZE;
	decoder->line_size = decoder->held + 2;
	decoder->held = 0;
	decoder->is_inside = false;
	return FRAME_GOOD;
}

/* Whether held-back bytes are text. The second byte of a frame, its head, has its highest bit set, which is rare in
 * text. */
static bool has_become_text(const struct frame_decoder *decoder)
{
	if (decoder->held < 2 || decoder->content[1] >= BAREPROF_FRAME_HEAD(BAREPROF_FRAME_IDENTITY, 0))
		return false;
	return (decoder->held == TEXT_ENOUGH || decoder->content[decoder->held - 1] == '\n') &&
	       is_all_text(decoder->content, decoder->held);
}

enum frame_event frame_decoder_take(struct frame_decoder *decoder, uint8_t byte)
{
	if (byte == BAREPROF_FRAME_DELIMITER)
		return take_delimiter(decoder);
	if (!decoder->is_inside && is_text(byte, &decoder->missing)) {
		decoder->content[0] = byte;
		decoder->size = 1;
		return FRAME_TEXT;
	}
	/* Bytes that cannot be text may be a frame whose first zero byte was lost. */
	decoder->is_inside = true;
	decoder->content[decoder->held++] = byte;
	if (decoder->held < FRAME_CONTENT_MAX && !has_become_text(decoder))
		return FRAME_NONE;
	decoder->is_inside = false;
	return release_held(decoder);
}

size_t frame_encode(const uint8_t *content, size_t size, uint8_t frame[FRAME_REQUEST_MAX])
{
	uint8_t whole[BAREPROF_REQUEST_CONTENT_MAX];
	size_t length = size + BAREPROF_FRAME_CRC_SIZE;
	size_t code = 1; /* position in the frame of the current run's code */

	memcpy(whole, content, size);
	frame_put_number(whole + size, BAREPROF_FRAME_CRC_SIZE, crc32(0, content, (uInt)size));
	frame[0] = BAREPROF_FRAME_DELIMITER;
	for (size_t i = 0; i < length; i++) {
		frame[2 + i] = whole[i];
		if (whole[i] == 0) {
			frame[code] = (uint8_t)(2 + i - code);
			code = 2 + i;
		}
	}
	frame[code] = (uint8_t)(2 + length - code);
	frame[2 + length] = BAREPROF_FRAME_DELIMITER;
	return length + 3;
}

bool frame_unpack(const uint8_t *runs, size_t size, uint8_t *bytes, size_t capacity, size_t *count)
{
	size_t in = 0, out = 0;

	while (in < size) {
		size_t literal = runs[in++];

		if (literal > size - in || literal > capacity - out)
			return false;
		memcpy(bytes + out, runs + in, literal);
		in += literal;
		out += literal;
		size_t zeros = in < size ? runs[in++] : 0;
		if (zeros > capacity - out)
			return false;
		memset(bytes + out, 0, zeros);
		out += zeros;
	}
	*count = out;
	return out > 0 && out % 4 == 0;
}

bool frame_decode_data(const uint8_t *content, size_t size, uint32_t begin, uint32_t end, uint32_t *offset,
                       uint8_t *bytes, size_t *count)
{
	if (size < BAREPROF_DATA_RUNS)
		return false;
	*offset = (uint32_t)frame_number(content + BAREPROF_DATA_OFFSET, 3);
	if (*offset % 4 != 0 || *offset < begin || *offset >= end)
		return false;
	size_t room = end - *offset;
	return frame_unpack(content + BAREPROF_DATA_RUNS, size - BAREPROF_DATA_RUNS, bytes,
	                    room < FRAME_DATA_MAX ? room : FRAME_DATA_MAX, count);
}
