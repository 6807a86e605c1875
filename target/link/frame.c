/* SPDX-License-Identifier: MIT */
/* The framing: turns the content of a frame into its bytes on the pipe. */
#include "link.h"

BAREPROF_CODE(bareprof_link_put) uint8_t *bareprof_link_put(uint8_t *bytes, uintptr_t value, unsigned count)
{
	do {
		*bytes++ = (uint8_t)value;
		value >>= 8;
	} while (--count != 0);
	return bytes;
}

/*
 * A piece ends at a zero byte, which its code represents, or after 254 bytes. A zero after the CRC ends the last piece;
 * the delimiter is written in its place.
 */
BAREPROF_CODE(bareprof_link_frame) void bareprof_link_frame(struct link_state *state, uint8_t *content, uint8_t *end)
{
	uint8_t *const frame = bareprof_link.frame;
	uint8_t *code = frame + 1;
	uint8_t *out = frame + 2;

	end = bareprof_link_put(end, (uint32_t)~bareprof_link_crc(content, (size_t)(end - content)),
	                        BAREPROF_FRAME_CRC_SIZE + 1);
	do {
		const uint8_t byte = *content++;

		if (byte != 0)
			*out++ = byte;
		if (byte == 0 || out - code == 0xFF) {
			*code = (uint8_t)(out - code);
			code = out++;
		}
	} while (content != end);
	*frame = BAREPROF_FRAME_DELIMITER;
	*code = BAREPROF_FRAME_DELIMITER;
	state->left = (uint16_t)(out - frame);
	state->next = frame;
}
