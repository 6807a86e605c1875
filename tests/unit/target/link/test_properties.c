/* SPDX-License-Identifier: MIT */
/*
 * Properties that hold for any input and any pipe: the link sends only frames, no longer than requested; data equals
 * the memory; nothing but control words changes; and afterwards the whole memory can be read.
 */
#include "peer.h"
#include "test.h"

#define ROUNDS 2000u

static uint32_t below(uint32_t limit)
{
	return peer_random() % limit;
}

/* Blocks whose memory ends at a page, so that a read past its end faults. */
static void begin_anyhow(void)
{
	const unsigned blocks = 1u << below(4);
	const uint32_t pages = 1 + below(4);

	peer_begin(pages * 4096 / blocks, blocks,
	           BAREPROF_FRAME_MIN + below(BAREPROF_FRAME_MAX - BAREPROF_FRAME_MIN + 1));
	for (uint32_t left = below(peer_memory_size() / 8), at = below(peer_memory_size() / 2); left != 0; left--, at++)
		peer_memory()[at] = 0;
	peer_remember();
	peer.is_random = true;
	peer.write_max = 1 + below(below(2) ? 10 : 2000);
	peer.read_max = 1 + below(10);
}

/* An offset or a size from a correct host, a faulty one or a malicious one. */
static uint32_t some_offset(void)
{
	switch (below(4)) {
	case 0:
		return below(peer_memory_size() / 4) * 4;
	case 1:
		return below(peer_memory_size() + 100);
	case 2:
		return below(8) * 4 + peer_memory_size() - 16;
	default:
		return below(0x1000000);
	}
}

static void send_garbage(void)
{
	uint8_t bytes[40];
	const size_t size = 1 + below(sizeof bytes);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(below(4) ? below(256) : below(3));
	peer_send(bytes, size);
}

static void send_any_message(void)
{
	uint8_t body[20];

	for (size_t i = 0; i < sizeof body; i++)
		body[i] = (uint8_t)(below(2) ? below(256) : 0);
	peer_request(below(16), below(16), body, below(sizeof body));
}

/* May damage one of the bytes that were sent after `from`. */
static void damage_some(size_t from)
{
	if (from != peer.coming_size && below(3) == 0)
		peer.coming[from + below((uint32_t)(peer.coming_size - from))] = (uint8_t)below(256);
}

static void send_something(void)
{
	const size_t from = peer.coming_size;

	switch (below(6)) {
	case 0:
		peer_identify(1 + below(15));
		break;
	case 1:
		peer_read(1 + below(15), some_offset(), some_offset(), below(1200));
		break;
	case 2:
		peer_read(1 + below(15), below(peer_memory_size() / 4) * 4, 4 + below(256) * 4, below(1200));
		break;
	case 3:
		peer_write(1 + below(15), below(2) ? BAREPROF_OFFSET_CONTROL_ARGUMENT : some_offset(), peer_random());
		break;
	case 4:
		send_any_message();
		break;
	default:
		send_garbage();
		break;
	}
	damage_some(from);
}

static void check_data(void)
{
	const uint64_t offset = wire_integer(peer.frame.body, 3);
	uint8_t bytes[4 * BAREPROF_FRAME_MAX + 4];
	size_t count;

	assert_true(peer.frame.size >= 3);
	assert_true(wire_unpack(&peer.frame, bytes, sizeof bytes, &count));
	assert_true(offset % 4 == 0 && offset + count <= peer_memory_size());
	for (size_t i = 0; i < count; i += 4) {
		const uint64_t in_block = (offset + i) % peer_layout.block_size;

		if (in_block != BAREPROF_OFFSET_CONTROL_ARGUMENT && in_block != BAREPROF_OFFSET_CONTROL_REQUEST)
			assert_memory_equal(bytes + i, peer_memory() + offset + i, 4);
	}
}

static void check_output(void)
{
	while (peer_next()) {
		switch (peer.frame.type) {
		case BAREPROF_FRAME_IDENTITY:
			assert_int_equal(peer.frame.size, 15);
			assert_int_equal(wire_integer(peer.frame.body, 4), peer_link.identity);
			assert_int_equal(wire_integer(peer.frame.body + 4, 3), peer_layout.block_size);
			break;
		case BAREPROF_FRAME_DATA:
			check_data();
			break;
		case BAREPROF_FRAME_WRITTEN:
			assert_int_equal(peer.frame.size, 0);
			break;
		case BAREPROF_FRAME_REFUSED:
			assert_int_equal(peer.frame.size, 1);
			assert_in_range(peer.frame.body[0], BAREPROF_REASON_TYPE, BAREPROF_REASON_RANGE);
			break;
		default:
			fail_msg("no target sends type %u", peer.frame.type);
		}
	}
}

static void check_memory(void)
{
	uint32_t control[2 * 8];
	size_t count = 0;

	for (uint32_t block = 0; block < peer_memory_size(); block += peer_layout.block_size) {
		control[count++] = block + BAREPROF_OFFSET_CONTROL_ARGUMENT;
		control[count++] = block + BAREPROF_OFFSET_CONTROL_REQUEST;
	}
	assert_true(peer_memory_is_unchanged(control, count));
}

TEST(any_input_has_valid_answers_and_leaves_the_link_usable)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		peer_seed(round);
		begin_anyhow();
		for (unsigned i = below(20); i != 0; i--) {
			send_something();
			for (unsigned polls = below(30); polls != 0; polls--)
				bareprof_poll();
		}
		/* The bytes before the first zero may be the end of damage to the frame before. */
		peer_identify(1);
		peer_poll();
		check_output();
		check_memory();
		const unsigned limit = BAREPROF_FRAME_MIN + below(peer_link.frame_size - BAREPROF_FRAME_MIN + 1);

		peer_read(2, 0, peer_memory_size(), limit);
		peer_expect_data(2, 0, peer_memory_size(), limit);
		peer_expect_nothing();
	}
}
