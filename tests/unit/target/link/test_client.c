/* SPDX-License-Identifier: MIT */
/* Both ends of the link: the host's client and the target's code, on a clock that advances only while the client waits.
 * tests/link/ runs both over lines with faults. */
#include "acquire/channel/client.h"
#include "base/clock.h"
#include "peer.h"
#include "test.h"

#include <string.h>

/* The target's turns in each millisecond. */
static unsigned polls_per_millisecond;
static unsigned polls;
static bool is_instant; /* the target's bytes arrive before its next poll; else they take 1 to 2 milliseconds */
static size_t on_its_way, arrived; /* bytes from the target */
static uint64_t now;
static struct channel channel;

static void turn(void)
{
	bareprof_poll();
	if (is_instant)
		arrived = on_its_way = peer.sent_size;
	if (++polls % polls_per_millisecond > 0)
		return;
	now++;
	arrived = on_its_way;
	on_its_way = peer.sent_size;
}

static enum wait_result pipe_take(struct channel *pipe, void *bytes, size_t capacity, uint64_t deadline, size_t *size)
{
	(void)pipe;
	for (;;) {
		turn();
		size_t there = arrived - peer.seen;
		if (there > capacity)
			there = capacity;
		*size = there;
		memcpy(bytes, peer.sent + peer.seen, there);
		peer.seen += there;
		if (*size > 0)
			return WAIT_DONE;
		if (now >= deadline)
			return WAIT_TIMEOUT;
	}
}

static enum wait_result pipe_give(struct channel *pipe, const void *bytes, size_t size, uint64_t deadline)
{
	(void)pipe;
	(void)deadline;
	peer_send(bytes, size);
	return WAIT_DONE;
}

static void pipe_close(struct channel *pipe)
{
	(void)pipe;
}

static uint64_t fake_now(void)
{
	return now;
}

static const struct clock fake_clock = {.now = fake_now};
static const struct channel_ops ops = {
        .syntax.scheme = "pipe",
        .read = pipe_take,
        .write = pipe_give,
        .close = pipe_close,
        .clock = &fake_clock,
};

/* A target whose memory has zeros in every other 256 bytes. */
static void begin(uint32_t block_size, unsigned blocks, unsigned frame_size)
{
	peer_begin(block_size, blocks, frame_size);
	for (uint32_t offset = 0; offset + 256 <= peer_memory_size(); offset += 512)
		memset(peer_memory() + offset, 0, 256);
	peer_remember();
	is_instant = false;
	on_its_way = arrived = 0;
	polls_per_millisecond = 4;
}

static struct client *open_client(void)
{
	static const struct source source = {.text = "pipe:target"};
	struct client *client;

	channel = (struct channel){.ops = &ops, .timeout = 5000};
	assert_success(client_open(&channel, &source, -1, NULL, &client, &failure), &failure);
	return client;
}

static void read_all(struct client *client)
{
	static uint8_t bytes[PEER_MEMORY_MAX];

	memset(bytes, 0x55, sizeof bytes);
	assert_success(client_read(client, 0, bytes, peer_memory_size(), &failure), &failure);
	assert_memory_equal(bytes, peer_memory(), peer_memory_size());
}

TEST(no_memory_is_sent_twice)
{
	static const unsigned frames[] = {64, 100, 128, 256, 1000, 1024};

	for (unsigned i = 0; i < 6 * 2 * 2 * 2; i++) {
		begin(i / 6 % 2 ? 0x4000 : 0x1404, i / 12 % 2 ? 3 : 1, frames[i % 6]);
		is_instant = i / 24;
		struct client *client = open_client();
		assert_int_equal(client_get_identity(client)->address, (uintptr_t)peer_memory());
		assert_int_equal(client_get_identity(client)->block_size, i / 6 % 2 ? 0x4000 : 0x1404);
		assert_int_equal(client_get_identity(client)->block_count, i / 12 % 2 ? 3 : 1);
		read_all(client);
		struct link_traffic traffic = client_traffic(client);
		assert_int_equal(traffic.repeats + traffic.frames_unexpected + traffic.frames_damaged, 0);
		assert_int_equal(traffic.payload_bytes, peer_memory_size());
		assert_int_equal(traffic.round_trips, 2);
		client_close(client);
	}
}

TEST(control_words_are_written_and_others_refused)
{
	begin(0x400, 2, 128);
	struct client *client = open_client();
	const uint32_t words[] = {BAREPROF_OFFSET_CONTROL_ARGUMENT, 0x400 + BAREPROF_OFFSET_CONTROL_REQUEST};
	for (unsigned i = 0; i < 2; i++) {
		uint32_t word;

		assert_success(client_write(client, words[i], 0x12345678 + i, &failure), &failure);
		memcpy(&word, peer_memory() + words[i], sizeof word);
		assert_int_equal(word, 0x12345678 + i);
	}
	assert_true(peer_memory_is_unchanged(words, 2));
	assert_failure(client_write(client, BAREPROF_OFFSET_CONTROL_ARGUMENT + 12, 1, &failure), &failure,
	               "not a word that may be written (reason 3)");
	assert_true(peer_memory_is_unchanged(words, 2));
	client_close(client);
}

TEST(a_pipe_that_accepts_few_bytes_still_delivers_everything)
{
	begin(0x4000, 1, 128);
	polls_per_millisecond = 1;
	peer.read_max = peer.write_max = 7;
	struct client *client = open_client();
	read_all(client);
	assert_int_equal(client_traffic(client).frames_damaged, 0);
	client_close(client);
}
