/* SPDX-License-Identifier: MIT */
/*
 * Frames (docs/FORMAT.md, section 13) in a stream of bytes, and the text between them. Pure functions over bytes: knows
 * nothing of channels, and of what frames say only how data are packed, and that the types of a target's frames are 8
 * and above.
 */
#ifndef TARGET_CHANNEL_FRAME_H
#define TARGET_CHANNEL_FRAME_H

#include <bareprof/frame.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest that is taken, of a frame or a text, between two zero bytes. */
#define FRAME_CONTENT_MAX BAREPROF_FRAME_MAX

/* The shortest frame between its zero bytes: COBS' first byte, a head and the CRC. */
#define FRAME_CONTENT_MIN (2 + BAREPROF_FRAME_CRC_SIZE)

/* The most that one data frame can hold: nothing but runs of zero bytes. */
#define FRAME_DATA_MAX ((size_t)BAREPROF_FRAME_MAX / 2 * 255)

/* What a byte completed. */
enum frame_event {
	FRAME_NONE,
	FRAME_GOOD,  /* content[0..size) is head and body of a frame whose CRC holds, without the CRC */
	FRAME_TEXT,  /* content[0..size) is text from between frames, in UTF-8 */
	FRAME_NOISE, /* content[0..size) is no frame and no text */
};

struct frame_decoder {
	size_t size;
	size_t line_size; /* of a good frame as it was sent, with its zero bytes */
	uint8_t content[FRAME_CONTENT_MAX];

	/* Private. */
	bool is_inside;   /* what comes may be a frame; else it is text */
	size_t held;      /* bytes of content that are not decided on */
	unsigned lacking; /* bytes that the text's last character has still to come */
};

/* For a stream that may begin with text. */
void frame_decoder_init(struct frame_decoder *decoder);
/*
 * Takes one byte. The content is valid until the next one. Text behind a frame that holds is told of byte by byte; text
 * behind a frame that does not is held back, by a line or some bytes, until it cannot be a frame.
 */
enum frame_event frame_decoder_take(struct frame_decoder *decoder, uint8_t byte);

/* Frames head and body (size at the most BAREPROF_REQUEST_CONTENT_MAX - BAREPROF_FRAME_CRC_SIZE); returns how many
 * bytes of frame[0..FRAME_REQUEST_MAX) it is. */
#define FRAME_REQUEST_MAX (BAREPROF_REQUEST_CONTENT_MAX + 3)
size_t frame_encode(const uint8_t *content, size_t size, uint8_t frame[FRAME_REQUEST_MAX]);

/* Unpacks the runs of a data frame into bytes[0..capacity). False if they are cut, empty, too many or end in the middle
 * of a word. */
bool frame_unpack(const uint8_t *runs, size_t size, uint8_t *bytes, size_t capacity, size_t *count);

/* The number in bytes[0..size), size at the most 8, as frames have it: little-endian. */
uint64_t frame_number(const uint8_t *bytes, size_t size);
void frame_put_number(uint8_t *bytes, size_t size, uint64_t value);

#endif
