/* SPDX-License-Identifier: MIT */
/* Whether the firmware in the target and the ELF belong together. */
#ifndef ACQUIRE_PULL_IDENTITY_H
#define ACQUIRE_PULL_IDENTITY_H

#include "acquire/target/target.h"
#include "base/status.h"
#include "capture/capture.h"
#include "firmware/image.h"

#include <stdbool.h>
#include <stdint.h>

enum identity_verdict { IDENTITY_UNCHECKED, IDENTITY_SAME, IDENTITY_OTHER };

struct identity_result {
	enum identity_verdict verdict; /* by build-id or code; IDENTITY_OTHER only if forced */
	bool has_code_crc;             /* the target's code was read, because its block has no build-id */
	uint32_t code_crc;
};

/* Refuses an ELF whose vector table was displaced: if the linker script does not place the build-id note, the linker
 * puts it before the vector table, and the firmware does not start. */
enum status identity_check_layout(const struct image *image, struct error *error);

/* Refuses an ELF for a core that the source does not reach. Otherwise an ELF for the host might have a block at an
 * address that also exists in the target. */
enum status identity_check_isa(const struct image *image, const struct source *source, struct error *error);

/* Compares the build of the block with the image's, by build-id or, if the firmware has none or block is NULL, by a
 * CRC-32 of the code in the target or, over a link, by the hash that the firmware computed. Without an image, or for a
 * dump without the code, the result is IDENTITY_UNCHECKED. A mismatch is a failure unless force is set. */
enum status identity_check(struct target *target, const struct image *image, const struct capture_header *block,
                           bool force, struct identity_result *result, struct error *error);

/* Refuses a block of another firmware than the one found there before. */
enum status identity_check_kept(const struct target *target, const struct capture_header *found,
                                const struct capture_header *read, struct error *error);

/* A remark to append to a line about a capture, beginning with a comma; empty if the builds are the same. */
const char *identity_remark(enum identity_verdict verdict);

#endif
