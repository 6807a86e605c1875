/* SPDX-License-Identifier: MIT */
/* A recorded stream: what a target sent by itself (bareprof_send()), as a file. Knows nothing of blocks. */
#ifndef TARGET_CHANNEL_RECORDING_H
#define TARGET_CHANNEL_RECORDING_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct recording {
	uint8_t *memory; /* malloc'd, the caller's */
	size_t size;
	uint64_t address; /* of the first byte */
	char note[512];   /* which of several sendings it is, for the user; empty = there is one */
};

/*
 * Puts the memory together that the last complete sending in stream[0..size) holds, of that one alone. Fails if there
 * is none: the message says how much of the best one is there. path names the stream in messages.
 */
enum status recording_decode(const char *path, const uint8_t *stream, size_t size, struct recording *recording,
                             struct error *error);

#endif
