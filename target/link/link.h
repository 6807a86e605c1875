/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the link share. <bareprof/frame.h> defines the frames. The link knows only the block's
 * address, its size and the words that a host may write.
 *
 * There is one frame buffer. Until it is free, pending answers are kept as numbers. So a frame has the block's contents
 * at the time when it is made, and requests are read even while the pipe is slow.
 */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "compiler.h"

#include <bareprof/link.h>
#include <stdbool.h>

/* The project may have no link, and its own functions of these names call ours (<bareprof/link.h>). */
#ifdef BAREPROF_DROP_IN
extern const struct bareprof_link bareprof_link __attribute__((weak));
void bareprof_poll(void) __asm__("bareprof_link_poll");
void bareprof_send(void) __asm__("bareprof_link_send_all");
#endif

/* The rest of a read. It is complete when offset is end. */
struct link_read {
	uint32_t offset;
	uint32_t end;
	uint16_t limit; /* size of the longest frame, in bytes */
	uint8_t head;   /* head byte of its data frames */
};

/*
 * The bytes of a request as they arrive. COBS puts a code before each piece; every code but the first represents a
 * zero. So the content begins at the second byte, and its integers are aligned there. One extra byte detects requests
 * that are too long.
 */
#define LINK_BEGIN       3u
#define LINK_CONTENT     (LINK_BEGIN + 1u)
#define LINK_CONTENT_END (LINK_CONTENT + BAREPROF_REQUEST_CONTENT_MAX + 1u)

struct link_request {
	bool is_inside; /* the bytes that arrive may be a frame; otherwise text */
	uint8_t left;   /* bytes of the piece that are still to arrive */
	uint8_t size;   /* bytes stored so far */
	union {
		uint8_t bytes[LINK_CONTENT_END];
		uint32_t words[(LINK_CONTENT_END + 3) / 4];
	};
};

/* All zeros at first. */
struct link_state {
	struct link_request request;
	uint8_t answer;                 /* head of an answer that is sent before any data; 0: none */
	uint8_t reason;                 /* not 0: the answer is a refusal */
	uint16_t left;                  /* unsent bytes of the frame in the buffer */
	uint8_t *next;                  /* the first unsent byte */
	struct link_read read, waiting; /* the read that is being answered, and the next one */
};
extern struct link_state bareprof_link_state;

/* checksum.c: the CRC-32 of IEEE 802.3 (3.2.9) over bytes[0..size), size not 0, before it is complemented. */
uint32_t bareprof_link_crc(const uint8_t *bytes, size_t size);
/* The CRC of any content followed by its own CRC. */
#define LINK_CRC_HOLDS 0xDEBB20E3u

/* frame.c: makes a frame of the content that ends at end, in place, and queues it. */
void bareprof_link_frame(struct link_state *state, uint8_t *content, uint8_t *end);
/* Stores value in count bytes, the lowest first; bytes beyond its size are zero. Returns their end. */
uint8_t *bareprof_link_put(uint8_t *bytes, uintptr_t value, unsigned count);

/* Converts a word to a number whose lowest byte is the first one in memory, and back. */
BAREPROF_INLINE uint32_t link_little_endian(uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(word);
#else
	return word;
#endif
}

/*
 * The start of the content of a frame of at most limit bytes. COBS adds one byte before the content and one after each
 * 254 bytes. If the content begins as many bytes further on as COBS adds, it can be encoded in place, forwards, without
 * overwriting bytes that are still to be read. COBS adds at most 1 + (limit - 2) / 255 bytes; the multiplication gives
 * the same result as the division for every limit.
 */
BAREPROF_INLINE uint8_t *link_content(uint32_t limit)
{
	const uint32_t size = limit - 2;

	return bareprof_link.frame + 2 + ((size + 1 + (size >> 8)) >> 8);
}

/* data.c: makes a data frame of the next words of a read that is not complete. */
void bareprof_link_data(struct link_state *state);

/* send.c: sends as much as the pipe accepts; makes a frame first if there is none. False: there is nothing to send. */
bool bareprof_link_send(struct link_state *state);

/* request.c: handles a byte from the pipe. True if it completed a request, which has then been executed or queued. */
bool bareprof_link_take(struct link_state *state, uint8_t byte);

#endif
