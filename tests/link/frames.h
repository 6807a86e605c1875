/* SPDX-License-Identifier: MIT */
/* Frames of the link, as a peer makes and reads them. Written from docs/FORMAT.md, section 13, alone; shares no code
 * with either side. */
#ifndef TESTS_LINK_FRAMES_H
#define TESTS_LINK_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAMES_CONTENT_MAX 4096
#define FRAMES_SIZE_MAX    (FRAMES_CONTENT_MAX + FRAMES_CONTENT_MAX / 254 + 8)

/* Puts the CRC behind the content (size bytes, with room for 4 more), and makes a frame of it; how long that is. */
size_t frames_make(uint8_t *content, size_t size, uint8_t frame[FRAMES_SIZE_MAX]);

/* What stands between two zero bytes, as it comes. */
struct frames_reader {
	uint8_t bytes[64];
	size_t size;
};

/* Takes a byte. If it ends a whole frame: the size of its content without the CRC, content is in `content`; else 0. */
size_t frames_take(struct frames_reader *reader, uint8_t byte, uint8_t content[64]);

#endif
