/* SPDX-License-Identifier: MIT */
/*
 * The identity of a firmware, which a block has: the build-id, or a hash that the firmware computes of its own code.
 * Where a block has neither, captures have a CRC-32 (as in zlib) over all code sections in ascending order of address,
 * each preceded by its address and size as 64-bit little-endian numbers. To compute it from bytes read from a target:
 * start with IMAGE_CRC_START, then for each code section call image_crc_section() once and image_crc_bytes() as
 * often as needed.
 */
#ifndef FIRMWARE_IDENTITY_H
#define FIRMWARE_IDENTITY_H

#include "firmware/image.h"

#define IMAGE_CRC_START ((uint32_t)0)

/* Adds the head of a section, whose bytes must follow. */
uint32_t image_crc_section(uint32_t crc, uint64_t address, uint64_t size);
uint32_t image_crc_bytes(uint32_t crc, const uint8_t *bytes, size_t size);

uint32_t image_code_crc(const struct image *image);

/* Whether size bytes of a build-id from a block, at most BAREPROF_IDENTITY_CAPACITY, match this image. */
bool image_build_id_matches(const struct image *image, const uint8_t *id, size_t size);

/* How an identity in a block relates to an image. */
enum image_match {
	IMAGE_MATCH_UNKNOWN, /* there is no identity, or the image lacks the build-id or the code */
	IMAGE_MATCH_SAME,
	IMAGE_MATCH_OTHER,
};

/* Compares an identity of this kind (BAREPROF_IDENTITY_*) with the image: a build-id, or the hash of the code that the
 * image has in flash. */
enum image_match image_match_identity(const struct image *image, unsigned kind, const uint8_t *identity, size_t size);

#endif
