/* SPDX-License-Identifier: MIT */
/* Decodes blocks built by hand that must be accepted or refused. */
#ifndef UNIT_CAPTURE_DECODE_H
#define UNIT_CAPTURE_DECODE_H

#include "../../block/build_block.h"
#include "capture/capture.h"

/* A number of size bytes that overwrites a part of a block. */
struct patch {
	size_t offset;
	unsigned size;
	uint32_t value;
};

/* The capture of a block, which must decode; patch may be NULL. The caller closes it. */
struct capture *decode_block(const struct build_block *block, const struct patch *patch);

/* The block must be refused with one line that names the file and contains words. */
void assert_block_refused(const struct build_block *block, const struct patch *patch, const char *words);

#endif
