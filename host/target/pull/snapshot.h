/* SPDX-License-Identifier: MIT */
/*
 * A block copied out of a target that may be running. Knows nothing of what the counts mean.
 *
 * The copy begins with the header as it was first read. A section that this header calls empty is not read and is zero
 * in the copy; hash tables are read whole. The header is read once more at the end: its tick count bounds how much was
 * counted meanwhile, and a copy during which the target was reset or the block cleared is thrown away.
 */
#ifndef TARGET_PULL_SNAPSHOT_H
#define TARGET_PULL_SNAPSHOT_H

#include "base/status.h"
#include "capture/capture.h"
#include "target/backend/target.h"

struct snapshot {
	struct capture_header header;
	uint8_t *bytes; /* header.block_size of them */
	uint64_t ticks_before, ticks_after;
};

/* Takes the block at address. On success snapshot->bytes is the caller's, to be freed. */
enum status snapshot_take(struct target *target, uint64_t address, struct snapshot *snapshot, struct error *error);

#endif
