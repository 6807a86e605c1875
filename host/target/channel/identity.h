/* SPDX-License-Identifier: MIT */
/* The identity that a target reports: its blocks and its frame size. */
#ifndef TARGET_CHANNEL_IDENTITY_H
#define TARGET_CHANNEL_IDENTITY_H

#include "target/channel/client.h"

#include <stddef.h>

struct identity {
	struct client_identity memory;
	unsigned frame; /* the longest frame that the target sends, as far as the host accepts it */
};

/* Decodes an IDENTITY frame, which may be hostile. *is_valid is false if its content is impossible; fails if the target
 * speaks another version of the link. where names the target in messages. */
enum status identity_decode(const char *where, const uint8_t *content, size_t size, struct identity *identity,
                            bool *is_valid, struct error *error);
bool identity_is_same(const struct client_identity *one, const struct client_identity *other);
/* Size of all blocks in bytes. */
uint32_t identity_memory_size(const struct client_identity *identity);

#endif
