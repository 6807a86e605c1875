/* SPDX-License-Identifier: MIT */
/* Whole pulls, from a dump into a file: the contents of the file, and no file after a failure. */
#include "acquire/pull/pull.h"
#include "fake.h"
#include "firmware.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct fake fake;
static char dump_path[512], output_path[512], elf_path[512], source[600];
static struct pull_summary summary;

static int begin(void **state)
{
	fake_init(&fake);
	snprintf(dump_path, sizeof dump_path, "%s", firmware_file("dump"));
	snprintf(output_path, sizeof output_path, "%s", firmware_file("bprof"));
	snprintf(elf_path, sizeof elf_path, "%s", firmware_file("elf"));
	snprintf(source, sizeof source, "file:%s", dump_path);
	return 0;
}

static int end(void **state)
{
	unlink(dump_path);
	unlink(output_path);
	unlink(elf_path);
	return 0;
}

static void write_dump(void)
{
	FILE *file = fopen(dump_path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(fake.memory, 1, FAKE_SIZE, file), FAKE_SIZE);
	fclose(file);
}

static void set_build_id(uint64_t block, unsigned last)
{
	static const uint8_t id[20] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23,
	                               0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67};

	*fake_at(&fake, block + BAREPROF_OFFSET_IDENTITY_KIND) = BAREPROF_IDENTITY_BUILD_ID;
	*fake_at(&fake, block + BAREPROF_OFFSET_IDENTITY_SIZE) = sizeof id;
	memcpy(fake_at(&fake, block + BAREPROF_OFFSET_IDENTITY), id, sizeof id);
	*fake_at(&fake, block + BAREPROF_OFFSET_IDENTITY + 19) = (uint8_t)last;
}

static enum status pull(struct pull_options all)
{
	all.source = all.source != NULL ? all.source : resolved_source(source);
	all.output_path = all.output_path != NULL ? all.output_path : output_path;
	write_dump();
	return pull_run(&all, &summary, &failure);
}

/* The capture file must begin with the blocks as they are in memory. */
static void assert_file_begins_with(uint64_t block, long offset)
{
	uint8_t bytes[FAKE_BLOCK_SIZE];
	FILE *file = fopen(output_path, "rb");

	assert_non_null(file);
	assert_int_equal(fseek(file, offset, SEEK_SET), 0);
	assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
	fclose(file);
	assert_memory_equal(bytes, fake_at(&fake, block), sizeof bytes);
}

static void assert_refused(struct pull_options options, const char *part)
{
	assert_failure(pull(options), &failure, part);
	assert_int_not_equal(access(output_path, F_OK), 0);
}

EACH_TEST(begin, end);

TEST(dump_without_an_elf_becomes_a_capture)
{
	fake_put_block(&fake, FAKE_BASE + 0x2340);
	assert_success(pull((struct pull_options){0}), &failure);
	assert_int_equal(summary.block_count, 1);
	assert_int_equal(summary.blocks[0].address, FAKE_BASE + 0x2340);
	assert_int_equal(summary.blocks[0].size, FAKE_BLOCK_SIZE);
	assert_int_equal(summary.blocks[0].ticks, 12345);
	assert_int_equal(summary.blocks[0].state, BAREPROF_STATE_STOPPED);
	assert_int_equal(summary.identity, IDENTITY_UNCHECKED);
	assert_null(summary.caution);
	assert_file_begins_with(FAKE_BASE + 0x2340, 0);
	struct capture *capture = firmware_open_capture(output_path);
	assert_int_equal(capture->block_count, 1);
	assert_true(capture->has_trailer);
	assert_true(capture->time > 1600000000);
	assert_true(capture->blocks[0].has_skew);
	assert_int_equal(capture->blocks[0].ticks_before, 12345);
}

TEST(blocks_of_two_cores_become_one_capture)
{
	firmware_build(elf_path, "-DSYMBOLS -Wl,-Ttext=0 -Wl,--build-id=0x" FIRMWARE_BUILD_ID);
	fake_put_block(&fake, FIRMWARE_BLOCK);
	fake_put_block(&fake, FIRMWARE_BLOCK_1);
	set_build_id(FIRMWARE_BLOCK, 0x67);
	set_build_id(FIRMWARE_BLOCK_1, 0x67);
	*fake_at(&fake, FIRMWARE_BLOCK_1 + BAREPROF_OFFSET_CORE) = 1;
	assert_success(pull((struct pull_options){.elf_path = elf_path}), &failure);
	assert_int_equal(summary.block_count, 2);
	assert_int_equal(summary.identity, IDENTITY_SAME);
	assert_file_begins_with(FIRMWARE_BLOCK, 0);
	assert_file_begins_with(FIRMWARE_BLOCK_1, FAKE_BLOCK_SIZE);
	struct capture *capture = firmware_open_capture(output_path);
	assert_int_equal(capture->block_count, 2);
	assert_int_equal(capture->blocks[1].header.core, 1);
}

TEST(another_build_is_refused_and_leaves_no_file)
{
	firmware_build(elf_path, "-DSYMBOLS -Wl,-Ttext=0 -Wl,--build-id=0x" FIRMWARE_BUILD_ID);
	fake_put_block(&fake, FIRMWARE_BLOCK);
	set_build_id(FIRMWARE_BLOCK, 0x66);
	assert_refused((struct pull_options){.elf_path = elf_path},
	               "the target runs build 0123456789abcdef0123456789abcdef01234566, ");
	assert_success(pull((struct pull_options){.elf_path = elf_path, .force = true}), &failure);
	assert_int_equal(summary.identity, IDENTITY_OTHER);
}

TEST(elf_with_displaced_vectors_is_refused)
{
	firmware_build(elf_path, "-DSYMBOLS -Wl,--build-id=0x" FIRMWARE_BUILD_ID);
	fake_put_block(&fake, FIRMWARE_BLOCK);
	assert_refused((struct pull_options){.elf_path = elf_path}, "lies before the vectors at ");
}

TEST(failed_pull_leaves_no_file)
{
	assert_refused((struct pull_options){0}, "no complete profile block in it");
	assert_refused((struct pull_options){.elf_path = dump_path}, dump_path);
	assert_refused((struct pull_options){.source = resolved_source("file:no/such/file")}, "no/such/file");
	fake_put_block(&fake, FAKE_BASE);
	fake_set_word(&fake, FAKE_BASE + BAREPROF_OFFSET_DIRECTORY + 16 + BAREPROF_ENTRY_CAPACITY, 0x10000000);
	assert_refused((struct pull_options){0}, "block at 0x20000000: offset 0xa0: section 1 lies at");
	fake_put_block(&fake, FAKE_BASE);
	fake_set_word(&fake, FAKE_BASE + BAREPROF_OFFSET_GATE,
	              BAREPROF_GATE(FAKE_BASE, BAREPROF_STATE_CLEARING_TO_STOP));
	assert_refused((struct pull_options){0}, "was being reset or cleared");
	assert_refused((struct pull_options){.output_path = "no/such/folder/x.bprof"}, "no/such/folder");
}

/* Bins of three bytes: no capture is written that info and report cannot read. */
TEST(block_that_cannot_be_decoded_leaves_no_file)
{
	fake_put_block(&fake, FAKE_BASE);
	*fake_at(&fake, FAKE_BASE + BAREPROF_OFFSET_DIRECTORY + 32 + BAREPROF_ENTRY_ITEM_SIZE) = 1;
	assert_success(pull((struct pull_options){0}), &failure);
	unlink(output_path);
	*fake_at(&fake, FAKE_BASE + BAREPROF_OFFSET_DIRECTORY + 32 + BAREPROF_ENTRY_CAPACITY) = 32;
	*fake_at(&fake, FAKE_BASE + BAREPROF_OFFSET_DIRECTORY + 32 + BAREPROF_ENTRY_ITEM_SIZE) = 3;
	assert_refused((struct pull_options){0}, "bins of 3 bytes");
}
