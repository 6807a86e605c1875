/* SPDX-License-Identifier: MIT */
/* The order of answers: chooses the next frame and writes it to the pipe. */
#include "link.h"

struct link_state bareprof_link_state;

BAREPROF_INLINE uint8_t *identity_put(uint8_t *end)
{
	end = bareprof_link_put(end, bareprof_link.identity, 4);
	end = bareprof_link_put(end, bareprof_layout.block_size, 3);
	return bareprof_link_put(end, (uintptr_t)bareprof_block, 8);
}

BAREPROF_INLINE void answer_make(struct link_state *state)
{
	uint8_t *const content = link_content(BAREPROF_FRAME_MIN);
	const uint8_t head = state->answer;
	uint8_t *end = content + 1;

	state->answer = 0;
	content[0] = head;
	if (state->reason != 0)
		*end++ = state->reason;
	else if (BAREPROF_FRAME_TYPE(head) == BAREPROF_FRAME_IDENTITY)
		end = identity_put(end);
	bareprof_link_frame(state, content, end);
}

BAREPROF_INLINE void read_next(struct link_state *state)
{
	state->read.offset = state->waiting.offset;
	state->read.end = state->waiting.end;
	state->read.limit = state->waiting.limit;
	state->read.head = state->waiting.head;
	state->waiting.offset = state->waiting.end;
}

/* False: there is no frame to make. */
BAREPROF_INLINE bool next_make(struct link_state *state)
{
	if (state->answer != 0) {
		answer_make(state);
		return true;
	}
	if (state->read.offset == state->read.end)
		return false;
	bareprof_link_data(state);
	if (state->read.offset == state->read.end)
		read_next(state);
	return true;
}

BAREPROF_CODE(bareprof_link_send) bool bareprof_link_send(struct link_state *state)
{
	size_t sent;

	if (state->left == 0 && !next_make(state))
		return false;
	sent = bareprof_link.pipe.write(state->next, state->left);
	state->next += sent;
	state->left = (uint16_t)(state->left - sent);
	return true;
}

BAREPROF_CODE(bareprof_send) void bareprof_send(void)
{
	struct link_state *const state = &bareprof_link_state;

	state->answer = BAREPROF_FRAME_HEAD(BAREPROF_FRAME_IDENTITY, 0);
	state->reason = 0;
	state->read.offset = 0;
	state->read.end = bareprof_link.memory_size;
	state->read.limit = bareprof_link.frame_size;
	state->read.head = BAREPROF_FRAME_HEAD(BAREPROF_FRAME_DATA, 0);
	while (bareprof_link_send(state))
		;
}
