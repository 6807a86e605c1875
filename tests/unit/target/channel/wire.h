/* SPDX-License-Identifier: MIT */
/* Frames as docs/FORMAT.md, section 13, has them, written a second time and in another way than host and target do. */
#ifndef UNIT_TARGET_CHANNEL_WIRE_H
#define UNIT_TARGET_CHANNEL_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* Room for any frame of a content of so many bytes. */
#define WIRE_SIZE(content) ((content) + (content) / 254 + 8)

uint32_t wire_crc(const uint8_t *bytes, size_t size);
/* COBS alone: returns how many bytes it became. */
size_t wire_stuff(const uint8_t *bytes, size_t size, uint8_t *stuffed);
/* Head and body with CRC, COBS and zero bytes. */
size_t wire_frame(const uint8_t *content, size_t size, uint8_t *frame);
/* Head and body of a request that was framed, with CRC; 0 if it does not hold. */
size_t wire_content(const uint8_t *frame, size_t size, uint8_t *content);

/* Head and body of answers; they return their size. */
size_t wire_identity(uint8_t *content, unsigned sequence, unsigned blocks, unsigned frame, uint32_t block_size,
                     uint64_t address);
/* Takes as much of memory[offset..end) as a frame of so many bytes holds; *next is behind it. */
size_t wire_data(uint8_t *content, unsigned sequence, const uint8_t *memory, uint32_t offset, uint32_t end,
                 size_t frame, uint32_t *next);

/* Repeats for a seed, which it changes; below bound. */
uint32_t wire_random(uint64_t *seed, uint32_t bound);

#endif
