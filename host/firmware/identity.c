/* SPDX-License-Identifier: MIT */
/* See identity.h. */
#include "firmware/identity.h"

#include <bareprof/block.h>
#include <endian.h>
#include <string.h>
#include <zlib.h>

uint32_t image_hash_section(uint32_t hash, uint64_t address, uint64_t size)
{
	const uint64_t head[2] = {htole64(address), htole64(size)};

	return image_hash_bytes(hash, (const uint8_t *)head, sizeof head);
}

uint32_t image_hash_bytes(uint32_t hash, const uint8_t *bytes, size_t size)
{
	return (uint32_t)crc32_z(hash, bytes, size);
}

uint32_t image_code_hash(const struct image *image)
{
	uint32_t hash = IMAGE_HASH_START;

	for (size_t i = 0; i < image->code_count; i++) {
		const struct image_code *code = &image->code[i];

		hash = image_hash_section(hash, code->address, code->size);
		hash = image_hash_bytes(hash, code->bytes, (size_t)code->size);
	}
	return hash;
}

bool image_build_id_matches(const struct image *image, const uint8_t *id, size_t size)
{
	size_t expected =
	        image->build_id_size < BAREPROF_IDENTITY_CAPACITY ? image->build_id_size : BAREPROF_IDENTITY_CAPACITY;

	return size == expected && memcmp(id, image->build_id, size) == 0;
}
