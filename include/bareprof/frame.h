/* SPDX-License-Identifier: MIT */
/*
 * The bytes on a pipe between target and host, shared by the link (which answers) and the host tool (which asks).
 * docs/FORMAT.md, section 13, explains the order of frames.
 *
 * A frame is a zero byte, its content under COBS (Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM
 * Transactions on Networking 7(2), 1999, section 3), and a zero byte. The content is a head, a body that depends on the
 * type, and the CRC-32 of both (IEEE 802.3, as zlib's). Integers in frames are little-endian on every target. Offsets
 * below are from the start of the content.
 */
#ifndef BAREPROF_FRAME_H
#define BAREPROF_FRAME_H

#define BAREPROF_LINK_VERSION 1

/* The framing around the content: two zero bytes, and one code byte of COBS for each 254 bytes begun. */
#define BAREPROF_FRAME_DELIMITER 0x00
#define BAREPROF_FRAME_CRC_SIZE  4

/* The limits of the frame length that a host may request. It includes everything around the content. */
#define BAREPROF_FRAME_MIN 64
#define BAREPROF_FRAME_MAX 1024

/*
 * The head is a byte: type in the high half, sequence in the low. An answer has the sequence of its request. Frames
 * sent without a request have sequence 0, which no request has.
 */
#define BAREPROF_FRAME_HEAD(type, sequence) ((type) << 4 | (sequence))
#define BAREPROF_FRAME_TYPE(head)           ((head) >> 4)
#define BAREPROF_FRAME_SEQUENCE(head)       ((head)&0xF)

/*
 * The memory of the link: all blocks of the target, one after the other as in its RAM. A host can read nothing else.
 * Offsets and sizes in frames refer to this memory, in bytes, and are multiples of 4.
 */
#define BAREPROF_MEMORY_MAX 0x1000000 /* bytes */

/* Host to target. */
#define BAREPROF_FRAME_IDENTIFY 1 /* no body; answered by IDENTITY. Ends all reads under way */
#define BAREPROF_FRAME_READ     2 /* answered by DATA frames that cover it, in ascending order */
#define BAREPROF_FRAME_WRITE    3 /* answered by WRITTEN, even if repeated */

#define BAREPROF_READ_OFFSET 1 /* u24, of the first byte */
#define BAREPROF_READ_SIZE   4 /* u24, not 0 */
#define BAREPROF_READ_LIMIT  7 /* u16, the longest frame to answer with; the target sends the nearest length it can */
#define BAREPROF_READ_END    9

#define BAREPROF_WRITE_OFFSET 1 /* u24, of the control argument or the control request of a block */
#define BAREPROF_WRITE_VALUE  4 /* u32, which the target stores in its own byte order */
#define BAREPROF_WRITE_END    8

/* The longest content of a request, with its CRC. */
#define BAREPROF_REQUEST_CONTENT_MAX (BAREPROF_READ_END + BAREPROF_FRAME_CRC_SIZE)

/* Target to host. */
#define BAREPROF_FRAME_IDENTITY 8
#define BAREPROF_FRAME_DATA     9
#define BAREPROF_FRAME_WRITTEN  10 /* no body */
#define BAREPROF_FRAME_REFUSED  11 /* for a request with a valid CRC */

#define BAREPROF_IDENTITY_VERSION    1 /* u8, BAREPROF_LINK_VERSION; the host refuses any other */
#define BAREPROF_IDENTITY_BLOCKS     2 /* u8, the number of blocks minus 1; all have one size */
#define BAREPROF_IDENTITY_FRAME      3 /* u16, the longest frame that the target sends */
#define BAREPROF_IDENTITY_BLOCK_SIZE 5 /* u24 */
#define BAREPROF_IDENTITY_ADDRESS    8 /* u64, of the first block in the target's memory */
#define BAREPROF_IDENTITY_END        16

/*
 * After the offset come pairs: a number of bytes (u8) with these bytes, then a number of zero bytes (u8). The body may
 * end after either of the two. Together they are not empty, lie within the memory and end at a multiple of 4. Each
 * frame of an answer states the offset of its data, so any of them may be lost.
 */
#define BAREPROF_DATA_OFFSET 1 /* u24 */
#define BAREPROF_DATA_RUNS   4

#define BAREPROF_REFUSED_REASON 1 /* u8 */
#define BAREPROF_REFUSED_END    2
#define BAREPROF_REASON_TYPE    1 /* unknown type of request */
#define BAREPROF_REASON_LENGTH  2 /* the body is too short or too long */
#define BAREPROF_REASON_RANGE   3 /* not in the memory, not aligned, or not a word that may be written */

#endif
