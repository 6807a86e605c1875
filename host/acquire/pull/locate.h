/* SPDX-License-Identifier: MIT */
/* Finding the profile blocks of a target. */
#ifndef ACQUIRE_PULL_LOCATE_H
#define ACQUIRE_PULL_LOCATE_H

#include "acquire/target/target.h"
#include "base/clock.h"
#include "base/status.h"
#include "capture/capture.h"
#include "firmware/image.h"

/* The maximum number of blocks; each core has one. */
#define LOCATE_BLOCKS_MAX 16

/* The definition macro allows blocks below 4 MB; a larger size is garbage. */
#define LOCATE_BLOCK_SIZE_MAX ((uint32_t)16 << 20)

struct locate_result {
	struct capture_header blocks[LOCATE_BLOCKS_MAX];
	size_t count;         /* never 0 on success */
	size_t uninitialised; /* cores without a block */
};

/* Reads and checks the header at address. *found is false, without a failure, if there is no block; unreadable memory
 * and blocks of an unknown format are failures. */
enum status locate_header(struct target *target, uint64_t address, struct capture_header *header, bool *found,
                          struct error *error);
/* Like locate_header(), for a block found before. A target that was reset gets a second to reach bareprof_init(); a
 * missing block is a failure. */
enum status locate_header_again(struct target *target, uint64_t address, struct capture_header *header,
                                struct error *error);
/* Fails because of a missing block; if its memory reads as zeros, says that the target may be asleep. */
enum status locate_fail_missing(struct target *target, uint64_t address, struct error *error);
/* Fails if code reads as zeros, because the target may be asleep. */
enum status locate_check_awake(struct target *target, uint64_t address, struct error *error);
/* Like locate_header(), for bytes[0..size) that were read at address, at least BAREPROF_OFFSET_RANGES. */
enum status locate_decode(const struct target *target, uint64_t address, const uint8_t *bytes, size_t size,
                          struct capture_header *header, bool *found, struct error *error);

/* The clock of a scan of a live target, and the callback for its progress. */
struct locate_scan {
	const struct clock *clock;
	/* Called with the bytes done and in all; total 0: the scan is over. NULL: no callback. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* Limits of a scan of a live target. No microcontroller has this much RAM, but an ELF may claim any size, and a slow
 * probe would take hours. */
#define LOCATE_SCAN_BYTES        ((uint64_t)64 << 20)
#define LOCATE_SCAN_MILLISECONDS 60000u

/* Finds the blocks by the symbols bareprof_block, bareprof_block_1 and so on; each may hold the blocks of several cores
 * in a row. If that finds none, scans the source's extent or the image's writable memory. image may be NULL if the
 * source knows its extent. More than LOCATE_BLOCKS_MAX blocks, or a lost source, are failures. scan = NULL: the
 * system's clock, no callback. */
enum status locate_blocks(struct target *target, const struct image *image, const struct locate_scan *scan,
                          struct locate_result *result, struct error *error);

#endif
