/* SPDX-License-Identifier: MIT */
/*
 * Requests from the host: finds them in the bytes of the pipe and executes or queues them.
 *
 * Input is untrusted. Offsets and sizes are checked against numbers in flash, and only the two control words of each
 * block may be written.
 */
#include "link.h"

/* Added to the head of a request, this gives the head of its answer. */
#define TO_ANSWER(request, answer) BAREPROF_FRAME_HEAD((answer) - (request), 0)
#define ANSWER                     TO_ANSWER(BAREPROF_FRAME_IDENTIFY, BAREPROF_FRAME_IDENTITY)
_Static_assert(ANSWER == TO_ANSWER(BAREPROF_FRAME_READ, BAREPROF_FRAME_DATA), "reads are answered otherwise");
_Static_assert(ANSWER == TO_ANSWER(BAREPROF_FRAME_WRITE, BAREPROF_FRAME_WRITTEN), "writes are answered otherwise");

/* The end of the body, by type. */
BAREPROF_CONSTANT(ends)
static const uint8_t ends[] = {
        [BAREPROF_FRAME_IDENTIFY] = 1,
        [BAREPROF_FRAME_READ] = BAREPROF_READ_END,
        [BAREPROF_FRAME_WRITE] = BAREPROF_WRITE_END,
};
#define LAST_TYPE BAREPROF_FRAME_WRITE

/* These functions return the reason for a refusal, or 0. */

BAREPROF_INLINE uint8_t identify(struct link_state *state)
{
	state->read.offset = state->read.end;
	state->waiting.offset = state->waiting.end;
	return 0;
}

/* A third read replaces the second, for which the host no longer waits. */
BAREPROF_INLINE uint8_t read_begin(struct link_state *state, uint32_t offset)
{
	const struct link_request *const request = &state->request;
	struct link_read *const read = state->read.offset == state->read.end ? &state->read : &state->waiting;
	const uint8_t *const content = request->bytes + LINK_CONTENT;
	const uint32_t end = offset + (link_little_endian(request->words[2]) & 0xFFFFFFu);
	uint32_t limit = content[BAREPROF_READ_LIMIT] | (uint32_t)content[BAREPROF_READ_LIMIT + 1] << 8;

	if (((offset | end) & 3) != 0 || offset == end || end > bareprof_link.memory_size)
		return BAREPROF_REASON_RANGE;
	if (limit < BAREPROF_FRAME_MIN)
		limit = BAREPROF_FRAME_MIN;
	if (limit > bareprof_link.frame_size)
		limit = bareprof_link.frame_size;
	read->offset = offset;
	read->end = end;
	read->limit = (uint16_t)limit;
	read->head = (uint8_t)(content[0] + ANSWER);
	return 0;
}

_Static_assert((BAREPROF_OFFSET_CONTROL_ARGUMENT ^ BAREPROF_OFFSET_CONTROL_REQUEST) == 4, "they differ in one bit");

BAREPROF_INLINE uint8_t word_write(uint32_t offset, uint32_t value)
{
	for (uint32_t block = 0; block < bareprof_link.memory_size; block += bareprof_layout.block_size) {
		if (((offset - block) | 4) != (BAREPROF_OFFSET_CONTROL_ARGUMENT | 4))
			continue;
		*(volatile uint32_t *)offset_by(bareprof_block, offset) = value;
		return 0;
	}
	return BAREPROF_REASON_RANGE;
}

BAREPROF_INLINE uint8_t request_do(struct link_state *state)
{
	const struct link_request *const request = &state->request;
	const unsigned type = BAREPROF_FRAME_TYPE(request->bytes[LINK_CONTENT]);
	const uint32_t offset = link_little_endian(request->words[1]) >> 8;

	if (type == 0 || type > LAST_TYPE)
		return BAREPROF_REASON_TYPE;
	if (request->size != LINK_CONTENT + ends[type] + BAREPROF_FRAME_CRC_SIZE)
		return BAREPROF_REASON_LENGTH;
	if (type == BAREPROF_FRAME_READ)
		return read_begin(state, offset);
	if (type == BAREPROF_FRAME_WRITE)
		return word_write(offset, link_little_endian(request->words[2]));
	return identify(state);
}
_Static_assert(BAREPROF_READ_OFFSET == BAREPROF_WRITE_OFFSET, "both have the offset at the same place");

/*
 * If two answers are pending, only the last is sent: a host that did not wait asks again. Answers are not answered, or
 * the echo of a pipe would never end.
 */
BAREPROF_INLINE void request_serve(struct link_state *state)
{
	const uint8_t head = state->request.bytes[LINK_CONTENT];
	uint8_t reason;

	if (BAREPROF_FRAME_TYPE(head) >= BAREPROF_FRAME_IDENTITY)
		return;
	reason = request_do(state);
	if (reason == 0 && BAREPROF_FRAME_TYPE(head) == BAREPROF_FRAME_READ)
		return;
	state->reason = reason;
	state->answer =
	        (uint8_t)(reason == 0 ? head + ANSWER
	                              : BAREPROF_FRAME_HEAD(BAREPROF_FRAME_REFUSED, BAREPROF_FRAME_SEQUENCE(head)));
}

/*
 * Text is not stored here. A frame that is longer than any request is cut; then its CRC does not match, or no request
 * has its length.
 */
BAREPROF_INLINE bool request_end(struct link_state *state)
{
	const struct link_request *const request = &state->request;

	if (request->left != 0 || request->size <= LINK_CONTENT + BAREPROF_FRAME_CRC_SIZE ||
	    bareprof_link_crc(request->bytes + LINK_CONTENT, request->size - LINK_CONTENT) != LINK_CRC_HOLDS)
		return false;
	request_serve(state);
	return true;
}

BAREPROF_CODE(bareprof_link_take) bool bareprof_link_take(struct link_state *state, uint8_t byte)
{
	struct link_request *const request = &state->request;

	if (byte == BAREPROF_FRAME_DELIMITER) {
		const bool is_request = request_end(state);

		request->is_inside = !is_request;
		request->size = LINK_BEGIN;
		request->left = 0;
		return is_request;
	}
	if (!request->is_inside) {
		if (bareprof_link.pipe.text != NULL)
			bareprof_link.pipe.text(byte);
		return false;
	}
	if (request->left == 0) {
		request->left = byte;
		byte = 0;
	}
	request->left--;
	if (request->size < LINK_CONTENT_END)
		request->bytes[request->size++] = byte;
	return false;
}
