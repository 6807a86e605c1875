/* SPDX-License-Identifier: MIT */
/* A memory dump as a source: its address is found from the blocks in it, or given. */
#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE 0x200u

struct dump {
	uint8_t bytes[0x1000];
	char path[256];
	char source[300];
};

static void put(uint8_t *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

/* The least header that says a block of BLOCK_SIZE bytes lies at address. */
static void put_block(struct dump *dump, size_t offset, uint64_t address)
{
	uint8_t *block = dump->bytes + offset;
	memset(block, 0, BLOCK_SIZE < sizeof dump->bytes - offset ? BLOCK_SIZE : sizeof dump->bytes - offset);
	memcpy(block, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	put(block + BAREPROF_OFFSET_BYTE_ORDER, BAREPROF_BYTE_ORDER_MARK, 2);
	block[BAREPROF_OFFSET_MAJOR] = BAREPROF_FORMAT_MAJOR;
	block[BAREPROF_OFFSET_ADDRESS_SIZE] = 4;
	put(block + BAREPROF_OFFSET_HEADER_SIZE, BAREPROF_HEADER_SIZE(4), 2);
	put(block + BAREPROF_OFFSET_BLOCK_ADDRESS, address, 8);
	put(block + BAREPROF_OFFSET_BLOCK_SIZE, BLOCK_SIZE, 4);
}

static void begin_dump(struct dump *dump)
{
	const char *folder = getenv("BUILD");
	for (size_t i = 0; i < sizeof dump->bytes; i++)
		dump->bytes[i] = (uint8_t)(i * 13);
	snprintf(dump->path, sizeof dump->path, "%s/test_dump.%d", folder != NULL ? folder : "build", (int)getpid());
}

static enum status open_dump(struct dump *dump, size_t size, const char *options, struct target **target,
                             struct error *error)
{
	FILE *file = fopen(dump->path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(dump->bytes, 1, size, file), size);
	fclose(file);
	snprintf(dump->source, sizeof dump->source, "file:%s%s", dump->path, options);
	*target = NULL;
	enum status status = open_source(dump->source, NULL, target, error);
	unlink(dump->path);
	return status;
}

static void assert_says(const struct error *error, const char *part)
{
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error->message, part);
}

TEST(base_address_follows_from_the_block)
{
	struct dump dump;
	struct target *target;
	struct error error = {.message = ""};
	uint64_t address, size;
	uint8_t bytes[0x100];

	begin_dump(&dump);
	put_block(&dump, 0x340, 0x20000740);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_OK);
	assert_true(target_extent(target, &address, &size));
	assert_int_equal(address, 0x20000400);
	assert_int_equal(size, sizeof dump.bytes);
	assert_int_equal(target_read(target, 0x20000400, bytes, sizeof bytes, &error), STATUS_OK);
	assert_memory_equal(bytes, dump.bytes, sizeof bytes);
	assert_int_equal(target_read(target, 0x20001300, bytes, 0x100, &error), STATUS_OK);
	assert_memory_equal(bytes, dump.bytes + 0xF00, 0x100);
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(read_outside_the_dump_is_refused)
{
	static const struct {
		uint64_t address;
		size_t size;
	} outside[] = {{0x200003FF, 1}, {0x20001400, 1}, {0x200013FF, 2},
	               {0, 4},          {UINT64_MAX, 1}, {0x20000400, 0x1001}};
	struct dump dump;
	struct target *target;
	struct error error;
	static uint8_t bytes[0x2000];

	begin_dump(&dump);
	put_block(&dump, 0x340, 0x20000740);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_OK);
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		assert_int_equal(target_read(target, outside[i].address, bytes, outside[i].size, &error),
		                 STATUS_FAILED);
		assert_says(&error, "are not in the dump");
	}
	target_close(target, &error);
}

TEST(dump_can_be_neither_written_nor_run)
{
	struct dump dump;
	struct target *target;
	struct error error;

	begin_dump(&dump);
	put_block(&dump, 0, 0x20000000);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_OK);
	assert_false(target->ops->write != NULL);
	assert_int_equal(target_write(target, 0x20000000, "x", 1, &error), STATUS_FAILED);
	assert_says(&error, "cannot be written to");
	assert_int_equal(target_run(target, 1, &error), STATUS_FAILED);
	assert_says(&error, "no target that could run");
	target_close(target, &error);
}

TEST(blocks_that_agree_give_one_base)
{
	struct dump dump;
	struct target *target;
	struct error error;
	uint64_t address, size;

	begin_dump(&dump);
	put_block(&dump, 0x100, 0x8000000000000100u);
	put_block(&dump, 0x800, 0x8000000000000800u);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_OK);
	assert_true(target_extent(target, &address, &size));
	assert_true(address == 0x8000000000000000u);
	target_close(target, &error);
}

TEST(blocks_that_disagree_are_refused_until_the_base_is_given)
{
	struct dump dump;
	struct target *target;
	struct error error;
	uint64_t address, size;

	begin_dump(&dump);
	put_block(&dump, 0x100, 0x20000100);
	put_block(&dump, 0x800, 0x20000900);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_FAILED);
	assert_says(&error, "offsets 0x100 and 0x800 disagree");
	assert_says(&error, "0x20000000 or 0x20000100");
	assert_null(target);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, ",base=0x20000100", &target, &error), STATUS_OK);
	assert_true(target_extent(target, &address, &size));
	assert_int_equal(address, 0x20000100);
	target_close(target, &error);
}

TEST(what_only_looks_like_a_block_gives_no_base)
{
	struct dump dump;
	struct target *target;
	struct error error;

	begin_dump(&dump);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_FAILED);
	assert_says(&error, "no whole profile block in it");
	/* The magic alone; a block cut at the end; a block at an address below its offset; one past the top. */
	memcpy(dump.bytes + 0x10, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	put_block(&dump, sizeof dump.bytes - BLOCK_SIZE + 8, 0x20000000);
	put_block(&dump, 0x300, 0x2FF);
	put_block(&dump, 0x600, UINT64_MAX - 4);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, "", &target, &error), STATUS_FAILED);
	assert_says(&error, "no whole profile block in it");
	for (size_t size = 0; size < 0x20; size++)
		assert_int_equal(open_dump(&dump, size, "", &target, &error), STATUS_FAILED);
}

TEST(bad_base_is_a_usage_error)
{
	struct dump dump;
	struct target *target;
	struct error error;
	begin_dump(&dump);
	static const char *const bases[] = {
	        ",base=", ",base=-1", ",base=0x", ",base=12q", ",base=0x10000000000000000", ",base=0xffffffffffffffff"};
	for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
		assert_int_equal(open_dump(&dump, sizeof dump.bytes, bases[i], &target, &error), STATUS_USAGE);
	assert_int_equal(open_dump(&dump, sizeof dump.bytes, ",bass=1", &target, &error), STATUS_USAGE);
	assert_says(&error, "no such option; it knows: base");
}

TEST(missing_file_is_named)
{
	struct target *target = NULL;
	struct error error;
	assert_int_equal(open_source("file:no/such,dump", NULL, &target, &error), STATUS_FAILED);
	assert_says(&error, "no/such,dump");
}
