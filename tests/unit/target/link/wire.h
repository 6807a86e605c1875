/* SPDX-License-Identifier: MIT */
/*
 * Frames of docs/FORMAT.md, section 13, written from there, to check the link against. Shares no code with it or with
 * host/acquire/channel/, and asserts nothing, so that fuzz targets can use it, too.
 */
#ifndef UNIT_TARGET_LINK_WIRE_H
#define UNIT_TARGET_LINK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_CONTENT_MAX 2048
/* The longest frame that wire_frame() makes. */
#define WIRE_FRAME_MAX (WIRE_CONTENT_MAX + WIRE_CONTENT_MAX / 254 + 3)

struct wire_frame {
	unsigned type;
	unsigned sequence;
	size_t length; /* on the wire, all included */
	size_t size;   /* of the body */
	uint8_t body[WIRE_CONTENT_MAX];
};

/* Makes a frame of any content; returns its length. */
size_t wire_frame(uint8_t *frame, const uint8_t *content, size_t size);
/* The content of a frame: head, body and their CRC; returns its size. */
size_t wire_content(uint8_t *content, unsigned type, unsigned sequence, const void *body, size_t size);
/* The frame of that. */
size_t wire_message(uint8_t *frame, unsigned type, unsigned sequence, const void *body, size_t size);
/* The frames of two requests. */
size_t wire_read(uint8_t *frame, unsigned sequence, uint32_t offset, uint32_t size, unsigned limit);
size_t wire_write(uint8_t *frame, unsigned sequence, uint32_t offset, uint32_t value);

/* Decodes the frame at stream[*at], which must be complete and valid, and moves *at to its end. */
bool wire_next(const uint8_t *stream, size_t size, size_t *at, struct wire_frame *frame);

/* Little-endian integers. */
uint64_t wire_integer(const uint8_t *bytes, size_t count);
void wire_put(uint8_t *bytes, uint64_t value, size_t count);

/* The words that the runs of a data frame encode. False if they are malformed, empty or more than capacity. */
bool wire_unpack(const struct wire_frame *frame, uint8_t *bytes, size_t capacity, size_t *size);

#endif
