/* SPDX-License-Identifier: MIT */
/*
 * The host at the other end of the link, and the link's environment: a memory of blocks between inaccessible pages, and
 * a pipe that limits how many bytes it accepts and delivers.
 */
#ifndef UNIT_TARGET_LINK_PEER_H
#define UNIT_TARGET_LINK_PEER_H

#include "wire.h"

#include <bareprof/link.h>

#define PEER_MEMORY_MAX (1u << 18)
#define PEER_STREAM_MAX (1u << 21)

struct peer {
	/* Output of the link, and how much of it was checked. */
	uint8_t sent[PEER_STREAM_MAX];
	size_t sent_size;
	size_t seen;
	struct wire_frame frame; /* the last that peer_next() found */
	/* Input for the link. */
	uint8_t coming[PEER_STREAM_MAX];
	size_t coming_size;
	size_t taken;
	/* Text that the link passed on. */
	uint8_t text[PEER_STREAM_MAX];
	size_t text_size;
	/* Limits of the pipe per call; SIZE_MAX: none. With is_random, each call has a random limit up to these. */
	size_t write_max;
	size_t read_max;
	bool is_random;
	/* Calls of the pipe. */
	unsigned writes;
	unsigned reads;
};
extern struct peer peer;

/* Constants for the link; tests may change them. */
extern struct bareprof_link peer_link;
extern struct bareprof_layout peer_layout;

/*
 * Power-on: blocks of block_size bytes, all random, an empty pipe without limits. frame_size may be any number from 64
 * to 1,024.
 */
void peer_begin(uint32_t block_size, unsigned blocks, unsigned frame_size);
void peer_seed(uint32_t seed);
uint32_t peer_random(void);

/* The memory of the blocks, and what was in it at power-on. */
uint8_t *peer_memory(void);
uint32_t peer_memory_size(void);
/* Whether the memory is unchanged except for the words at these offsets. */
bool peer_memory_is_unchanged(const uint32_t *but, size_t count);
void peer_remember(void);
/* Whether the bytes around the frame buffer are untouched. */
bool peer_frame_is_in_bounds(void);

/* Queues bytes for the link. */
void peer_send(const void *bytes, size_t size);
void peer_request(unsigned type, unsigned sequence, const void *body, size_t size);
void peer_identify(unsigned sequence);
void peer_read(unsigned sequence, uint32_t offset, uint32_t size, unsigned limit);
void peer_write(unsigned sequence, uint32_t offset, uint32_t value);

/* Polls until both directions are empty; fails if that does not happen. */
void peer_poll(void);
/* Puts the next frame that the link sent into peer.frame; fails if the bytes are not a frame. False: that was all. */
bool peer_next(void);
/* Polls; the next frame must be of that type and sequence. */
void peer_expect(unsigned type, unsigned sequence);
void peer_expect_nothing(void);
/*
 * Polls, and receives data that must cover the range in rising order, in frames no longer than limit, and equal the
 * memory. Returns the number of bytes on the wire.
 */
size_t peer_expect_data(unsigned sequence, uint32_t offset, uint32_t size, size_t limit);

#endif
