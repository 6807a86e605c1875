/* SPDX-License-Identifier: MIT */
/* Input of the link: requests, refused requests, malformed frames, and text. */
#include "peer.h"
#include "test.h"

#include <string.h>

static int begin(void **state)
{
	peer_begin(1024, 2, 64);
	return 0;
}

EACH_TEST(begin, NULL);

static void expect_refusal(unsigned sequence, unsigned reason)
{
	peer_expect(BAREPROF_FRAME_REFUSED, sequence);
	assert_int_equal(peer.frame.size, 1);
	assert_int_equal(peer.frame.body[0], reason);
	peer_expect_nothing();
	assert_true(peer_memory_is_unchanged(NULL, 0));
}

/* Checks that the link still answers. */
static void expect_an_answer(void)
{
	peer.seen = peer.sent_size;
	peer_identify(9);
	peer_expect(BAREPROF_FRAME_IDENTITY, 9);
	peer_expect_nothing();
}

TEST(unknown_types_are_refused)
{
	const unsigned types[] = {0, 4, 5, 6, 7};
	const uint8_t body[8] = {0};

	for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
		for (size_t size = 0; size <= sizeof body; size++) {
			peer_request(types[i], 3, body, size);
			expect_refusal(3, BAREPROF_REASON_TYPE);
		}
	}
}

TEST(frames_of_targets_are_not_answered)
{
	const uint8_t body[8] = {0};

	for (unsigned type = 8; type < 16; type++) {
		for (size_t size = 0; size <= sizeof body; size++) {
			peer_request(type, 3, body, size);
			peer_expect_nothing();
		}
	}
	expect_an_answer();
}

TEST(answers_have_the_sequence_of_their_request)
{
	for (unsigned sequence = 1; sequence < 16; sequence++) {
		peer_identify(sequence);
		peer_expect(BAREPROF_FRAME_IDENTITY, sequence);
		peer_read(sequence, 0, 4, 64);
		peer_expect_data(sequence, 0, 4, 64);
		peer_write(sequence, BAREPROF_OFFSET_CONTROL_ARGUMENT, sequence);
		peer_expect(BAREPROF_FRAME_WRITTEN, sequence);
		assert_int_equal(peer.frame.size, 0);
		peer_write(sequence, 0, 0);
		peer_expect(BAREPROF_FRAME_REFUSED, sequence);
	}
}

TEST(bodies_of_any_other_length_are_refused)
{
	const size_t sizes[] = {[BAREPROF_FRAME_IDENTIFY] = 0, [BAREPROF_FRAME_READ] = 8, [BAREPROF_FRAME_WRITE] = 7};
	const uint8_t read[8] = {0, 0, 0, 4, 0, 0, 64, 0};
	const uint8_t write[8] = {BAREPROF_OFFSET_CONTROL_ARGUMENT, 0, 0, 1, 2, 3, 4, 5};

	for (unsigned type = BAREPROF_FRAME_IDENTIFY; type <= BAREPROF_FRAME_WRITE; type++) {
		for (size_t size = 0; size <= 8; size++) {
			if (size == sizes[type])
				continue;
			peer_request(type, 3, type == BAREPROF_FRAME_READ ? read : write, size);
			expect_refusal(3, BAREPROF_REASON_LENGTH);
		}
	}
}

/* A read is the longest request. */
TEST(requests_that_are_too_long_are_refused_or_ignored)
{
	const uint8_t body[10] = {0, 0, 0, 4, 0, 0, 64, 0, 1, 2};

	for (unsigned type = BAREPROF_FRAME_IDENTIFY; type <= BAREPROF_FRAME_WRITE; type++) {
		peer_request(type, 3, body, 9);
		expect_refusal(3, BAREPROF_REASON_LENGTH);
		peer_request(type, 3, body, 10);
		peer_expect_nothing();
	}
	expect_an_answer();
}

TEST(frames_longer_than_any_request_have_no_effect)
{
	uint8_t body[600];

	for (unsigned type = 0; type < 16; type++) {
		for (size_t size = 9; size < sizeof body; size++) {
			for (size_t i = 0; i < size; i++)
				body[i] = (uint8_t)peer_random();
			wire_put(body, BAREPROF_OFFSET_CONTROL_ARGUMENT, 3);
			peer.sent_size = peer.seen = peer.coming_size = peer.taken = 0;
			peer_request(type, 3, body, size);
			peer_poll();
			while (peer_next())
				assert_int_equal(peer.frame.type, BAREPROF_FRAME_REFUSED);
			assert_true(peer_memory_is_unchanged(NULL, 0));
		}
	}
	expect_an_answer();
}

/*
 * A frame that begins as a request, or would be one if its length were right, in the range where the link cuts frames
 * that are too long, and outside it.
 */
static void expect_none_with_more_after(unsigned type, const uint8_t *body, size_t size)
{
	uint8_t content[64], framed[WIRE_FRAME_MAX];

	for (size_t more = 1; more <= 32; more++) {
		const size_t begin = wire_content(content, type, 1, body, size);

		memset(content + begin, more % 2 ? 0 : 0x55, more);
		peer_send(framed, wire_frame(framed, content, begin + more));
		peer_poll();
		while (peer_next())
			assert_int_equal(peer.frame.type, BAREPROF_FRAME_REFUSED);
		assert_true(peer_memory_is_unchanged(NULL, 0));
	}
}

TEST(a_request_followed_by_more_bytes_is_not_a_request)
{
	const uint8_t read[8] = {0, 0, 0, 4, 0, 0, 64, 0};
	const uint8_t write[16] = {BAREPROF_OFFSET_CONTROL_ARGUMENT, 0, 0, 4, 3, 2, 1};

	expect_none_with_more_after(BAREPROF_FRAME_IDENTIFY, write, 0);
	expect_none_with_more_after(BAREPROF_FRAME_READ, read, sizeof read);
	for (size_t size = 7; size <= sizeof write; size++)
		expect_none_with_more_after(BAREPROF_FRAME_WRITE, write, size);
	expect_an_answer();
}

TEST(reads_outside_the_memory_are_refused)
{
	const uint32_t end = 2048;
	const struct {
		uint32_t offset, size;
	} reads[] = {
	        {0, 0},        {4, 0},
	        {end, 0},      {0, end + 4},
	        {4, end},      {end - 4, 8},
	        {end, 4},      {end + 4, 4},
	        {0xFFFFFC, 4}, {0xFFFFFC, 0xFFFFFC},
	        {4, 0xFFFFFC}, {0x800000, 0x800000},
	        {1, 4},        {2, 4},
	        {3, 4},        {0, 1},
	        {0, 2},        {0, 3},
	        {0, 5},        {2, 2},
	        {1, 3},        {end - 4, 5},
	        {end - 2, 4},  {end - 1, 1},
	};

	for (unsigned i = 0; i < sizeof reads / sizeof reads[0]; i++) {
		peer_read(7, reads[i].offset, reads[i].size, 64);
		expect_refusal(7, BAREPROF_REASON_RANGE);
	}
	peer_read(8, end - 4, 4, 64);
	peer_expect_data(8, end - 4, 4, 64);
}

TEST(refused_reads_do_not_end_other_reads)
{
	peer_read(1, 0, 40, 64);
	peer_read(2, 40, 40, 64);
	peer_read(3, 3, 40, 64);
	peer.write_max = 0;
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	peer.write_max = SIZE_MAX;
	peer_expect(BAREPROF_FRAME_DATA, 1);
	peer_expect(BAREPROF_FRAME_REFUSED, 3);
	peer_expect_data(2, 40, 40, 64);
	peer_expect_nothing();
}

static bool is_control_word(uint32_t offset)
{
	return offset % 1024 == BAREPROF_OFFSET_CONTROL_ARGUMENT || offset % 1024 == BAREPROF_OFFSET_CONTROL_REQUEST;
}

TEST(only_control_words_can_be_written)
{
	peer_begin(1024, 3, 64);
	for (uint32_t offset = 0; offset < 4 * 1024; offset++) {
		if (offset < 3 * 1024 && is_control_word(offset))
			continue;
		peer_write(offset % 15 + 1, offset, 0);
		expect_refusal(offset % 15 + 1, BAREPROF_REASON_RANGE);
	}
	for (uint32_t offset = 0x1000000 - 1024; offset < 0x1000000; offset++) {
		peer_write(1, offset, 0);
		expect_refusal(1, BAREPROF_REASON_RANGE);
	}
}

TEST(control_words_of_all_blocks_can_be_written)
{
	peer_begin(1024, 3, 64);
	for (uint32_t offset = 0; offset < 3 * 1024; offset += 4) {
		const uint32_t value = peer_random();
		uint32_t word;

		if (!is_control_word(offset))
			continue;
		for (unsigned again = 0; again < 2; again++) {
			peer_write(4, offset, value);
			peer_expect(BAREPROF_FRAME_WRITTEN, 4);
			peer_expect_nothing();
			memcpy(&word, peer_memory() + offset, sizeof word);
			assert_int_equal(word, value);
			assert_true(peer_memory_is_unchanged(&offset, 1));
		}
		peer_remember();
	}
}

TEST(damaged_requests_have_no_effect)
{
	uint8_t framed[WIRE_FRAME_MAX], damaged[WIRE_FRAME_MAX];
	const size_t size = wire_write(framed, 1, BAREPROF_OFFSET_CONTROL_ARGUMENT, 0x0A000B00);

	for (size_t i = 0; i < size; i++) {
		for (unsigned difference = 1; difference < 256; difference++) {
			memcpy(damaged, framed, size);
			damaged[i] = (uint8_t)(damaged[i] ^ difference);
			peer.coming_size = peer.taken = 0;
			peer_send(damaged, size);
			peer_expect_nothing();
			assert_true(peer_memory_is_unchanged(NULL, 0));
			expect_an_answer();
		}
	}
}

TEST(cut_requests_have_no_effect)
{
	uint8_t framed[WIRE_FRAME_MAX];
	const size_t size = wire_write(framed, 1, BAREPROF_OFFSET_CONTROL_ARGUMENT, 0x0A000B00);

	for (size_t from = 0; from < size; from++) {
		for (size_t to = from; to < size - (from == 0); to++) {
			peer_send(framed + from, to - from);
			peer_expect_nothing();
			assert_true(peer_memory_is_unchanged(NULL, 0));
			expect_an_answer();
		}
	}
}

TEST(requests_may_come_byte_by_byte)
{
	peer.read_max = 1;
	peer.is_random = true;
	for (unsigned i = 0; i < 100; i++) {
		peer_identify(i % 15 + 1);
		peer_expect(BAREPROF_FRAME_IDENTITY, i % 15 + 1);
	}
}

TEST(a_poll_serves_one_request)
{
	for (unsigned i = 1; i <= 8; i++)
		peer_identify(i);
	for (unsigned i = 1; i <= 8; i++) {
		bareprof_poll();
		assert_true(peer_next());
		assert_int_equal(peer.frame.sequence, i);
		assert_false(peer_next());
	}
}

static void expect_text(const char *text)
{
	peer_poll();
	assert_int_equal(peer.text_size, strlen(text));
	assert_memory_equal(peer.text, text, peer.text_size);
	peer.text_size = 0;
}

TEST(bytes_before_and_after_frames_are_text)
{
	peer_send("hello\n", 6);
	expect_text("hello\n");
	peer_identify(1);
	peer_send("a", 1);
	expect_text("a");
	peer_send("b", 1);
	peer_identify(2);
	peer_identify(3);
	peer_send("c", 1);
	expect_text("bc");
	peer_request(5, 1, NULL, 0); /* refused, but a frame */
	peer_send("d", 1);
	expect_text("d");
}

TEST(bytes_after_a_broken_frame_are_not_text_until_a_valid_one)
{
	peer_send("a\0noise\0more noise", 18);
	expect_text("a");
	peer_send("\0still", 6);
	expect_text("");
	peer_identify(1);
	peer_send("text", 4);
	expect_text("text");
}

TEST(text_is_dropped_without_a_receiver)
{
	peer_link.pipe.text = NULL;
	peer_send("hello\n", 6);
	peer_poll();
	expect_an_answer();
}

TEST(endless_frames_do_not_block_a_poll)
{
	uint8_t bytes[300];

	for (unsigned value = 1; value < 256; value++) {
		bytes[0] = 0;
		memset(bytes + 1, (int)value, sizeof bytes - 1);
		peer.coming_size = peer.taken = 0;
		peer_send(bytes, sizeof bytes);
		peer_expect_nothing();
		expect_an_answer();
	}
}

TEST(empty_frames_are_ignored)
{
	peer_send("\0\0\0\0\0\0\0\0", 8);
	peer_expect_nothing();
	/* Only a CRC: that of no bytes is 0. */
	peer_send("\0\1\1\1\1\0\0\1\1\1\1\1\0", 13);
	peer_expect_nothing();
	expect_an_answer();
}
