/* SPDX-License-Identifier: MIT */
/* Build-id, hash of the code, and address of the vectors, compared with the cross binutils. */
#include "base/file/file.h"
#include "elf_writer.h"
#include "firmware/identity.h"
#include "test.h"
#include "workshop.h"

#include <bareprof/block.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define SOURCES "$FIRMWARE/arm.c $FIRMWARE/labels.S "

static int build(void **state)
{
	return workshop_open_with(WORKSHOP_ARM "-Wl,--build-id -o $WORKSHOP/id.elf " SOURCES "&& " WORKSHOP_ARM
	                                       "-Wl,--build-id=none -o $WORKSHOP/plain.elf " SOURCES);
}

static uint8_t *contents(const char *name, size_t *size)
{
	char path[WORKSHOP_PATH_MAX];

	workshop_path(path, name);
	uint8_t *bytes;
	assert_success(file_read(path, &bytes, size, &failure), &failure);
	return bytes;
}

ALL_TESTS(build, workshop_close);

TEST(build_id_is_read_from_the_note)
{
	workshop_run("arm-none-eabi-objcopy -O binary -j .note.gnu.build-id $WORKSHOP/id.elf $WORKSHOP/note.bin");
	size_t size;
	uint8_t *note = contents("note.bin", &size);
	assert_int_equal(size, 16 + 20);
	struct image *image = workshop_image("id.elf");
	assert_int_equal(image->build_id_size, 20);
	assert_memory_equal(image->build_id, note + 16, 20);
	assert_int_equal(image->build_id_address, 0x08000008 + 16);
	assert_int_equal(image->vector_address, 0x08000000);
	free(note);
}

TEST(without_a_note_there_is_no_build_id)
{
	struct image *image = workshop_image("plain.elf");

	assert_int_equal(image->build_id_size, 0);
	assert_int_equal(image->build_id_address, 0);
}

static uint32_t u32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Turns all note sections of a 32-bit little-endian ELF into PROGBITS; returns their number. */
static unsigned hide_note_sections(uint8_t *elf)
{
	unsigned hidden = 0;

	for (uint32_t i = 0; i < elf[0x30]; i++) {
		uint8_t *type = elf + u32(elf + 0x20) + 40 * i + 4;

		if (u32(type) != SHT_NOTE)
			continue;
		*type = SHT_PROGBITS;
		hidden++;
	}
	return hidden;
}

TEST(note_described_by_a_segment_alone_is_found)
{
	size_t size;
	uint8_t *elf = contents("id.elf", &size);

	assert_int_equal(hide_note_sections(elf), 1);
	struct image *image;
	assert_success(image_decode("hidden.elf", elf, size, &image, &failure), &failure);
	close_image_later(image);
	assert_int_equal(image->build_id_size, 20);
	assert_int_equal(image->build_id_address, 0x08000008 + 16);
}

TEST(orphan_note_lies_below_the_vectors)
{
	workshop_run("sed '/^\t.note.gnu.build-id :/,/FLASH/d' $FIRMWARE/arm.ld > $WORKSHOP/orphan.ld && "
	             "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -nostdlib -Wl,--build-id -T $WORKSHOP/orphan.ld "
	             "-o $WORKSHOP/orphan.elf " SOURCES);
	struct image *image = workshop_image("orphan.elf");
	assert_int_equal(image->build_id_size, 20);
	assert_true(image->build_id_address != 0 && image->build_id_address < image->vector_address);
}

TEST(vector_address_is_the_lowest_load_address)
{
	/* Code in ITCM has the lowest address of all, but is loaded after the vectors. */
	struct image *image = workshop_image("plain.elf");

	assert_int_equal(image->code[0].address, 0);
	assert_int_equal(image->vector_address, 0x08000000);
}

static uint32_t add_section(uint32_t hash, const char *section, uint64_t address)
{
	workshop_run("arm-none-eabi-objcopy -O binary -j %s $WORKSHOP/plain.elf $WORKSHOP/section.bin", section);
	size_t size;
	uint8_t *bytes = contents("section.bin", &size);
	uint8_t head[16] = {0};
	for (unsigned i = 0; i < 8; i++) {
		head[i] = (uint8_t)(address >> 8 * i);
		head[8 + i] = (uint8_t)((uint64_t)size >> 8 * i);
	}
	hash = (uint32_t)crc32(hash, head, sizeof head);
	hash = (uint32_t)crc32(hash, bytes, (uInt)size);
	free(bytes);
	return hash;
}

TEST(crc_covers_all_code_and_its_addresses)
{
	struct image *image = workshop_image("plain.elf");
	uint32_t expected = add_section(0, ".itcm", 0);

	expected = add_section(expected, ".text", image->code[1].address);
	expected = add_section(expected, ".ramcode", 0x20000000);
	assert_int_equal(image_code_crc(image), expected);
}

TEST(crc_is_the_same_in_pieces)
{
	struct image *image = workshop_image("plain.elf");
	uint32_t hash = IMAGE_CRC_START;

	for (size_t i = 0; i < image->code_count; i++) {
		hash = image_crc_section(hash, image->code[i].address, image->code[i].size);
		for (uint64_t at = 0; at < image->code[i].size; at++)
			hash = image_crc_bytes(hash, image->code[i].bytes + at, 1);
	}
	assert_int_equal(hash, image_code_crc(image));
}

TEST(crc_differs_between_builds)
{
	workshop_run(WORKSHOP_ARM "-O1 -Wl,--build-id=none -o $WORKSHOP/other.elf " SOURCES);
	struct image *plain = workshop_image("plain.elf");
	struct image *other = workshop_image("other.elf");
	assert_int_not_equal(image_code_crc(plain), image_code_crc(other));
}

/* --- The hash that firmware computes of its own code. */

static void put_u32(uint8_t *bytes, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_identity(uint8_t identity[16], uint32_t address, const uint8_t *bytes, uint32_t size)
{
	uint32_t a = 0, b = 0;

	for (uint32_t i = 0; i < size; i += 4) {
		a = a * 31 + u32(bytes + i);
		b ^= u32(bytes + i);
		b = (b >> 7) + (b << 25);
	}
	put_u32(identity, address);
	put_u32(identity + 4, size);
	put_u32(identity + 8, a);
	put_u32(identity + 12, b);
}

/* The identity of the first `size` bytes of the section .text, computed from its raw contents. */
static void own_identity(const struct image *image, uint32_t size, uint8_t identity[16])
{
	size_t section_size;

	workshop_run("arm-none-eabi-objcopy -O binary -j .text $WORKSHOP/plain.elf $WORKSHOP/section.bin");
	uint8_t *bytes = contents("section.bin", &section_size);
	assert_in_range(size, 4, section_size);
	put_identity(identity, (uint32_t)image->code[1].address, bytes, size);
	free(bytes);
}

#define OWN BAREPROF_IDENTITY_CODE_HASH

TEST(own_hash_is_that_of_the_same_bytes)
{
	struct image *image = workshop_image("plain.elf");
	uint8_t identity[16];

	own_identity(image, 64, identity);
	assert_int_equal(image_match_identity(image, OWN, identity, sizeof identity), IMAGE_MATCH_SAME);
	identity[9] ^= 1;
	assert_int_equal(image_match_identity(image, OWN, identity, sizeof identity), IMAGE_MATCH_OTHER);
}

TEST(own_hash_covers_zeros_or_erased_flash_between_sections)
{
	static const uint8_t gaps[] = {0x00, 0xFF, 0x55};

	workshop_run(
	        "echo 'int f(void) { return 1; } __attribute__((section(\".second\"))) int g(void) { return 2; }' | "
	        "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -x c - -nostdlib "
	        "-Wl,-Ttext=0x8000,--section-start=.second=0x8100,-e,f -o $WORKSHOP/gap.elf");
	struct image *image = workshop_image("gap.elf");
	for (size_t i = 0; i < sizeof gaps; i++) {
		uint8_t bytes[0x104], identity[16];

		memset(bytes, gaps[i], sizeof bytes);
		memcpy(bytes, image->code[0].bytes, image->code[0].size);
		memcpy(bytes + 0x100, image->code[1].bytes, image->code[1].size);
		put_identity(identity, 0x8000, bytes, sizeof bytes);
		assert_int_equal(image_match_identity(image, OWN, identity, sizeof identity),
		                 gaps[i] == 0x55 ? IMAGE_MATCH_OTHER : IMAGE_MATCH_SAME);
	}
}

/* A boot loader that the ELF does not have begins the same flash. */
TEST(own_hash_across_wide_gaps_proves_only_equality)
{
	static const uint8_t gaps[] = {0x00, 0x55};
	struct image *image = workshop_image("gap.elf");

	for (size_t i = 0; i < sizeof gaps; i++) {
		uint8_t bytes[0x400 + 4], identity[16];

		memset(bytes, gaps[i], sizeof bytes);
		memcpy(bytes + 0x400, image->code[0].bytes, 4);
		put_identity(identity, 0x7C00, bytes, sizeof bytes);
		assert_int_equal(image_match_identity(image, OWN, identity, sizeof identity),
		                 gaps[i] == 0x55 ? IMAGE_MATCH_UNKNOWN : IMAGE_MATCH_SAME);
	}
}

TEST(own_hash_of_bytes_that_the_image_lacks_is_not_compared)
{
	struct image *image = workshop_image("plain.elf");
	uint8_t identity[16];

	own_identity(image, 64, identity);
	put_u32(identity + 4, UINT32_MAX & ~3u);
	assert_int_equal(image_match_identity(image, OWN, identity, sizeof identity), IMAGE_MATCH_UNKNOWN);
	own_identity(image, 64, identity);
	put_u32(identity, 0x60000000);
	assert_int_equal(image_match_identity(image, OWN, identity, sizeof identity), IMAGE_MATCH_UNKNOWN);
	assert_int_equal(image_match_identity(image, OWN, identity, 12), IMAGE_MATCH_UNKNOWN);
	assert_int_equal(image_match_identity(image, 3, identity, 16), IMAGE_MATCH_UNKNOWN);
	assert_int_equal(image_match_identity(image, BAREPROF_IDENTITY_BUILD_ID, identity, 0), IMAGE_MATCH_UNKNOWN);
}
