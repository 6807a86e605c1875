/* SPDX-License-Identifier: MIT */
/* Do the firmware in the target and the ELF belong together? Knows nothing of counts. */
#ifndef TARGET_PULL_IDENTITY_H
#define TARGET_PULL_IDENTITY_H

#include "base/status.h"
#include "capture/capture.h"
#include "firmware/image.h"
#include "target/backend/target.h"

#include <stdbool.h>
#include <stdint.h>

enum identity_verdict { IDENTITY_UNCHECKED, IDENTITY_SAME, IDENTITY_OTHER };

struct identity_result {
	enum identity_verdict verdict; /* of comparing build-ids or code; another one only where it was forced */
	bool has_code_hash;            /* the target's code was read, as its block has no build-id */
	uint32_t code_hash;
};

/*
 * Refuses an ELF whose vectors moved: a linker script that places no build-id note gets it in front of the vector
 * table, and such a firmware does not start.
 */
enum status identity_check_layout(const struct image *image, struct error *error);

/*
 * Compares the build of the block with the image's: by build-id, or where the firmware has none, by a hash of the code
 * in the target; so also where block is NULL, as there is none. What cannot be compared (no image, a dump without the
 * code) is not checked. A mismatch is a failure unless force is set.
 */
enum status identity_check(struct target *target, const struct image *image, const struct capture_header *block,
                           bool force, struct identity_result *result, struct error *error);

/* Refuses a block that was read if it is of another firmware than the one that was found at its place before. */
enum status identity_check_kept(const struct target *target, const struct capture_header *found,
                                const struct capture_header *read, struct error *error);

/* What to add to a line on a capture, from its comma on; "" where capture and ELF are of one build. */
const char *identity_remark(enum identity_verdict verdict);

#endif
