/* SPDX-License-Identifier: MIT */
/* bareprof_poll(): one step of the link in the main loop. */
#include "link.h"

/* Bytes that a poll reads, up to the end of the first request. */
#define BYTES_PER_POLL 16

BAREPROF_INLINE void bytes_take(struct link_state *state)
{
	uint8_t byte;

	if (bareprof_link.pipe.read == NULL)
		return;
	for (unsigned i = 0; i < BYTES_PER_POLL; i++) {
		if (bareprof_link.pipe.read(&byte, 1) == 0 || bareprof_link_take(state, byte))
			return;
	}
}

BAREPROF_CODE(bareprof_poll) void bareprof_poll(void)
{
	struct link_state *const state = &bareprof_link_state;

	bytes_take(state);
	bareprof_link_send(state);
}
