/* SPDX-License-Identifier: MIT */
/* Frames that the link sends: identities, data, and the block without a request. */
#include "peer.h"

#include "../../../../target/link/link.h"
#include "test.h"

#include <string.h>

/* Contents of memory whose frames differ most. */
static void fill_ones(void)
{
	memset(peer_memory(), 0xFF, peer_memory_size());
}

static void fill_zeros(void)
{
	memset(peer_memory(), 0, peer_memory_size());
}

/* Runs of zero words and of other words, each up to 130 words long. */
static void fill_ranges(void)
{
	uint32_t left = 0;
	bool is_zero = false;

	for (uint32_t i = 0; i < peer_memory_size(); i += 4, left--) {
		if (left == 0) {
			left = 1 + peer_random() % 130;
			is_zero = !is_zero;
		}
		wire_put(peer_memory() + i, is_zero ? 0 : peer_random() | 1, 4);
	}
}

/* Half of the bytes are zero, so the blocks of COBS are short. */
static void fill_bytes(void)
{
	for (uint32_t i = 0; i < peer_memory_size(); i++)
		peer_memory()[i] = (uint8_t)(peer_random() % 2 * (peer_random() % 256));
}

static void fill_random(void)
{
	for (uint32_t i = 0; i < peer_memory_size(); i++)
		peer_memory()[i] = (uint8_t)peer_random();
}

/* Like a table of the recorder: slots of caller, callee and count, of which `percent` are used, spread as by a hash. */
static void fill_slots(unsigned percent)
{
	fill_zeros();
	for (uint32_t i = 0; i + 12 <= peer_memory_size(); i += 12) {
		if (peer_random() % 100 >= percent)
			continue;
		wire_put(peer_memory() + i, 0x08000000u + peer_random() % 0x8000, 4);
		wire_put(peer_memory() + i + 4, 0x08000000u + peer_random() % 0x8000, 4);
		wire_put(peer_memory() + i + 8, 1 + peer_random() % 5000, 4);
	}
}

static int begin(void **state)
{
	peer_begin(4096, 1, 64);
	return 0;
}

EACH_TEST(begin, NULL);

TEST(identity_has_number_and_size_of_blocks)
{
	for (unsigned blocks = 1; blocks <= 256; blocks += 51) {
		peer_begin(1000, blocks, 64 + blocks);
		peer_identify(5);
		peer_expect(BAREPROF_FRAME_IDENTITY, 5);
		assert_int_equal(peer.frame.size, 15);
		assert_int_equal(peer.frame.body[0], 1);
		assert_int_equal(peer.frame.body[1], blocks - 1);
		assert_int_equal(wire_integer(peer.frame.body + 2, 2), 64 + blocks);
		assert_int_equal(wire_integer(peer.frame.body + 4, 3), 1000);
		assert_int_equal(wire_integer(peer.frame.body + 7, 8), (uintptr_t)peer_memory());
		peer_expect_nothing();
	}
}

TEST(reads_give_the_memory_in_frames_of_any_length)
{
	void (*const fills[])(void) = {fill_ones, fill_zeros, fill_ranges, fill_bytes, fill_random};

	for (unsigned fill = 0; fill < sizeof fills / sizeof fills[0]; fill++) {
		for (unsigned limit = BAREPROF_FRAME_MIN; limit <= BAREPROF_FRAME_MAX; limit++) {
			peer_begin(4096, 1, limit);
			fills[fill]();
			peer_read(1, 0, 4096, limit);
			peer_expect_data(1, 0, 4096, limit);
			peer_expect_nothing();
		}
	}
}

TEST(frames_use_the_full_length_allowed)
{
	for (unsigned limit = BAREPROF_FRAME_MIN; limit <= BAREPROF_FRAME_MAX; limit++) {
		peer_begin(4096, 1, limit);
		fill_ones();
		peer_read(1, 0, 4096, limit);
		peer_expect(BAREPROF_FRAME_DATA, 1);
		/* One more word would not have fitted, with its overhead and that of COBS. */
		assert_true(peer.frame.length + 6 + limit / 255 > limit);
	}
}

TEST(the_content_starts_as_far_in_as_encoding_needs)
{
	peer_begin(4096, 1, 1024);
	for (unsigned limit = BAREPROF_FRAME_MIN; limit <= BAREPROF_FRAME_MAX; limit++)
		assert_int_equal(link_content(limit) - peer_link.frame, 2 + (limit - 2) / 255);
}

TEST(a_read_returns_exactly_the_requested_range)
{
	peer_begin(512, 4, 128);
	for (uint32_t offset = 0; offset < 2048; offset += 4) {
		const uint32_t size = 4 + 4 * (peer_random() % ((2048 - offset) / 4));

		peer.seen = peer.sent_size = peer.coming_size = peer.taken = 0;
		peer_read(offset / 4 % 15 + 1, offset, size, 128);
		peer_expect_data(offset / 4 % 15 + 1, offset, size, 128);
		peer_expect_nothing();
	}
}

TEST(limits_out_of_range_are_clamped)
{
	const struct {
		unsigned asked, kept;
	} limits[] = {{0, 64},    {63, 64},   {40, 64},   {64, 64},    {65, 65},
	              {199, 199}, {200, 200}, {201, 200}, {65535, 200}};

	for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		peer_begin(4096, 1, 200);
		fill_ones();
		peer_read(1, 0, 4096, limits[i].asked);
		peer_expect(BAREPROF_FRAME_DATA, 1);
		assert_in_range(peer.frame.length, limits[i].kept - 7, limits[i].kept);
	}
}

TEST(zeros_take_few_bytes_and_a_poll_reads_few_of_them)
{
	uint8_t bytes[4096];
	size_t count;

	peer_begin(16384, 1, 128);
	fill_zeros();
	peer_read(1, 0, 16384, 128);
	for (unsigned i = 0; i < 32; i++) {
		peer_expect(BAREPROF_FRAME_DATA, 1);
		assert_true(wire_unpack(&peer.frame, bytes, sizeof bytes, &count));
		assert_int_equal(count, 512);
		assert_true(peer.frame.length <= 20);
	}
	peer_expect_nothing();
}

static void share_of_the_line(const char *what, unsigned limit, double minimum, double maximum)
{
	const double size = peer_memory_size();

	peer_read(1, 0, peer_memory_size(), limit);
	const double share = size / (double)peer_expect_data(1, 0, peer_memory_size(), limit);

	print_message("# %s, frames of %u bytes: %.1f %% of the line is memory\n", what, limit, 100 * share);
	assert_true(share >= minimum);
	assert_true(share <= maximum);
}

TEST(the_line_carries_mostly_memory_and_few_zeros)
{
	peer_seed(1);
	peer_begin(16384, 1, 1024);
	share_of_the_line("incompressible", 64, 0.75, 0.82);
	share_of_the_line("incompressible", 128, 0.90, 0.92);
	share_of_the_line("incompressible", 256, 0.95, 0.96);
	share_of_the_line("incompressible", 1024, 0.98, 0.99);
	fill_slots(100);
	share_of_the_line("all slots used", 128, 0.90, 0.92);
	share_of_the_line("all slots used", 256, 0.95, 0.96);
	fill_slots(70);
	share_of_the_line("70 % of slots used", 128, 1.1, 1.3);
	share_of_the_line("70 % of slots used", 256, 1.1, 1.4);
	fill_slots(5);
	share_of_the_line("5 % of slots used", 128, 6.7, 20);
}

/* Accepts exactly this many bytes from the link. */
static void poll_for(size_t bytes)
{
	const size_t end = peer.sent_size + bytes;

	while (peer.sent_size < end) {
		peer.write_max = end - peer.sent_size;
		bareprof_poll();
	}
	peer.write_max = 0;
}

TEST(a_second_read_waits_for_the_first)
{
	peer_read(1, 0, 400, 64);
	peer_read(2, 1024, 800, 64);
	peer_expect_data(1, 0, 400, 64);
	peer_expect_data(2, 1024, 800, 64);
	peer_read(3, 4, 4, 64);
	peer_expect_data(3, 4, 4, 64);
	peer_expect_nothing();
}

TEST(a_third_read_replaces_the_second)
{
	peer_read(1, 0, 400, 64);
	poll_for(10);
	peer_read(2, 1024, 800, 64);
	peer_read(3, 2048, 80, 64);
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	peer.write_max = SIZE_MAX;
	peer_expect_data(1, 0, 400, 64);
	peer_expect_data(3, 2048, 80, 64);
	peer_expect_nothing();
}

TEST(identify_ends_all_reads)
{
	peer_read(1, 0, 4096, 64);
	peer_read(2, 0, 4096, 64);
	poll_for(100);
	peer_identify(3);
	peer.write_max = SIZE_MAX;
	peer_poll();
	for (unsigned i = 0; i < 2; i++) /* the second was in the buffer */
		peer_expect(BAREPROF_FRAME_DATA, 1);
	peer_expect(BAREPROF_FRAME_IDENTITY, 3);
	peer_expect_nothing();
}

TEST(answers_go_before_data)
{
	peer_read(1, 0, 4096, 64);
	poll_for(10);
	peer_write(2, BAREPROF_OFFSET_CONTROL_ARGUMENT, 1);
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	peer.write_max = SIZE_MAX;
	peer_expect(BAREPROF_FRAME_DATA, 1);
	peer_expect(BAREPROF_FRAME_WRITTEN, 2);
	peer_expect(BAREPROF_FRAME_DATA, 1);
}

TEST(only_the_last_of_two_answers_is_sent)
{
	peer.write_max = 0;
	peer_read(1, 0, 4, 64);
	bareprof_poll();
	bareprof_poll();
	peer_write(2, 3, 1);
	peer_identify(3);
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	peer.write_max = SIZE_MAX;
	peer_expect(BAREPROF_FRAME_DATA, 1);
	peer_expect(BAREPROF_FRAME_IDENTITY, 3);
	assert_int_equal(peer.frame.size, 15);
	peer_expect_nothing();
}

TEST(data_is_the_memory_at_the_time_when_the_frame_is_made)
{
	fill_ones();
	peer_read(1, 0, 4096, 64);
	poll_for(1);
	memset(peer_memory(), 0x11, 4096);
	peer.write_max = SIZE_MAX;
	peer_expect(BAREPROF_FRAME_DATA, 1);
	assert_int_equal(peer.frame.body[4], 0xFF);
	assert_int_equal(peer.frame.body[peer.frame.size - 1], 0xFF);
	const uint32_t next = (uint32_t)peer.frame.size - 4;

	peer_expect_data(1, next, 4096 - next, 64);
}

TEST(a_full_pipe_is_tried_once_per_poll)
{
	peer.write_max = 0;
	peer_read(1, 0, 4096, 64);
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	const unsigned writes = peer.writes;

	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	assert_int_equal(peer.writes, writes + 10);
	assert_int_equal(peer.sent_size, 0);
	peer.write_max = 1;
	peer_expect_data(1, 0, 4096, 64);
}

TEST(nothing_is_written_without_a_request)
{
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	assert_int_equal(peer.writes, 0);
	assert_int_equal(peer.reads, 10);
}

static void expect_sending(unsigned blocks)
{
	assert_true(peer_next());
	assert_int_equal(peer.frame.type, BAREPROF_FRAME_IDENTITY);
	assert_int_equal(peer.frame.sequence, 0);
	assert_int_equal(peer.frame.body[1], blocks - 1);
	peer_expect_data(0, 0, peer_memory_size(), peer_link.frame_size);
	peer_expect_nothing();
}

TEST(the_block_is_sent_unasked)
{
	for (unsigned frame_size = 64; frame_size <= 1024; frame_size *= 2) {
		peer_begin(1000, 4, frame_size);
		fill_ranges();
		peer_link.pipe.read = NULL;
		peer.write_max = frame_size / 10;
		peer.is_random = true;
		bareprof_send();
		expect_sending(4);
		peer.is_random = false;
		bareprof_send();
		expect_sending(4);
	}
}

TEST(an_earlier_refusal_does_not_mark_blocks_sent_unasked)
{
	peer_begin(1000, 4, 64);
	peer_read(1, 3, 4, 64);
	peer_expect(BAREPROF_FRAME_REFUSED, 1);
	bareprof_send();
	expect_sending(4);
}

TEST(a_pipe_without_read_is_not_read)
{
	peer_begin(1000, 4, 64);
	peer_link.pipe.read = NULL;
	peer_poll();
	assert_int_equal(peer.writes, 0);
	assert_int_equal(peer.reads, 0);
}
