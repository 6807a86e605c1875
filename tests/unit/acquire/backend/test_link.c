/* SPDX-License-Identifier: MIT */
/* A link as a target, with a fake client in place of the real one. */
#include "../sources.h"
#include "acquire/backend/backends.h"
#include "acquire/channel/client.h"
#include "test.h"

#include <bareprof/block.h>
#include <string.h>

#define BASE       UINT64_C(0x20000100)
#define BLOCK_SIZE 0x100u

/* The fake client: its memory and faults, and the requests that it received. */
struct client {
	struct client_identity identity;
	uint8_t memory[2 * BLOCK_SIZE];
	bool only_sends, fails;
	const struct source *source;
	int cancel;
	const struct target_observer *observer;
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

extern const struct target_ops backend_file, backend_gdb, backend_link;
static const struct channel_ops channel_fake = {.syntax = {.scheme = "fake", .synopsis = ":ANY"}, .open = open_channel};

/* Replaces that of table.c. */
const struct source_kind source_kinds[] = {
        {"morse", "libmorse", true, .syntax = NULL},
        {"gdb", .syntax = &backend_gdb.syntax, .backend = &backend_gdb},
        {"file", .syntax = &backend_file.syntax, .backend = &backend_file},
        {"fake", .syntax = &channel_fake.syntax, .backend = &backend_link, .channel = &channel_fake},
        {.scheme = NULL},
};

enum status client_open(struct channel *channel, const struct source *source, int cancel,
                        const struct target_observer *observer, struct client **client, struct error *error)
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

const struct client_identity *client_get_identity(const struct client *client)
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

struct link_traffic client_traffic(const struct client *client)
{
	return (struct link_traffic){.requests = client->reads};
}

static struct target *target;

static const struct target_observer observer = {.note = take_note};

static void set_byte_order(bool big_endian)
{
	for (unsigned block = 0; block < 2; block++) {
		uint8_t *mark = fake.memory + (size_t)block * BLOCK_SIZE + BAREPROF_OFFSET_BYTE_ORDER;

		mark[0] = big_endian ? BAREPROF_BYTE_ORDER_MARK >> 8 : BAREPROF_BYTE_ORDER_MARK & 0xFF;
		mark[1] = big_endian ? BAREPROF_BYTE_ORDER_MARK & 0xFF : BAREPROF_BYTE_ORDER_MARK >> 8;
	}
}

static enum status open_link(const char *source)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;

	setup.cancel = 5;
	setup.observer = &observer;
	return open_source(source, &setup, &target, &failure);
}

static int prepare(void **state)
{
	fake = (struct client){.identity = {.address = BASE, .block_size = BLOCK_SIZE, .block_count = 2}};
	for (size_t i = 0; i < sizeof fake.memory; i++)
		fake.memory[i] = (uint8_t)(i * 7);
	set_byte_order(false);
	target = NULL;
	return 0;
}

static int begin(void **state)
{
	prepare(state);
	return open_link("fake:some,where") == STATUS_OK ? 0 : -1;
}

static int end(void **state)
{
	assert_success(target_close(target, &failure), &failure);
	assert_int_equal(fake.closings, 1);
	return 0;
}

static void expect_read(uint64_t address, size_t size, const uint8_t *expected)
{
	uint8_t bytes[2 * BLOCK_SIZE];

	assert_success(target_read(target, address, bytes, size, &failure), &failure);
	assert_memory_equal(bytes, expected, size);
}

/* Writes 01 02 03 04 to the word at an offset. */
static enum status write_at(uint64_t offset)
{
	return target_write(target, BASE + offset, "\1\2\3\4", 4, &failure);
}

static void expect_written(uint32_t offset, uint32_t value)
{
	assert_int_equal(write_at(offset), STATUS_OK);
	assert_int_equal(fake.written_offset, offset);
	assert_int_equal(fake.written_value, value);
}

EACH_TEST(begin, end);

TEST(client_receives_everything_needed_to_reconnect)
{
	assert_string_equal(opened, "some,where");
	assert_string_equal(fake.source->text, "fake:some,where");
	assert_string_equal(fake.source->address, "some,where");
	assert_int_equal(fake.cancel, 5);
	assert_ptr_equal(fake.observer, &observer);
}

TEST_WITH(note_of_the_channel_is_passed_on, prepare, end)
{
	snprintf(fake_channel.note, sizeof fake_channel.note, "the port is shared");
	assert_int_equal(open_link("fake:here"), STATUS_OK);
	assert_string_equal(noted, "the port is shared");
	fake_channel.note[0] = 0;
}

TEST_WITH(long_source_reaches_the_client_whole, prepare, end)
{
	char source[1024] = "fake:";

	memset(source + 5, 'x', sizeof source - 6);
	source[sizeof source - 1] = 0;
	assert_int_equal(open_link(source), STATUS_OK);
	assert_string_equal(fake.source->text, source);
	assert_string_equal(fake.source->address, source + 5);
}

TEST(addresses_become_offsets)
{
	uint64_t address, size;

	assert_true(target_extent(target, &address, &size));
	assert_int_equal(address, BASE);
	assert_int_equal(size, 2 * BLOCK_SIZE);
	expect_read(BASE, sizeof fake.memory, fake.memory);
	expect_read(BASE + 0x101, 3, fake.memory + 0x101);
	expect_read(BASE + 2 * BLOCK_SIZE, 0, fake.memory);
}

TEST(read_outside_the_blocks_is_refused_locally)
{
	static const struct {
		uint64_t address;
		size_t size;
	} outside[] = {{BASE - 1, 1}, {BASE + 0x200, 1}, {BASE + 0x1FF, 2}, {0, 4}, {BASE, 0x201}, {UINT64_MAX, 1}};
	uint8_t bytes[0x300];

	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		assert_int_equal(target_read(target, outside[i].address, bytes, outside[i].size, &failure),
		                 STATUS_FAILED);
		assert_says(&failure,
		            "are not in the profile blocks, which are all that a link can read: 0x20000100 and "
		            "512 bytes from there");
	}
	assert_int_equal(fake.reads, 0);
}

TEST(control_word_is_written_in_either_byte_order)
{
	expect_written(BAREPROF_OFFSET_CONTROL_REQUEST, 0x04030201);
	expect_written(BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_ARGUMENT, 0x04030201);
	assert_int_equal(fake.reads, 1);
	end(state);
	begin(state);
	set_byte_order(true);
	expect_written(BAREPROF_OFFSET_CONTROL_REQUEST, 0x01020304);
}

TEST(only_control_words_are_written)
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
		assert_failure(target_write(target, refused[i].address, bytes, refused[i].size, &failure), &failure,
		               "are not a control word, and nothing else can be written");
	}
	assert_int_equal(fake.writes, 0);
}

TEST(target_that_only_sends_is_not_written_to)
{
	fake.only_sends = true;
	assert_failure(write_at(BAREPROF_OFFSET_CONTROL_REQUEST), &failure,
	               "fake:some,where: the target only sends (bareprof_send()), it cannot be controlled");
	assert_int_equal(fake.writes, 0);
}

TEST(memory_without_a_block_is_not_written_to)
{
	memset(fake.memory, 0, sizeof fake.memory);
	assert_failure(write_at(BAREPROF_OFFSET_CONTROL_REQUEST), &failure,
	               "fake:some,where: no profile block there: has the firmware called bareprof_init()?");
	assert_false(target->is_lost);
	assert_int_equal(fake.writes, 0);
}

TEST(target_runs_while_the_link_waits)
{
	assert_success(target_run(target, 1234, &failure), &failure);
	assert_int_equal(fake.waited, 1234);
	expect_read(BASE, 1, fake.memory);
	struct target_traffic traffic = target_traffic(target);
	assert_true(traffic.has_frames && !traffic.has_transfers);
	assert_int_equal(traffic.frames.requests, 1);
}

TEST(failure_of_the_client_loses_the_target)
{
	uint8_t byte;

	assert_int_equal(target_read(target, 0, &byte, 1, &failure), STATUS_FAILED);
	assert_false(target->is_lost);
	fake.fails = true;
	assert_int_equal(target_read(target, BASE, &byte, 1, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "the line is dead");
	assert_true(target->is_lost);
	target->is_lost = false;
	assert_int_equal(target_run(target, 1, &failure), STATUS_FAILED);
	assert_true(target->is_lost);
}

/* At first the byte order cannot be read; once it is known, the word cannot be written. */
TEST(failure_of_the_client_in_a_write_loses_the_target)
{
	fake.fails = true;
	assert_int_equal(write_at(BAREPROF_OFFSET_CONTROL_REQUEST), STATUS_FAILED);
	assert_int_equal(fake.writes, 0);
	assert_true(target->is_lost);
	fake.fails = false;
	assert_int_equal(write_at(BAREPROF_OFFSET_CONTROL_REQUEST), STATUS_OK);
	assert_false(target->is_lost);
	fake.fails = true;
	assert_int_equal(write_at(BAREPROF_OFFSET_CONTROL_REQUEST), STATUS_FAILED);
	assert_true(target->is_lost);
}

TEST_WITH(link_that_cannot_be_opened_is_reported_and_closed, prepare, NULL)
{
	assert_int_equal(open_link("fake:nowhere"), STATUS_FAILED);
	assert_string_equal(failure.message, "fake:nowhere: nobody there");
	fake.fails = true;
	assert_int_equal(open_link("fake:here"), STATUS_FAILED);
	assert_string_equal(failure.message, "fake:here: no answer");
	fake.fails = false;
	assert_int_equal(fake.closings, 0);
	fake.identity.address = UINT64_MAX - BLOCK_SIZE;
	assert_failure(open_link("fake:here"), &failure,
	               "fake:here: the target reports 2 blocks of 256 bytes at 0xfffffffffffffeff");
	fake.identity.block_size = 0;
	assert_failure(open_link("fake:here"), &failure, "reports 2 blocks of 0 bytes");
	assert_int_equal(fake.closings, 2);
}

TEST_WITH(unknown_source_is_reported_with_the_known_ones, NULL, NULL)
{
	static const struct {
		const char *source, *message;
	} cases[] = {
	        {"serial:x", "serial:x: no such source; expected one of: "},
	        {"serial:x", " gdb:HOST:PORT|DEVICE, "},
	        {"serial:x", ", file:DUMP, fake:ANY"},
	        {"morse:x", "morse:x: this bareprof was built without libmorse"},
	        {"fake=x", "fake=x: no such source; did you mean fake:x?"},
	        {"gdb=localhost:1234", "gdb=localhost:1234: no such source; did you mean gdb:localhost:1234?"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(open_link(cases[i].source), STATUS_USAGE);
		assert_says(&failure, cases[i].message);
	}
}
