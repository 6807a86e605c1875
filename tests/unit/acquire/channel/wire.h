/* SPDX-License-Identifier: MIT */
/* Answers of a target (docs/FORMAT.md, section 13), which share no code with host and target. */
#ifndef UNIT_ACQUIRE_CHANNEL_WIRE_H
#define UNIT_ACQUIRE_CHANNEL_WIRE_H

#include "../../target/link/wire.h"

/* Size of the longest frame for this size of content. */
#define WIRE_SIZE(content) ((content) + (content) / 254 + 8)

/* Adds CRC, COBS and zero bytes to head and body; returns the size. */
size_t wire_encode(const uint8_t *content, size_t size, uint8_t *frame);
/* Decodes head and body of a frame; returns their size, 0: damaged. */
size_t wire_decode(const uint8_t *frame, size_t size, uint8_t *content);

/* Head and body of answers; they return their size. */
size_t wire_identity(uint8_t *content, unsigned sequence, unsigned blocks, unsigned frame, uint32_t block_size,
                     uint64_t address);
/* As much of memory[offset..end) as a frame of this size holds; *next is its end. */
size_t wire_data(uint8_t *content, unsigned sequence, const uint8_t *memory, uint32_t offset, uint32_t end,
                 size_t frame, uint32_t *next);

/* A pseudo-random number below bound; changes the seed. */
uint32_t wire_random(uint64_t *seed, uint32_t bound);

#endif
