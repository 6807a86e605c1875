/* SPDX-License-Identifier: MIT */
/* Where the profile blocks of a target are. Knows nothing of what they count. */
#ifndef TARGET_PULL_LOCATE_H
#define TARGET_PULL_LOCATE_H

#include "base/clock.h"
#include "base/status.h"
#include "capture/capture.h"
#include "firmware/image.h"
#include "target/backend/target.h"

/* One per core. */
#define LOCATE_BLOCKS_MAX 16

/* The largest block that the definition macro allows is less than 4 MB; a header that says more is garbage. */
#define LOCATE_BLOCK_SIZE_MAX ((uint32_t)16 << 20)

struct locate_result {
	struct capture_header blocks[LOCATE_BLOCKS_MAX];
	size_t count;         /* never 0 on success */
	size_t uninitialised; /* places of further cores where no block was found */
};

/*
 * Reads and checks the header of the block at address. *found stays false, without a failure, where no block is; a
 * block that this tool cannot read, and memory that cannot be read, are failures.
 */
enum status locate_header(struct target *target, uint64_t address, struct capture_header *header, bool *found,
                          struct error *error);
/*
 * The same of a block that was there before. A target that was reset meanwhile is given a second to get back to
 * bareprof_init(); a block that is there no more is a failure.
 */
enum status locate_header_again(struct target *target, uint64_t address, struct capture_header *header,
                                struct error *error);
/* The failure that says so; where zeros are read there, that the target may be asleep. */
enum status locate_fail_missing(struct target *target, uint64_t address, struct error *error);
/* The same of code that is not what it should be, where it reads as zeros; else no failure. */
enum status locate_check_awake(struct target *target, uint64_t address, struct error *error);
/* The same as locate_header() of bytes[0..size), at least BAREPROF_OFFSET_RANGES, which were read at address. */
enum status locate_decode(const struct target *target, uint64_t address, const uint8_t *bytes, size_t size,
                          struct capture_header *header, bool *found, struct error *error);

/* The clock of a scan of a live target, and the callback for its progress. */
struct locate_scan {
	const struct clock *clock;
	/* Called with the bytes done and the total; total 0: the scan is over. NULL = none. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* A scan of a live target ends after this many bytes or milliseconds. No microcontroller has as much RAM, but an ELF
 * may claim any size, and over a slow probe a scan of it would take hours. */
#define LOCATE_SCAN_BYTES        ((uint64_t)64 << 20)
#define LOCATE_SCAN_MILLISECONDS 60000u

/*
 * Finds the blocks by the image's symbols bareprof_block, bareprof_block_1 and so on, each of which may hold the blocks
 * of several cores one behind the other; where none of them leads to a block, by a scan of the memory that the source
 * holds or else of the image's writable memory. image may be NULL for a source that knows its extent. More than
 * LOCATE_BLOCKS_MAX are a failure, as is a source that is lost on the way: it is searched no further. scan = NULL: the
 * computer's clock, and no callback.
 */
enum status locate_blocks(struct target *target, const struct image *image, const struct locate_scan *scan,
                          struct locate_result *result, struct error *error);

#endif
