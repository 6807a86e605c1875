/* SPDX-License-Identifier: MIT */
/* What a target sends unasked (bareprof_send()): an identity, and data for all of the memory. Puts one such sending
 * together. Knows nothing of streams. */
#ifndef TARGET_CHANNEL_SENDING_H
#define TARGET_CHANNEL_SENDING_H

#include "target/channel/identity.h"

struct sending {
	struct identity identity;
	uint8_t *memory; /* all of it, as far as it came; NULL = no identity came, without which data are worth nothing
	                  */
	uint32_t size;   /* of the memory */
	uint32_t received; /* bytes of it; as data come in rising order, none twice */
	unsigned number;   /* of the sending, from 1: how many began */

	/* Private. */
	uint32_t end;  /* of the data that came last */
	bool is_noisy; /* noise came since then */
};

/*
 * Takes head and body of a frame that nobody asked for; *is_taken is false if it is of no use. An identity begins a new
 * sending, and so do data that begin before the last ones ended: then the identity between them was lost. Fails if the
 * target speaks another version of the link, or if there is not enough memory: then its data are of no use.
 */
enum status sending_take(struct sending *sending, const char *where, const uint8_t *content, size_t size,
                         bool *is_taken, struct error *error);
/*
 * What is no frame came. Data behind it that go on where those before it ended are of another sending, as between
 * frames of one that are next to each other there is nothing that could have become it.
 */
void sending_note_noise(struct sending *sending);
bool sending_is_complete(const struct sending *sending);
/* Also a sending of zeros. */
void sending_free(struct sending *sending);

#endif
