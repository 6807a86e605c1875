/* SPDX-License-Identifier: MIT */
/* A recorded stream: what a target sent by itself (bareprof_send()), as a file. Knows nothing of blocks. */
#ifndef CHANNEL_RECORDING_H
#define CHANNEL_RECORDING_H

#include "status/status.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Puts the memory together that the last complete sending in stream[0..size) holds: *memory (malloc'd, the caller's) of
 * *memory_size bytes, which begins at *address. Fails if there are no frames, or if data are missing: the message says
 * how many bytes of how many. path names the stream in messages.
 */
enum status recording_decode(const char *path, const uint8_t *stream, size_t size, uint8_t **memory,
                             size_t *memory_size, uint64_t *address, struct error *error);

#endif
