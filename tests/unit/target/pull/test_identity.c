/* SPDX-License-Identifier: MIT */
/* An ELF that is not the firmware in the target is refused, by build-id or by the code itself. */
#include "fake.h"
#include "target/pull/identity.h"
#include "test.h"

#include <bareprof/block.h>
#include <string.h>

static struct fake fake;
static struct image image;
static struct image_code code[2];
static struct capture_header header;
static struct identity_result result;

/* A firmware without a build-id whose code is the first and the third kilobyte of the fake's memory, and some bytes. */
static int begin(void **state)
{
	fake_init(&fake);
	code[0] = (struct image_code){".text", FAKE_BASE, 0x2403, fake.memory};
	code[1] = (struct image_code){".ramcode", FAKE_BASE + 0x8000, 5, fake.memory + 0x8000};
	image = (struct image){.path = "fw.elf", .isa = IMAGE_ISA_ARM, .code = code, .code_count = 2};
	header = (struct capture_header){.block_address = FAKE_BASE + 0x4000, .block_size = FAKE_BLOCK_SIZE};
	fake_put_block(&fake, header.block_address);
	return 0;
}

static void give_ids(const char *block_id, size_t block_size, const char *image_id, size_t image_size)
{
	header.identity_kind = BAREPROF_IDENTITY_BUILD_ID;
	header.identity_size = (unsigned)block_size;
	memcpy(header.identity, block_id, block_size);
	image.build_id_size = image_size;
	memcpy(image.build_id, image_id, image_size);
}

EACH_TEST(begin, NULL);

TEST(equal_build_ids_are_accepted_without_reading_code)
{
	struct error error;
	give_ids("\x01\xAB\x00\xFF", 4, "\x01\xAB\x00\xFF", 4);
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_SAME);
	assert_false(result.has_code_hash);
	assert_int_equal(fake.reads, 0);
}

TEST(long_build_id_is_compared_as_far_as_the_block_has_room)
{
	struct error error;
	static const char id[] = "0123456789012345678901234567890123456789";
	give_ids(id, 32, id, 40);
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_SAME);
	header.identity[31] ^= 1;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
}

TEST(other_build_id_is_refused_naming_both)
{
	struct error error;
	give_ids("\x01\xAB\x00\xFF", 4, "\x01\xAB\x00\xFE", 4);
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message,
	                    "fake:: the target runs build 01ab00ff, fw.elf is build 01ab00fe: give the ELF "
	                    "that was flashed, or force it");
	give_ids("\x01\xAB", 2, "\x01\xAB\x00", 3);
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
	image.build_id_size = 0;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "the target runs build 01ab and fw.elf has no build-id"));
}

TEST(force_takes_the_other_build_and_says_so)
{
	struct error error;
	give_ids("\x01", 1, "\x02", 1);
	assert_int_equal(identity_check(&fake.target, &image, &header, true, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_OTHER);
}

TEST(code_is_compared_where_there_is_no_build_id)
{
	struct error error;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_SAME);
	assert_true(result.has_code_hash);
	assert_int_equal(fake.bytes_read, 0x2403 + 5);
	uint32_t hash = result.code_hash;

	static uint8_t other[FAKE_SIZE];
	memcpy(other, fake.memory, sizeof other);
	other[0x2402] ^= 1;
	code[0].bytes = other;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: the code in the target (CRC-32 "));
	assert_null(strchr(error.message, '\n'));
	/* The capture carries what the target has, so that a report can see the difference too. */
	assert_int_equal(identity_check(&fake.target, &image, &header, true, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_OTHER);
	assert_true(result.has_code_hash);
	assert_int_equal(result.code_hash, hash);
}

TEST(other_code_is_refused_where_there_is_no_block)
{
	static uint8_t other[FAKE_SIZE];
	struct error error;
	assert_int_equal(identity_check(&fake.target, &image, NULL, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_SAME);
	code[0].bytes = other;
	assert_int_equal(identity_check(&fake.target, &image, NULL, false, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: the code in the target (CRC-32 "));
	assert_non_null(strstr(error.message, "give the ELF that was flashed, or force it"));
}

static void fall_asleep(struct fake *target, uint64_t address, size_t size)
{
	(void)address;
	(void)size;
	memset(target->memory, 0, sizeof target->memory);
}

TEST(code_of_a_target_that_fell_asleep_is_not_called_another)
{
	static uint8_t flashed[FAKE_SIZE];
	struct error error;
	memset(flashed, 1, sizeof flashed);
	code[0].bytes = flashed;
	fake.before_read = fall_asleep;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: the block at 0x20004000 now reads as zeros"));
}

/* Of a target that is sampled. */
TEST(code_without_a_block_is_of_another_build_or_asleep)
{
	static uint8_t flashed[FAKE_SIZE];
	struct error error;
	memset(flashed, 1, sizeof flashed);
	memset(fake.memory, 2, sizeof fake.memory);
	code[0].bytes = flashed;
	assert_int_equal(identity_check(&fake.target, &image, NULL, false, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: the code in the target (CRC-32 "));
	fake.before_read = fall_asleep;
	assert_int_equal(identity_check(&fake.target, &image, NULL, false, &result, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fake:: the code at 0x20000000 reads as zeros: does the target sleep"));
}

TEST(code_that_cannot_be_read_fails_unless_forced)
{
	struct error error;
	fake.unreadable = FAKE_BASE + 0x2000;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_FAILED);
	assert_int_equal(identity_check(&fake.target, &image, &header, true, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_UNCHECKED);
	assert_false(result.has_code_hash);
}

/* Whoever insists insists on the firmware, not on a target that is gone. */
TEST(target_lost_while_its_code_is_read_fails_even_if_forced)
{
	struct error error;
	fake.unreadable = FAKE_BASE + 0x2000;
	fake.is_mortal = true;
	assert_int_equal(identity_check(&fake.target, &image, &header, true, &result, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:: cannot read");
}

static void extent_of_ram(const struct target *target, uint64_t *address, uint64_t *size)
{
	(void)target;
	*address = FAKE_BASE + 0x4000;
	*size = FAKE_SIZE - 0x4000;
}

static void extent_of_everything(const struct target *target, uint64_t *address, uint64_t *size)
{
	(void)target;
	*address = FAKE_BASE;
	*size = FAKE_SIZE;
}

TEST(dump_without_the_code_is_not_checked)
{
	struct error error;
	fake.ops.extent = extent_of_ram;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_UNCHECKED);
	assert_int_equal(fake.reads, 0);
	fake.ops.extent = extent_of_everything;
	assert_int_equal(identity_check(&fake.target, &image, &header, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_SAME);
}

TEST(without_an_image_nothing_is_checked)
{
	struct error error;
	give_ids("\x01", 1, "\x02", 1);
	assert_int_equal(identity_check(&fake.target, NULL, &header, false, &result, &error), STATUS_OK);
	assert_int_equal(result.verdict, IDENTITY_UNCHECKED);
}

TEST(note_in_front_of_the_vectors_is_refused)
{
	struct error error;
	give_ids("\x01", 1, "\x01", 1);
	image.vector_address = 0x08000024;
	image.build_id_address = 0x08000000;
	assert_int_equal(identity_check_layout(&image, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "fw.elf: the build-id note at 0x08000000 lies in front of the vectors at "
	                                      "0x08000024"));
	image.build_id_address = 0x08000124;
	assert_int_equal(identity_check_layout(&image, &error), STATUS_OK);
	image.build_id_address = 0; /* not loaded */
	assert_int_equal(identity_check_layout(&image, &error), STATUS_OK);
	image.build_id_address = 0x08000000;
	image.isa = IMAGE_ISA_X86; /* where it belongs on a PC */
	assert_int_equal(identity_check_layout(&image, &error), STATUS_OK);
}
