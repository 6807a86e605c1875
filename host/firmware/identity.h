/* SPDX-License-Identifier: MIT */
/*
 * What tells one firmware from another: the build-id and, where the linker added none, a CRC-32 (that of zlib) over all
 * code sections in address order, each preceded by its address and its size as 64-bit little-endian numbers. Over bytes
 * read from a target:
 *
 *	uint32_t hash = IMAGE_HASH_START;
 *	for each code section:
 *		hash = image_hash_section(hash, address, size);
 *		hash = image_hash_bytes(hash, bytes, count); as often as needed
 */
#ifndef FIRMWARE_IDENTITY_H
#define FIRMWARE_IDENTITY_H

#include "firmware/image.h"

#define IMAGE_HASH_START ((uint32_t)0)

/* Adds the head of a section: its bytes must follow. */
uint32_t image_hash_section(uint32_t hash, uint64_t address, uint64_t size);
uint32_t image_hash_bytes(uint32_t hash, const uint8_t *bytes, size_t size);

uint32_t image_code_hash(const struct image *image);

/* Whether a block that holds size bytes of a build-id, at most BAREPROF_IDENTITY_CAPACITY of them, names this image. */
bool image_build_id_matches(const struct image *image, const uint8_t *id, size_t size);

#endif
