/* SPDX-License-Identifier: MIT */
/* The memory of a link as that of a target: over a client of the tests' own, which takes the place of the real one. */
#include "../sources.h"
#include "target/channel/channel.h"
#include "target/channel/client.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

#define BASE       UINT64_C(0x20000100)
#define BLOCK_SIZE 0x100u

/* The fake: what the client was asked, and what it answers. */
struct client {
	struct client_identity identity;
	uint8_t memory[2 * BLOCK_SIZE];
	bool only_sends, fails;
	const struct source *source;
	int cancel;
	const struct client_observer *observer;
	uint32_t written_offset, written_value;
	unsigned reads, writes, waited, closings;
};
static struct client fake;
static struct channel fake_channel;
static char opened[PATH_MAX];

static enum status open_channel(const struct source *source, int cancel, struct channel **channel, struct error *error)
{
	const char *address = source->address;

	(void)cancel;
	if (strcmp(address, "nowhere") == 0)
		return status_fail(error, "fake:%s: nobody there", address);
	snprintf(opened, sizeof opened, "%s", address);
	*channel = &fake_channel;
	return STATUS_OK;
}

static const struct channel_ops channel_fake = {.scheme = "fake", .synopsis = ":ANY", .open = open_channel};
const struct channel_ops *const channel_table[] = {&channel_fake, NULL};
const struct unavailable unavailable_channels[] = {{"morse", "libmorse", true}, {NULL, NULL, false}};

const struct channel_ops *channel_find(const char *scheme)
{
	return strcmp(scheme, "fake") == 0 ? &channel_fake : NULL;
}

enum status client_open(struct channel *channel, const struct source *source, int cancel,
                        const struct client_observer *observer, struct client **client, struct error *error)
{
	assert_ptr_equal(channel, &fake_channel);
	if (fake.fails)
		return status_fail(error, "%s: no answer", source->text);
	fake.source = source;
	fake.cancel = cancel;
	fake.observer = observer;
	*client = &fake;
	return STATUS_OK;
}

void client_close(struct client *client)
{
	if (client != NULL)
		client->closings++;
}

const struct client_identity *client_identify(const struct client *client)
{
	return &client->identity;
}

enum status client_read(struct client *client, uint32_t offset, void *bytes, size_t size, struct error *error)
{
	client->reads++;
	if (client->fails)
		return status_fail(error, "the line is dead");
	assert_true(offset <= sizeof client->memory && size <= sizeof client->memory - offset);
	memcpy(bytes, client->memory + offset, size);
	return STATUS_OK;
}

enum status client_write(struct client *client, uint32_t offset, uint32_t value, struct error *error)
{
	client->writes++;
	if (client->fails)
		return status_fail(error, "the line is dead");
	client->written_offset = offset;
	client->written_value = value;
	return STATUS_OK;
}

bool client_can_write(const struct client *client)
{
	return !client->only_sends;
}

enum status client_wait(struct client *client, unsigned milliseconds, struct error *error)
{
	client->waited += milliseconds;
	return client->fails ? status_fail(error, "the line is dead") : STATUS_OK;
}

struct client_traffic client_traffic(const struct client *client)
{
	return (struct client_traffic){.requests = client->reads};
}

static struct target *link_access;
static struct error error;

static void set_byte_order(bool big_endian)
{
	for (unsigned block = 0; block < 2; block++) {
		uint8_t *mark = fake.memory + (size_t)block * BLOCK_SIZE + BAREPROF_OFFSET_BYTE_ORDER;
		mark[0] = big_endian ? BAREPROF_BYTE_ORDER_MARK >> 8 : BAREPROF_BYTE_ORDER_MARK & 0xFF;
		mark[1] = big_endian ? BAREPROF_BYTE_ORDER_MARK & 0xFF : BAREPROF_BYTE_ORDER_MARK >> 8;
	}
}

static int prepare(void **state)
{
	fake = (struct client){.identity = {.address = BASE, .block_size = BLOCK_SIZE, .block_count = 2}};
	for (size_t i = 0; i < sizeof fake.memory; i++)
		fake.memory[i] = (uint8_t)(i * 7);
	set_byte_order(false);
	return 0;
}

static int begin(void **state)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;

	prepare(state);
	setup.cancel = 5;
	return open_source("fake:some,where", &setup, &link_access, &error) == STATUS_OK ? 0 : -1;
}

static int end(void **state)
{
	assert_int_equal(target_close(link_access, &error), STATUS_OK);
	assert_int_equal(fake.closings, 1);
	return 0;
}

static void assert_says(const char *part)
{
	if (strstr(error.message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, part);
}

EACH_TEST(begin, end);

TEST(client_gets_all_it_needs_to_open_again)
{
	assert_string_equal(opened, "some,where");
	assert_string_equal(fake.source->text, "fake:some,where");
	assert_string_equal(fake.source->address, "some,where");
	assert_int_equal(fake.cancel, 5);
	assert_non_null(fake.observer);
	assert_null(fake.observer->text);
}

static char noted[64];

static void take_note(void *context, const char *text)
{
	(void)context;
	snprintf(noted, sizeof noted, "%s", text);
}

TEST_WITH(note_of_the_channel_is_told, NULL, NULL)
{
	prepare(state);
	const struct client_observer observer = {.note = take_note};
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	setup.observer = &observer;
	snprintf(fake_channel.note, sizeof fake_channel.note, "somebody else listens");
	assert_int_equal(open_source("fake:here", &setup, &link_access, &error), STATUS_OK);
	assert_string_equal(noted, "somebody else listens");
	target_close(link_access, &error);
	assert_int_equal(open_source("fake:here", NULL, &link_access, &error), STATUS_OK);
	fake_channel.note[0] = 0;
	target_close(link_access, &error);
}

TEST_WITH(long_source_reaches_the_client_whole, NULL, NULL)
{
	prepare(state);
	char source[1024] = "fake:";
	memset(source + 5, 'x', sizeof source - 6);
	source[sizeof source - 1] = 0;
	const struct client_observer observer = {.context = source};
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	setup.observer = &observer;
	assert_int_equal(open_source(source, &setup, &link_access, &error), STATUS_OK);
	assert_string_equal(fake.source->text, source);
	assert_string_equal(fake.source->address, source + 5);
	assert_ptr_equal(fake.observer, &observer);
	target_close(link_access, &error);
}

TEST(addresses_become_offsets)
{
	uint8_t bytes[2 * BLOCK_SIZE];
	uint64_t address, size;
	assert_true(target_extent(link_access, &address, &size));
	assert_int_equal(address, BASE);
	assert_int_equal(size, 2 * BLOCK_SIZE);
	assert_int_equal(target_read(link_access, BASE, bytes, sizeof bytes, &error), STATUS_OK);
	assert_memory_equal(bytes, fake.memory, sizeof bytes);
	assert_int_equal(target_read(link_access, BASE + 0x101, bytes, 3, &error), STATUS_OK);
	assert_memory_equal(bytes, fake.memory + 0x101, 3);
	assert_int_equal(target_read(link_access, BASE + 2 * BLOCK_SIZE, bytes, 0, &error), STATUS_OK);
}

TEST(read_outside_the_blocks_is_refused_unasked)
{
	static const struct {
		uint64_t address;
		size_t size;
	} outside[] = {{BASE - 1, 1}, {BASE + 0x200, 1}, {BASE + 0x1FF, 2}, {0, 4}, {BASE, 0x201}, {UINT64_MAX, 1}};
	uint8_t bytes[0x300];
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		assert_int_equal(target_read(link_access, outside[i].address, bytes, outside[i].size, &error),
		                 STATUS_FAILED);
		assert_says("are not in the profile blocks, which are all that a link can read: 0x20000100 and 512 "
		            "bytes from there");
	}
	assert_int_equal(fake.reads, 0);
}

TEST(control_word_is_written_as_a_value_whatever_the_byte_order)
{
	static const uint8_t word[] = {0x01, 0x02, 0x03, 0x04};
	assert_true(link_access->ops->write != NULL);
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, word, 4, &error), STATUS_OK);
	assert_int_equal(fake.written_offset, BAREPROF_OFFSET_CONTROL_REQUEST);
	assert_int_equal(fake.written_value, 0x04030201);
	assert_int_equal(
	        target_write(link_access, BASE + BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_ARGUMENT, word, 4, &error),
	        STATUS_OK);
	assert_int_equal(fake.written_offset, BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_ARGUMENT);
	assert_int_equal(fake.reads, 1);
	target_close(link_access, &error);
	begin(state);
	set_byte_order(true);
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, word, 4, &error), STATUS_OK);
	assert_int_equal(fake.written_value, 0x01020304);
}

TEST(nothing_but_control_words_is_written)
{
	static const struct {
		uint64_t address;
		size_t size;
	} refused[] = {
	        {BASE + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, 4},
	        {BASE, 4},
	        {BASE + BAREPROF_OFFSET_CONTROL_REQUEST, 3},
	        {BASE + BAREPROF_OFFSET_CONTROL_ARGUMENT, 8},
	        {BASE + BAREPROF_OFFSET_CONTROL_REQUEST + 1, 4},
	        {BASE + 2 * BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_REQUEST, 4},
	        {BASE - BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_REQUEST, 4},
	};
	static const uint8_t bytes[8];
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		assert_int_equal(target_write(link_access, refused[i].address, bytes, refused[i].size, &error),
		                 STATUS_FAILED);
		assert_says("are no control word, and nothing else can be written");
	}
	assert_int_equal(fake.writes, 0);
}

TEST(target_that_only_sends_is_not_written_to)
{
	static const uint8_t bytes[4];
	fake.only_sends = true;
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, bytes, 4, &error),
	                 STATUS_FAILED);
	assert_says("fake:some,where: the target only sends (bareprof_send()), it cannot be controlled");
	assert_int_equal(fake.writes, 0);
}

TEST(memory_without_a_block_is_not_written_to)
{
	static const uint8_t bytes[4];
	memset(fake.memory, 0, sizeof fake.memory);
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, bytes, 4, &error),
	                 STATUS_FAILED);
	assert_says("fake:some,where: no profile block there: has the firmware called bareprof_init()?");
	assert_false(link_access->is_lost);
	assert_int_equal(fake.writes, 0);
}

TEST(target_runs_while_the_link_waits)
{
	uint8_t byte;
	assert_int_equal(target_run(link_access, 1234, &error), STATUS_OK);
	assert_int_equal(fake.waited, 1234);
	target_read(link_access, BASE, &byte, 1, &error);
	struct target_traffic traffic = target_traffic(link_access);
	assert_true(traffic.has_frames && !traffic.has_transfers);
	assert_int_equal(traffic.frames.requests, 1);
}

TEST(failure_of_the_line_is_passed_on)
{
	uint8_t byte;
	assert_int_equal(target_read(link_access, 0, &byte, 1, &error), STATUS_FAILED);
	assert_false(link_access->is_lost);
	fake.fails = true;
	assert_int_equal(target_read(link_access, BASE, &byte, 1, &error), STATUS_FAILED);
	assert_string_equal(error.message, "the line is dead");
	assert_true(link_access->is_lost);
	link_access->is_lost = false;
	assert_int_equal(target_run(link_access, 1, &error), STATUS_FAILED);
	assert_true(link_access->is_lost);
}

/* First the target's byte order cannot be read; then it is known, and the word cannot be written. */
TEST(failure_of_the_line_is_passed_on_by_a_write)
{
	static const uint8_t word[4];
	fake.fails = true;
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, word, 4, &error),
	                 STATUS_FAILED);
	assert_int_equal(fake.writes, 0);
	assert_true(link_access->is_lost);
	fake.fails = false;
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, word, 4, &error), STATUS_OK);
	assert_false(link_access->is_lost);
	fake.fails = true;
	assert_int_equal(target_write(link_access, BASE + BAREPROF_OFFSET_CONTROL_REQUEST, word, 4, &error),
	                 STATUS_FAILED);
	assert_true(link_access->is_lost);
}

TEST_WITH(what_cannot_be_opened_is_told_and_closed, NULL, NULL)
{
	prepare(state);
	struct target *none;
	assert_int_equal(open_source("fake:nowhere", NULL, &none, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:nowhere: nobody there");
	fake.fails = true;
	assert_int_equal(open_source("fake:here", NULL, &none, &error), STATUS_FAILED);
	assert_string_equal(error.message, "fake:here: no answer");
	fake.fails = false;
	assert_int_equal(fake.closings, 0);
	fake.identity.address = UINT64_MAX - BLOCK_SIZE;
	assert_int_equal(open_source("fake:here", NULL, &none, &error), STATUS_FAILED);
	assert_says("fake:here: the target says that it has 2 blocks of 256 bytes at 0xfffffffffffffeff");
	fake.identity.block_size = 0;
	assert_int_equal(open_source("fake:here", NULL, &none, &error), STATUS_FAILED);
	assert_says("has 2 blocks of 0 bytes");
	assert_int_equal(fake.closings, 2);
}

TEST_WITH(source_that_there_is_not_lists_those_that_there_are, NULL, NULL)
{
	struct target *none;
	assert_int_equal(open_source("serial:x", NULL, &none, &error), STATUS_USAGE);
	assert_says("serial:x: no such source; expected one of: ");
	assert_says(" gdb:HOST:PORT|DEVICE, ");
	assert_says(", file:DUMP, fake:ANY");
	assert_int_equal(open_source("morse:x", NULL, &none, &error), STATUS_USAGE);
	assert_string_equal(error.message, "morse:x: this bareprof was built without libmorse");
	assert_int_equal(open_source("fake=x", NULL, &none, &error), STATUS_USAGE);
	assert_string_equal(error.message, "fake=x: no such source; did you mean fake:x?");
	assert_int_equal(open_source("gdb=localhost:1234", NULL, &none, &error), STATUS_USAGE);
	assert_string_equal(error.message, "gdb=localhost:1234: no such source; did you mean gdb:localhost:1234?");
}
