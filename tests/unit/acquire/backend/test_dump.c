/* SPDX-License-Identifier: MIT */
/* Files as sources: memory dumps, whose address follows from the blocks in them or is given, and recorded frames. */
#include "../channel/wire.h"
#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE 0x200u

/* A recording: the address and size of its memory, and of each frame. */
#define SENT_BASE UINT64_C(0x20000400)
#define SENT_SIZE 0x400u
#define FRAME     128u

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The content of the file, and the target that it was opened as. */
static uint8_t content[0x1000];
static size_t size;
static char path[128];
static struct target *target;
static char text[256]; /* observed */

static int set_up(void **state)
{
	const char *folder = getenv("BUILD");

	snprintf(path, sizeof path, "%s/test_dump.%d", folder != NULL ? folder : "build", (int)getpid());
	for (size_t i = 0; i < sizeof content; i++)
		content[i] = (uint8_t)(i * 13);
	size = sizeof content;
	target = NULL;
	text[0] = noted[0] = 0;
	return 0;
}

static int tear_down(void **state)
{
	return target_close(target, &failure) ? -1 : 0;
}

static void on_text(void *context, const uint8_t *bytes, size_t text_size)
{
	size_t length = strlen(text);

	(void)context;
	assert_true(text_size < sizeof text - length);
	memcpy(text + length, bytes, text_size);
	text[length + text_size] = 0;
}

static enum status open_file(const char *options)
{
	static const struct target_observer observer = {.text = on_text, .note = take_note};
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	char source[300];

	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(content, 1, size, file), size);
	fclose(file);
	snprintf(source, sizeof source, "file:%s%s", path, options);
	setup.observer = &observer;
	enum status status = open_source(source, &setup, &target, &failure);
	unlink(path);
	return status;
}

static void fail_to_open(const char *options, enum status status, const char *message)
{
	assert_int_equal(open_file(options), status);
	assert_says(&failure, message);
	assert_null(target);
}

static void expect_extent(uint64_t base, uint64_t extent)
{
	uint64_t address, found;

	assert_true(target_extent(target, &address, &found));
	assert_true(address == base);
	assert_int_equal(found, extent);
}

static void expect_bytes(uint64_t address, const uint8_t *bytes, size_t count)
{
	static uint8_t read[0x1000];

	assert_success(target_read(target, address, read, count, &failure), &failure);
	assert_memory_equal(read, bytes, count);
}

static void put(uint8_t *bytes, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

/* The smallest header of a block of BLOCK_SIZE bytes at an address. */
static void put_block(size_t offset, uint64_t address)
{
	uint8_t *block = content + offset;

	memset(block, 0, BLOCK_SIZE < sizeof content - offset ? BLOCK_SIZE : sizeof content - offset);
	memcpy(block, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	put(block + BAREPROF_OFFSET_BYTE_ORDER, BAREPROF_BYTE_ORDER_MARK, 2);
	block[BAREPROF_OFFSET_MAJOR] = BAREPROF_FORMAT_MAJOR;
	block[BAREPROF_OFFSET_ADDRESS_SIZE] = 4;
	put(block + BAREPROF_OFFSET_HEADER_SIZE, BAREPROF_HEADER_SIZE(4), 2);
	put(block + BAREPROF_OFFSET_BLOCK_ADDRESS, address, 8);
	put(block + BAREPROF_OFFSET_BLOCK_SIZE, BLOCK_SIZE, 4);
}

static void open_dump(void)
{
	put_block(0x340, 0x20000740);
	assert_int_equal(open_file(""), STATUS_OK);
}

EACH_TEST(set_up, tear_down);

TEST(base_address_follows_from_the_block)
{
	open_dump();
	expect_extent(0x20000400, sizeof content);
	expect_bytes(0x20000400, content, 0x100);
	expect_bytes(0x20001300, content + 0xF00, 0x100);
}

TEST(read_outside_the_dump_is_refused)
{
	static const struct {
		uint64_t address;
		size_t size;
	} outside[] = {{0x200003FF, 1}, {0x20001400, 1}, {0x200013FF, 2},
	               {0, 4},          {UINT64_MAX, 1}, {0x20000400, 0x1001}};
	static uint8_t bytes[0x2000];

	open_dump();
	for (size_t i = 0; i < COUNT(outside); i++) {
		assert_failure(target_read(target, outside[i].address, bytes, outside[i].size, &failure), &failure,
		               "are not in the dump");
	}
}

TEST(dump_can_be_neither_written_nor_run)
{
	open_dump();
	assert_failure(target_write(target, 0x20000400, "x", 1, &failure), &failure, "cannot be written to");
	assert_failure(target_run(target, 1, &failure), &failure, "no target that could run");
}

TEST(blocks_that_agree_give_one_base)
{
	put_block(0x100, 0x8000000000000100u);
	put_block(0x800, 0x8000000000000800u);
	assert_int_equal(open_file(""), STATUS_OK);
	expect_extent(0x8000000000000000u, sizeof content);
}

TEST(blocks_that_disagree_are_refused_until_the_base_is_given)
{
	put_block(0x100, 0x20000100);
	put_block(0x800, 0x20000900);
	fail_to_open("", STATUS_FAILED, "offsets 0x100 and 0x800 disagree");
	assert_says(&failure, "0x20000000 or 0x20000100");
	assert_int_equal(open_file(",base=0x20000100"), STATUS_OK);
	expect_extent(0x20000100, sizeof content);
}

TEST(bytes_that_resemble_a_block_give_no_base)
{
	fail_to_open("", STATUS_FAILED, "no complete profile block in it");
	/* The magic alone; a block cut at the end; a block at an address below its offset; one past the top. */
	memcpy(content + 0x10, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	put_block(sizeof content - BLOCK_SIZE + 8, 0x20000000);
	put_block(0x300, 0x2FF);
	put_block(0x600, UINT64_MAX - 4);
	fail_to_open("", STATUS_FAILED, "no complete profile block in it");
	for (size = 1; size < 0x20; size++)
		fail_to_open("", STATUS_FAILED, "no complete profile block in it");
}

TEST(bad_option_is_a_usage_error)
{
	static const char *const bases[] = {
	        ",base=", ",base=-1", ",base=0x", ",base=12q", ",base=0x10000000000000000", ",base=0xffffffffffffffff"};

	for (size_t i = 0; i < COUNT(bases); i++)
		fail_to_open(bases[i], STATUS_USAGE, "base");
	fail_to_open(",bass=1", STATUS_USAGE, "no such option; it knows: base");
}

TEST(missing_file_is_named)
{
	assert_failure(open_source("file:no/such,dump", NULL, &target, &failure), &failure, "no/such,dump");
}

TEST(empty_file_is_reported)
{
	size = 0;
	fail_to_open("", STATUS_FAILED, ": is empty");
	fail_to_open(",base=0", STATUS_FAILED, ": is empty");
}

static uint8_t sent[SENT_SIZE];

/* The log of a terminal to which a target prints and sends its memory. */
static void record(void)
{
	uint8_t frame[FRAME * 2];

	for (size_t i = 0; i < SENT_SIZE; i++)
		sent[i] = (uint8_t)(i % 50 < 20 ? 0 : i * 13);
	size = (size_t)sprintf((char *)content, "bareprof: boot\r\n");
	size += wire_encode(frame, wire_identity(frame, 0, 1, FRAME, SENT_SIZE, SENT_BASE), content + size);
	for (uint32_t offset = 0; offset < SENT_SIZE;) {
		size_t frame_size = wire_data(frame, 0, sent, offset, SENT_SIZE, FRAME, &offset);

		size += wire_encode(frame, frame_size, content + size);
	}
}

TEST(recorded_memory_is_read)
{
	record();
	assert_int_equal(open_file(""), STATUS_OK);
	expect_extent(SENT_BASE, SENT_SIZE);
	expect_bytes(SENT_BASE, sent, SENT_SIZE);
	assert_string_equal(noted, "");
}

TEST(last_of_several_recordings_is_read_with_a_note)
{
	record();
	memcpy(content + size, content, size);
	size *= 2;
	assert_int_equal(open_file(""), STATUS_OK);
	assert_string_equal(noted, "transmission 2 of 2 was taken, the last one");
}

/* This includes text after an unfinished frame, and the last line, which has no newline. */
TEST(text_between_frames_is_reported)
{
	record();
	memcpy(content + size, "\0\x02\x81\0done\r\n> ", 12);
	size += 12;
	assert_int_equal(open_file(""), STATUS_OK);
	assert_string_equal(text, "bareprof: boot\r\ndone\r\n> ");
}

TEST(recording_that_breaks_off_reports_the_missing_bytes)
{
	record();
	size -= 200;
	fail_to_open("", STATUS_FAILED, "no complete profile block in it, nor a complete transmission: ");
	assert_says(&failure, "file:");
	assert_says(&failure, "1024");
	assert_null(strstr(strstr(failure.message, path) + 1, path));
}

TEST(recording_with_a_base_is_a_dump)
{
	record();
	assert_int_equal(open_file(",base=0x1000"), STATUS_OK);
	expect_bytes(0x1000, (const uint8_t *)"bareprof: boot\r\n", 16);
}
