/* SPDX-License-Identifier: MIT */
/* Frames (docs/FORMAT.md, section 13) in a stream of bytes, and the text between them. Pure functions over bytes. They
 * interpret only a frame's type, which is 8 or above in frames from a target, and packed data. */
#ifndef ACQUIRE_CHANNEL_FRAME_H
#define ACQUIRE_CHANNEL_FRAME_H

#include <bareprof/frame.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest frame or text between two zero bytes that is accepted. */
#define FRAME_CONTENT_MAX BAREPROF_FRAME_MAX

/* The shortest frame between its zero bytes: first COBS byte, head and CRC. */
#define FRAME_CONTENT_MIN (2 + BAREPROF_FRAME_CRC_SIZE)

/* The largest content of one data frame: only runs of zero bytes. */
#define FRAME_DATA_MAX ((size_t)BAREPROF_FRAME_MAX / 2 * 255)

/* The result of adding a byte. */
enum frame_event {
	FRAME_NONE,
	FRAME_GOOD,  /* content[0..size) is head and body of a frame whose CRC was correct */
	FRAME_TEXT,  /* content[0..size) is UTF-8 text between frames */
	FRAME_NOISE, /* content[0..size) is neither a frame nor text */
};

struct frame_decoder {
	size_t size;
	size_t line_size; /* size of a good frame on the wire, with its zero bytes */
	uint8_t content[FRAME_CONTENT_MAX];

	/* Private. */
	bool is_inside;   /* the next bytes may be a frame; otherwise text */
	size_t held;      /* bytes of content that may be either */
	unsigned missing; /* bytes that the last character of text still needs */
};

/* Initializes a decoder for a stream that may begin with text. */
void frame_decoder_init(struct frame_decoder *decoder);
/* Decodes one byte. The content is valid until the next call. Text after a good frame is reported byte by byte. After a
 * damaged frame, text is held back for a line or some bytes, until it cannot be a frame. */
enum frame_event frame_decoder_take(struct frame_decoder *decoder, uint8_t byte);

/* Encodes a frame of head and body (size at most BAREPROF_REQUEST_CONTENT_MAX - BAREPROF_FRAME_CRC_SIZE); returns its
 * size. */
#define FRAME_REQUEST_MAX (BAREPROF_REQUEST_CONTENT_MAX + 3)
size_t frame_encode(const uint8_t *content, size_t size, uint8_t frame[FRAME_REQUEST_MAX]);

/* Decodes a DATA frame into bytes, which has FRAME_DATA_MAX bytes. False if the frame is malformed, or if its memory is
 * not within `begin` to `end`. */
bool frame_decode_data(const uint8_t *content, size_t size, uint32_t begin, uint32_t end, uint32_t *offset,
                       uint8_t *bytes, size_t *count);
/* Unpacks the runs of a data frame into bytes[0..capacity). False if the runs are cut, empty, too long or end within a
 * word. */
bool frame_unpack(const uint8_t *runs, size_t size, uint8_t *bytes, size_t capacity, size_t *count);

/* The little-endian number in bytes[0..size), size at most 8. */
uint64_t frame_number(const uint8_t *bytes, size_t size);
void frame_put_number(uint8_t *bytes, size_t size, uint64_t value);

#endif
