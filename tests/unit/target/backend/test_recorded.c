/* SPDX-License-Identifier: MIT */
/* A recorded stream of frames as a source: its memory is that which was sent. */
#include "../channel/wire.h"
#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BASE  UINT64_C(0x20000400)
#define SIZE  0x400u
#define FRAME 128u

static uint8_t memory[SIZE];
static uint8_t stream[4 * SIZE];
static size_t size;
static char path[128], source[160], noted[512];
static struct target *recorded;
static struct error error;
static char text[256]; /* that was told */

static void add_frame(const uint8_t *content, size_t content_size)
{
	size += wire_frame(content, content_size, stream + size);
}

/* A terminal's log of a target that prints and sends. */
static int begin(void **state)
{
	uint8_t content[FRAME * 2];
	const char *folder = getenv("BUILD");
	memset(text, 0, sizeof text);
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i % 50 < 20 ? 0 : i * 13);
	noted[0] = 0;
	size = (size_t)sprintf((char *)stream, "bareprof: boot\r\n");
	add_frame(content, wire_identity(content, 0, 1, FRAME, SIZE, BASE));
	for (uint32_t offset = 0; offset < SIZE;)
		add_frame(content, wire_data(content, 0, memory, offset, SIZE, FRAME, &offset));
	snprintf(path, sizeof path, "%s/test_recorded.%d", folder != NULL ? folder : "build", (int)getpid());
	return 0;
}

static void take_note(void *context, const char *note)
{
	(void)context;
	snprintf(noted, sizeof noted, "%s", note);
}

static void hear_text(void *context, const uint8_t *bytes, size_t text_size)
{
	(void)context;
	size_t length = strlen(text);
	assert_true(text_size < sizeof text - length);
	memcpy(text + length, bytes, text_size);
}

static enum status open_stream(const char *options)
{
	static const struct client_observer observer = {.text = hear_text, .note = take_note};
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(stream, 1, size, file), size);
	fclose(file);
	snprintf(source, sizeof source, "file:%s%s", path, options);
	setup.observer = &observer;
	enum status status = open_source(source, &setup, &recorded, &error);
	unlink(path);
	return status;
}

static void assert_says(const char *part)
{
	if (strstr(error.message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, part);
	assert_null(strchr(error.message, '\n'));
}

EACH_TEST(begin, NULL);

TEST(memory_that_was_sent_is_read)
{
	uint8_t bytes[SIZE];
	uint64_t address, extent;
	assert_int_equal(open_stream(""), STATUS_OK);
	assert_true(target_extent(recorded, &address, &extent));
	assert_int_equal(address, BASE);
	assert_int_equal(extent, SIZE);
	assert_int_equal(target_read(recorded, BASE, bytes, SIZE, &error), STATUS_OK);
	assert_memory_equal(bytes, memory, SIZE);
	assert_string_equal(noted, "");
	target_close(recorded, &error);
}

TEST(user_is_told_which_of_several_sendings_it_is)
{
	memcpy(stream + size, stream, size);
	size *= 2;
	assert_int_equal(open_stream(""), STATUS_OK);
	assert_string_equal(noted, "sending 2 of 2 is taken, the last one");
	target_close(recorded, &error);
}

/* Also behind a frame that broke off, and in the last line, which nothing ends. */
TEST(text_between_frames_is_told)
{
	memcpy(stream + size, "\0\x02\x81\0done\r\n> ", 12);
	size += 12;
	assert_int_equal(open_stream(""), STATUS_OK);
	assert_string_equal(text, "bareprof: boot\r\ndone\r\n> ");
	target_close(recorded, &error);
}

TEST(stream_that_breaks_off_says_what_is_missing)
{
	size -= 200;
	assert_int_equal(open_stream(""), STATUS_FAILED);
	assert_says("file:");
	assert_says("no whole profile block in it, nor a whole sending: ");
	assert_says("1024");
	assert_null(strstr(strstr(error.message, path) + 1, path));
}

TEST(empty_file_is_told_so)
{
	size = 0;
	assert_int_equal(open_stream(""), STATUS_FAILED);
	assert_says(": is empty");
	assert_int_equal(open_stream(",base=0"), STATUS_FAILED);
	assert_says(": is empty");
}

TEST(base_makes_it_a_dump)
{
	uint8_t bytes[16];
	assert_int_equal(open_stream(",base=0x1000"), STATUS_OK);
	assert_int_equal(target_read(recorded, 0x1000, bytes, sizeof bytes, &error), STATUS_OK);
	assert_memory_equal(bytes, "bareprof: boot\r\n", sizeof bytes);
	target_close(recorded, &error);
}
