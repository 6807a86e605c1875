/* SPDX-License-Identifier: MIT */
/* A copy of a block from a target that may be running. It begins with the header as first read. Sections that are empty
 * according to this header are not read, and are zero in the copy; hash tables are read whole. The header is read again
 * at the end: its tick count bounds how much was counted meanwhile, and if the target was reset or the block cleared,
 * the copy is discarded. */
#ifndef ACQUIRE_PULL_SNAPSHOT_H
#define ACQUIRE_PULL_SNAPSHOT_H

#include "acquire/target/target.h"
#include "base/status.h"
#include "capture/capture.h"

struct snapshot {
	struct capture_header header;
	uint8_t *bytes; /* header.block_size bytes */
	uint64_t ticks_before, ticks_after;
};

/* Copies the block at address. On success the caller frees snapshot->bytes. */
enum status snapshot_take(struct target *target, uint64_t address, struct snapshot *snapshot, struct error *error);

#endif
