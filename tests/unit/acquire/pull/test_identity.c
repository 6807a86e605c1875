/* SPDX-License-Identifier: MIT */
/* ELFs of another firmware than the target runs are refused, by build-id or by the code itself. */
#include "acquire/pull/identity.h"
#include "fake.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <string.h>

static struct fake fake;
static struct image image;
static struct image_code code[2];
static struct capture_header header;
static struct identity_result result;

/* A firmware without a build-id, with two pieces of code in the fake's memory. */
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

static void assert_accepted(const struct capture_header *block, bool force, enum identity_verdict verdict)
{
	assert_success(identity_check(&fake.target, &image, block, force, &result, &failure), &failure);
	assert_int_equal(result.verdict, verdict);
}

static void assert_refused(const struct capture_header *block, bool force, const char *message)
{
	assert_failure(identity_check(&fake.target, &image, block, force, &result, &failure), &failure, message);
}

EACH_TEST(begin, NULL);

TEST(equal_build_ids_are_accepted_without_reading_code)
{
	give_ids("\x01\xAB\x00\xFF", 4, "\x01\xAB\x00\xFF", 4);
	assert_accepted(&header, false, IDENTITY_SAME);
	assert_false(result.has_code_crc);
	assert_int_equal(fake.reads, 0);
}

TEST(long_build_id_is_compared_up_to_the_room_in_the_block)
{
	static const char id[] = "0123456789012345678901234567890123456789";

	give_ids(id, 32, id, 40);
	assert_accepted(&header, false, IDENTITY_SAME);
	header.identity[31] ^= 1;
	assert_refused(&header, false, "");
}

TEST(refusal_names_both_build_ids)
{
	give_ids("\x01\xAB\x00\xFF", 4, "\x01\xAB\x00\xFE", 4);
	assert_refused(&header, false,
	               "fake:: the target runs build 01ab00ff, fw.elf is build 01ab00fe: give the ELF "
	               "that was flashed, or force it");
	give_ids("\x01\xAB", 2, "\x01\xAB\x00", 3);
	assert_refused(&header, false, "");
	image.build_id_size = 0;
	assert_refused(&header, false, "the target runs build 01ab and fw.elf has no build-id");
}

TEST(force_accepts_another_build_and_reports_it)
{
	give_ids("\x01", 1, "\x02", 1);
	assert_accepted(&header, true, IDENTITY_OTHER);
}

TEST(code_is_compared_without_a_build_id)
{
	assert_accepted(&header, false, IDENTITY_SAME);
	assert_true(result.has_code_crc);
	assert_int_equal(fake.bytes_read, 0x2403 + 5);
	uint32_t crc = result.code_crc;

	static uint8_t other[FAKE_SIZE];
	memcpy(other, fake.memory, sizeof other);
	other[0x2402] ^= 1;
	code[0].bytes = other;
	assert_refused(&header, false, "fake:: the code in the target (CRC-32 ");
	/* The capture carries the CRC of the code in the target, so that a report can detect the difference, too. */
	assert_accepted(&header, true, IDENTITY_OTHER);
	assert_true(result.has_code_crc);
	assert_int_equal(result.code_crc, crc);
}

TEST(other_code_is_refused_without_a_block)
{
	static uint8_t other[FAKE_SIZE];

	assert_accepted(NULL, false, IDENTITY_SAME);
	code[0].bytes = other;
	assert_refused(NULL, false, "fake:: the code in the target (CRC-32 ");
	assert_contains(failure.message, "give the ELF that was flashed, or force it");
}

static void fall_asleep(struct fake *target, uint64_t address, size_t size)
{
	(void)address;
	(void)size;
	memset(target->memory, 0, sizeof target->memory);
}

TEST(sleeping_target_is_not_called_another_build)
{
	static uint8_t flashed[FAKE_SIZE];

	memset(flashed, 1, sizeof flashed);
	code[0].bytes = flashed;
	fake.before_read = fall_asleep;
	assert_refused(&header, false, "fake:: the block at 0x20004000 now reads as zeros");
}

/* This is the case of a target that is sampled. */
TEST(code_without_a_block_is_another_build_or_asleep)
{
	static uint8_t flashed[FAKE_SIZE];

	memset(flashed, 1, sizeof flashed);
	memset(fake.memory, 2, sizeof fake.memory);
	code[0].bytes = flashed;
	assert_refused(NULL, false, "fake:: the code in the target (CRC-32 ");
	fake.before_read = fall_asleep;
	assert_refused(NULL, false, "fake:: the code at 0x20000000 reads as zeros: does the target sleep");
}

TEST(code_that_cannot_be_read_fails_unless_forced)
{
	fake.unreadable = FAKE_BASE + 0x2000;
	assert_refused(&header, false, "");
	assert_accepted(&header, true, IDENTITY_UNCHECKED);
	assert_false(result.has_code_crc);
}

/* Force accepts another firmware, not a lost target. */
TEST(target_lost_while_its_code_is_read_fails_even_if_forced)
{
	fake.unreadable = FAKE_BASE + 0x2000;
	fake.loses_target = true;
	assert_refused(&header, true, "fake:: cannot read");
}

static uint64_t dump_start;

static void extent_of_dump(const struct target *target, uint64_t *address, uint64_t *size)
{
	(void)target;
	*address = dump_start;
	*size = FAKE_BASE + FAKE_SIZE - dump_start;
}

TEST(dump_without_the_code_is_not_checked)
{
	fake.ops.extent = extent_of_dump;
	dump_start = FAKE_BASE + 0x4000;
	assert_accepted(&header, false, IDENTITY_UNCHECKED);
	assert_int_equal(fake.reads, 0);
	dump_start = FAKE_BASE;
	assert_accepted(&header, false, IDENTITY_SAME);
}

TEST(without_an_image_nothing_is_checked)
{
	give_ids("\x01", 1, "\x02", 1);
	assert_success(identity_check(&fake.target, NULL, &header, false, &result, &failure), &failure);
	assert_int_equal(result.verdict, IDENTITY_UNCHECKED);
}

TEST(build_id_note_before_the_vectors_is_refused)
{
	give_ids("\x01", 1, "\x01", 1);
	image.vector_address = 0x08000024;
	image.build_id_address = 0x08000000;
	assert_failure(identity_check_layout(&image, &failure), &failure,
	               "fw.elf: the build-id note at 0x08000000 lies before the vectors at "
	               "0x08000024");
	image.build_id_address = 0x08000124;
	assert_success(identity_check_layout(&image, &failure), &failure);
	image.build_id_address = 0; /* not loaded */
	assert_success(identity_check_layout(&image, &failure), &failure);
	image.build_id_address = 0x08000000;
	image.isa = IMAGE_ISA_OTHER; /* on a PC this is its place */
	assert_success(identity_check_layout(&image, &failure), &failure);
}
