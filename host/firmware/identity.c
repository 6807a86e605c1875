/* SPDX-License-Identifier: MIT */
/* See identity.h. */
#include "firmware/identity.h"

#include <bareprof/block.h>
#include <endian.h>
#include <string.h>
#include <zlib.h>

uint32_t image_crc_section(uint32_t crc, uint64_t address, uint64_t size)
{
	const uint64_t head[2] = {htole64(address), htole64(size)};

	return image_crc_bytes(crc, (const uint8_t *)head, sizeof head);
}

uint32_t image_crc_bytes(uint32_t crc, const uint8_t *bytes, size_t size)
{
	return (uint32_t)crc32_z(crc, bytes, size);
}

uint32_t image_code_crc(const struct image *image)
{
	uint32_t crc = IMAGE_CRC_START;

	for (size_t i = 0; i < image->code_count; i++) {
		const struct image_code *code = &image->code[i];

		crc = image_crc_section(crc, code->address, code->size);
		crc = image_crc_bytes(crc, code->bytes, (size_t)code->size);
	}
	return crc;
}

/* --- The hash of its own code that firmware without a build-id computes. */

/*
 * Flash between sections has zeros, as in the segments of the ELF, or is erased where tools write each section. More
 * than PADDING_MAX may also be a boot loader or settings, which the ELF does not have: then a hash that differs proves
 * nothing. Through more than the other limits it is not computed.
 */
#define PADDING_MAX  256u
#define CODE_GAP_MAX 4096u
#define ALL_GAPS_MAX 65536u
static const uint8_t gap_bytes[] = {0x00, 0xFF};

/* The bytes between sections of hashed code. */
struct code_gaps {
	uint64_t all, longest;
};

struct code_hash {
	bool big_endian;
	unsigned count; /* bytes of the word so far */
	uint32_t word, a, b;
};

static void code_hash_add(struct code_hash *hash, uint8_t byte)
{
	unsigned shift = 8 * (hash->big_endian ? 3 - hash->count : hash->count);

	hash->word |= (uint32_t)byte << shift;
	if (++hash->count < 4)
		return;
	hash->a = 31 * hash->a + hash->word;
	hash->b ^= hash->word;
	hash->b = hash->b >> 7 | hash->b << 25;
	hash->count = 0;
	hash->word = 0;
}

/* The sections from some address on, in a list that is sorted by address. */
struct section_list {
	const struct image_code *sections;
	size_t count;
};

/* The section that contains the address or, without one, the first one above it; NULL if there is none. Sections that
 * end before the address are dropped from the lists. */
static const struct image_code *section_from(struct section_list lists[2], uint64_t address)
{
	const struct image_code *first = NULL;

	for (size_t i = 0; i < 2; i++) {
		struct section_list *list = &lists[i];

		while (list->count > 0 && list->sections->address + list->sections->size <= address) {
			list->sections++;
			list->count--;
		}
		if (list->count > 0 && (first == NULL || list->sections->address < first->address))
			first = list->sections;
	}
	return first;
}

/* False if the image lacks part of the code. */
static bool hash_code_at(const struct image *image, uint64_t address, uint64_t end, uint8_t gap, struct code_hash *hash,
                         struct code_gaps *gaps)
{
	struct section_list lists[] = {{image->code, image->code_count}, {image->data, image->data_count}};

	*gaps = (struct code_gaps){0, 0};
	while (address < end) {
		const struct image_code *section = section_from(lists, address);

		if (section == NULL || section->bytes == NULL)
			return false;
		uint64_t missing = section->address > address ? section->address - address : 0;
		gaps->all += missing;
		gaps->longest = missing > gaps->longest ? missing : gaps->longest;
		if (gaps->longest > CODE_GAP_MAX || gaps->all > ALL_GAPS_MAX)
			return false;
		for (; address < end && address < section->address; address++)
			code_hash_add(hash, gap);
		for (; address < end && address < section->address + section->size; address++)
			code_hash_add(hash, section->bytes[address - section->address]);
	}
	return true;
}

static uint32_t identity_word(const struct image *image, const uint8_t *identity, unsigned number)
{
	uint32_t word;

	memcpy(&word, identity + 4 * number, sizeof word);
	return image->big_endian ? be32toh(word) : le32toh(word);
}

static enum image_match match_code_hash(const struct image *image, const uint8_t *identity, size_t size)
{
	if (size != 16 || image->code_count == 0)
		return IMAGE_MATCH_UNKNOWN;
	/* The identity has only the low half of an address. */
	uint64_t start = (image->code[0].address & ~(uint64_t)UINT32_MAX) | identity_word(image, identity, 0);
	uint64_t end = start + identity_word(image, identity, 1);
	if (end <= start)
		return IMAGE_MATCH_UNKNOWN;
	struct code_gaps gaps = {0, 1};
	for (size_t i = 0; i < sizeof gap_bytes && gaps.longest > 0; i++) {
		struct code_hash hash = {.big_endian = image->big_endian};

		if (!hash_code_at(image, start, end, gap_bytes[i], &hash, &gaps))
			return IMAGE_MATCH_UNKNOWN;
		if (hash.a == identity_word(image, identity, 2) && hash.b == identity_word(image, identity, 3))
			return IMAGE_MATCH_SAME;
	}
	return gaps.longest > PADDING_MAX ? IMAGE_MATCH_UNKNOWN : IMAGE_MATCH_OTHER;
}

bool image_build_id_matches(const struct image *image, const uint8_t *id, size_t size)
{
	size_t expected =
	        image->build_id_size < BAREPROF_IDENTITY_CAPACITY ? image->build_id_size : BAREPROF_IDENTITY_CAPACITY;

	return size == expected && memcmp(id, image->build_id, size) == 0;
}

enum image_match image_match_identity(const struct image *image, unsigned kind, const uint8_t *identity, size_t size)
{
	if (kind == BAREPROF_IDENTITY_CODE_HASH)
		return match_code_hash(image, identity, size);
	if (kind != BAREPROF_IDENTITY_BUILD_ID || size == 0 || image->build_id_size == 0)
		return IMAGE_MATCH_UNKNOWN;
	return image_build_id_matches(image, identity, size) ? IMAGE_MATCH_SAME : IMAGE_MATCH_OTHER;
}
