/* SPDX-License-Identifier: MIT */
/* A recorded stream of frames in a file, as bareprof_send() sends them. */
#ifndef ACQUIRE_CHANNEL_RECORDING_H
#define ACQUIRE_CHANNEL_RECORDING_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct recording {
	uint8_t *memory; /* allocated; the caller frees it */
	size_t size;
	uint64_t address; /* address of the first byte */
	char note[512];   /* which of several transmissions was chosen; empty: there is only one */
};

/* Reassembles the memory of the last complete transmission in stream[0..size); transmissions are never mixed. If none
 * is complete, the error states how many bytes the best one has. path names the stream in messages. */
enum status recording_decode(const char *path, const uint8_t *stream, size_t size, struct recording *recording,
                             struct error *error);

#endif
