/* SPDX-License-Identifier: MIT */
/*
 * What the files of the link know of each other. Frames are those of <bareprof/frame.h>; of the block the link knows
 * where it is, how long it is and which words a host may write.
 *
 * There is one buffer of a frame. What is to be sent next is kept as numbers until it is free, so that a frame tells
 * what the block is by then, and requests are taken while the pipe is slow.
 */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include <bareprof/link.h>
#include <stdbool.h>

/* What is left of a read. Nothing, if offset is end. */
struct link_read {
	uint32_t offset;
	uint32_t end;
	uint16_t limit; /* bytes of the longest frame */
	uint8_t head;   /* of its data frames */
};

/*
 * The bytes of a request as they come. The code that COBS puts in front of each piece stands for a zero, but for the
 * first one; so the content begins one byte further on, and that is where its integers are aligned. One byte more tells
 * of what is too long.
 */
#define LINK_BEGIN       3u
#define LINK_CONTENT     (LINK_BEGIN + 1u)
#define LINK_CONTENT_END (LINK_CONTENT + BAREPROF_REQUEST_CONTENT_MAX + 1u)

struct link_request {
	bool is_inside; /* what comes may be a frame; else it is text */
	uint8_t left;   /* bytes of the piece that are to come */
	uint8_t size;   /* of bytes, from its beginning on */
	union {
		uint8_t bytes[LINK_CONTENT_END];
		uint32_t words[(LINK_CONTENT_END + 3) / 4];
	};
};

/* All zeros at first. */
struct link_state {
	struct link_request request;
	uint8_t answer;                 /* the head of one that goes before any data; 0 = none */
	uint8_t reason;                 /* not 0: it is a refusal */
	uint16_t left;                  /* bytes of the frame in the buffer that are to be sent */
	uint8_t *next;                  /* the first of them */
	struct link_read read, waiting; /* the one that is being answered, and the one after it */
};
extern struct link_state bareprof_link_state;

/* checksum.c: the CRC-32 of IEEE 802.3 (3.2.9) over bytes[0..size), size not 0, before it is complemented. */
uint32_t bareprof_link_crc(const uint8_t *bytes, size_t size);
/* That of anything with its CRC behind it. */
#define LINK_CRC_HOLDS 0xDEBB20E3u

/* frame.c: makes a frame of the content that ends at end, in place, and has it sent. */
void bareprof_link_frame(struct link_state *state, uint8_t *content, uint8_t *end);
/* Stores value in count bytes, the lowest first; those beyond its size are zero. Returns where they end. */
uint8_t *bareprof_link_put(uint8_t *bytes, uintptr_t value, unsigned count);

/* From a word to a number whose lowest byte is the first one in memory, and back. */
static inline uint32_t link_little_endian(uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(word);
#else
	return word;
#endif
}

/*
 * Where the content of a frame of at most limit bytes begins. COBS puts a byte in front of it and one behind each 254
 * bytes: if it begins so many bytes further on, it can be encoded in place, forwards, without overtaking itself. They
 * are 1 + (limit - 2) / 255 at the most; the multiplication stands for the division, for all that a limit can be.
 */
static inline uint8_t *link_content(uint32_t limit)
{
	const uint32_t most = limit - 2;

	return bareprof_link.frame + 2 + ((most + 1 + (most >> 8)) >> 8);
}

/* data.c: makes a data frame of what comes next of a read, of which something is left. */
void bareprof_link_data(struct link_state *state);

/* send.c: sends what the pipe takes, of a frame that is made for it if there is none. False: nothing is to be sent. */
bool bareprof_link_send(struct link_state *state);

/* request.c: takes a byte from the pipe. True if it completed a request, which is then done or on its way. */
bool bareprof_link_take(struct link_state *state, uint8_t byte);

#endif
