/* SPDX-License-Identifier: MIT */
/* The target's identity, and reassembly of an unrequested transmission (bareprof_send()): an identity, then all memory.
 */
#ifndef ACQUIRE_CHANNEL_TRANSMISSION_H
#define ACQUIRE_CHANNEL_TRANSMISSION_H

#include "acquire/channel/client.h"

#include <stddef.h>

struct identity {
	struct client_identity memory;
	unsigned frame; /* the longest frame that the target sends and the host accepts */
};

/* Decodes an IDENTITY frame, which may be hostile. *is_valid is false if its content is impossible; fails if the target
 * speaks another version of the link. where names the target in messages. */
enum status identity_decode(const char *where, const uint8_t *content, size_t size, struct identity *identity,
                            bool *is_valid, struct error *error);
bool identity_is_same(const struct client_identity *one, const struct client_identity *other);
/* Size of all blocks in bytes. */
uint32_t identity_memory_size(const struct client_identity *identity);

struct transmission {
	struct identity identity;
	uint8_t *memory;   /* partially received; NULL: no identity yet, and data are useless without one */
	uint32_t size;     /* size of the memory */
	uint32_t received; /* bytes received; data arrive in ascending order, none twice */
	unsigned number;   /* number of the transmission, from 1 */

	/* Private. */
	uint32_t end;  /* end of the last data */
	bool is_noisy; /* noise arrived since the last data */
};

/* Adds head and body of an unrequested frame; *is_taken is false if it is useless. A new transmission begins with an
 * identity. It also begins with data that start before the end of the last data: then the identity was lost. Fails if
 * the target speaks another version of the link, or if memory runs out. */
enum status transmission_take(struct transmission *transmission, const char *where, const uint8_t *content, size_t size,
                              bool *is_taken, struct error *error);
/* Noise arrived. If the next data continue exactly at the end of the last data, they belong to another transmission:
 * nothing is sent between adjacent frames of one transmission, so nothing could have been damaged there. */
void transmission_note_noise(struct transmission *transmission);
bool transmission_is_complete(const struct transmission *transmission);
/* A zeroed transmission is allowed. */
void transmission_free(struct transmission *transmission);

#endif
