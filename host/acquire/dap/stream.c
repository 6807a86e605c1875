/* SPDX-License-Identifier: MIT */
/* See stream.h. */
#include "acquire/dap/stream.h"

/* Clocks of a request, from its start (IHI 0031, B4.2, figures): 8 bits from the host, turnaround, acknowledge, then 32
 * bits of data and their parity. A write has a turnaround before the data, a read after them. */
#define REQUEST_BITS 8
#define ACK_AT       9
#define ACK_BITS     3
#define READ_AT      12
#define WORD_BITS    32

static bool parity_of(uint32_t word)
{
	return __builtin_parity(word) != 0;
}

static void add_bits(struct stream *stream, uint32_t bits, unsigned count, bool is_driven)
{
	for (unsigned i = 0; i < count; i++, stream->count++) {
		const uint8_t mask = (uint8_t)(1u << stream->count % 8);
		uint8_t *byte = &stream->bits[stream->count / 8], *direction = &stream->direction[stream->count / 8];

		if (mask == 1)
			*byte = *direction = 0;
		if (bits >> i & 1)
			*byte |= mask;
		if (is_driven)
			*direction |= mask;
	}
}

/* Start, APnDP, RnW, A2, A3, parity, stop, park. */
static uint32_t request_byte(uint8_t reg)
{
	return 0x81u | (reg & 0xFu) << 1 | (uint32_t)parity_of(reg & 0xFu) << 5;
}

static size_t clocks_per_request(const struct stream *stream)
{
	return STREAM_REQUEST_CLOCKS + stream->pause;
}

bool stream_has_room(const struct stream *stream)
{
	return stream->count + clocks_per_request(stream) + STREAM_IDLE_CLOCKS <= (size_t)STREAM_BYTES_MAX * 8;
}

void stream_add_request(struct stream *stream, uint8_t reg, uint32_t word)
{
	add_bits(stream, request_byte(reg), REQUEST_BITS, true);
	add_bits(stream, 0, 1 + ACK_BITS, false);
	if (reg & DAP_READ) {
		add_bits(stream, 0, WORD_BITS, false);
		add_bits(stream, 0, 2, false);
	} else {
		add_bits(stream, 0, 1, false);
		add_bits(stream, word, WORD_BITS, true);
		add_bits(stream, parity_of(word), 1, true);
	}
	for (unsigned left = stream->pause, part; left > 0; left -= part) {
		part = left < WORD_BITS ? left : WORD_BITS;
		add_bits(stream, 0, part, true);
	}
}

void stream_add_idle(struct stream *stream)
{
	add_bits(stream, 0, STREAM_IDLE_CLOCKS, true);
}

static uint32_t seen_bits(const struct stream *stream, size_t index, unsigned at, unsigned count)
{
	size_t clock = index * clocks_per_request(stream) + at;
	uint32_t bits = 0;

	for (unsigned i = 0; i < count; i++, clock++)
		bits |= (uint32_t)(stream->in[clock / 8] >> clock % 8 & 1) << i;
	return bits;
}

enum dap_ack stream_ack(const struct stream *stream, size_t index)
{
	return dap_ack_of(seen_bits(stream, index, ACK_AT, ACK_BITS));
}

bool stream_word(const struct stream *stream, size_t index, uint32_t *word)
{
	*word = seen_bits(stream, index, READ_AT, WORD_BITS);
	return seen_bits(stream, index, READ_AT + WORD_BITS, 1) == parity_of(*word);
}
