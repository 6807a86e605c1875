/* SPDX-License-Identifier: MIT */
/*
 * The other end of the link, and what the link runs on: a memory of blocks between pages that nobody may touch, and a
 * pipe that takes and gives as little as it is told to.
 */
#ifndef UNIT_LIBRARY_LINK_PEER_H
#define UNIT_LIBRARY_LINK_PEER_H

#include "wire.h"

#include <bareprof/link.h>

#define PEER_MEMORY_MAX (1u << 18)
#define PEER_STREAM_MAX (1u << 21)

struct peer {
	/* What the link sent so far, and how much of it was looked at. */
	uint8_t sent[PEER_STREAM_MAX];
	size_t sent_size;
	size_t seen;
	/* What is to come to it. */
	uint8_t coming[PEER_STREAM_MAX];
	size_t coming_size;
	size_t taken;
	/* What it handed on as text. */
	uint8_t text[PEER_STREAM_MAX];
	size_t text_size;
	/* The most that the pipe takes or gives at once; SIZE_MAX: all. With is_random, a number up to that. */
	size_t write_most;
	size_t read_most;
	bool is_random;
	/* Calls of the pipe. */
	unsigned writes;
	unsigned reads;
};
extern struct peer peer;

/* What the link sees as its constants; tests may change them. */
extern struct bareprof_link peer_link;
extern struct bareprof_layout peer_layout;

/* Power-on: blocks of block_size bytes, all random, the pipe wide open, nothing on its way. frame_size is a multiple of
 * nothing, 64 to 1,024. */
void peer_begin(uint32_t block_size, unsigned blocks, unsigned frame_size);
void peer_seed(uint32_t seed);
/* xorshift32: G. Marsaglia, "Xorshift RNGs". */
uint32_t peer_random(void);

/* The memory of the blocks, and what was in it at power-on. */
uint8_t *peer_memory(void);
uint32_t peer_memory_size(void);
/* Whether all but these words are as they were: offsets of words, or nothing. */
bool peer_memory_is_unchanged(const uint32_t *but, size_t count);
void peer_remember(void);
/* Whether what lies around the frame buffer is untouched. */
bool peer_frame_is_in_bounds(void);

/* Puts bytes on their way to the link. */
void peer_send(const void *bytes, size_t size);
void peer_request(unsigned type, unsigned sequence, const void *body, size_t size);
void peer_identify(unsigned sequence);
void peer_read(unsigned sequence, uint32_t offset, uint32_t size, unsigned limit);
void peer_write(unsigned sequence, uint32_t offset, uint32_t value);

/* Polls until nothing is on its way in any direction; fails if that takes for ever. */
void peer_poll(void);
/* The next frame that the link sent; fails if there is something that is none. False: that was all. */
bool peer_next(struct wire_frame *frame);
/* Polls, and the next frame is to be of that type and sequence. */
void peer_expect(unsigned type, unsigned sequence, struct wire_frame *frame);
void peer_expect_nothing(void);
/* Polls, and takes data that must cover the stretch in rising order, no frame longer than limit, and be the memory. How
 * many bytes they took on the wire. */
size_t peer_expect_data(unsigned sequence, uint32_t offset, uint32_t size, size_t limit);

#endif
