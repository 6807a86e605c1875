/* SPDX-License-Identifier: MIT */
/* The environment of the link in tests, and the host at its other end; see peer.h. */
#include "peer.h"

#include "../../../../target/link/link.h"
#include "../../../random.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The largest page size of any computer. */
#define GUARD 65536

struct peer peer;
__attribute__((used)) struct bareprof_link peer_link;
__attribute__((used)) struct bareprof_layout peer_layout;
__attribute__((aligned(GUARD), used)) uint8_t peer_arena[GUARD + PEER_MEMORY_MAX + GUARD];

/* The objects that the firmware's macros would define. To the link they are const objects of unknown size. */
__asm__(".globl bareprof_block\n.set bareprof_block, peer_arena + 65536\n"
        ".globl bareprof_layout\n.set bareprof_layout, peer_layout\n"
        ".globl bareprof_link\n.set bareprof_link, peer_link\n");

static uint8_t remembered[PEER_MEMORY_MAX];
static uint32_t random_state = 1;

#define CANARY 0xA5
static uint8_t frame_buffer[64 + BAREPROF_FRAME_MAX + 64];

void peer_seed(uint32_t seed)
{
	random_state = seed * 2654435761u + 1u;
}

uint32_t peer_random(void)
{
	return random_next(&random_state);
}

/* How many of these bytes the pipe accepts or delivers now. */
static size_t share(size_t size, size_t max)
{
	if (size > max)
		size = max;
	return peer.is_random ? peer_random() % (size + 1) : size;
}

static size_t pipe_write(const uint8_t *bytes, size_t size)
{
	assert_true(bytes >= frame_buffer + 64 && bytes + size <= frame_buffer + 64 + peer_link.frame_size);
	peer.writes++;
	size = share(size, peer.write_max);
	assert_true(size <= PEER_STREAM_MAX - peer.sent_size);
	memcpy(peer.sent + peer.sent_size, bytes, size);
	peer.sent_size += size;
	return size;
}

static size_t pipe_read(uint8_t *bytes, size_t size)
{
	const size_t there = peer.coming_size - peer.taken;

	peer.reads++;
	size = share(size < there ? size : there, peer.read_max);
	memcpy(bytes, peer.coming + peer.taken, size);
	peer.taken += size;
	return size;
}

static void pipe_text(uint8_t byte)
{
	assert_true(peer.text_size < PEER_STREAM_MAX);
	peer.text[peer.text_size++] = byte;
}

uint8_t *peer_memory(void)
{
	return peer_arena + GUARD;
}

uint32_t peer_memory_size(void)
{
	return peer_link.memory_size;
}

/* The leak check at the end of a sanitized program reads all static memory. */
static void unguard(void)
{
	mprotect(peer_arena, sizeof peer_arena, PROT_READ | PROT_WRITE);
}

/* Makes accesses before the memory, and from the next page after it, end the test. */
static void guard(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t end = GUARD + (peer_link.memory_size + page - 1) / page * page;
	static bool is_registered;

	assert_true(page <= GUARD);
	if (!is_registered)
		assert_return_code(atexit(unguard), 0);
	is_registered = true;
	assert_return_code(mprotect(peer_arena, sizeof peer_arena, PROT_NONE), 0);
	assert_return_code(mprotect(peer_arena + GUARD, end - GUARD, PROT_READ | PROT_WRITE), 0);
}

void peer_remember(void)
{
	memcpy(remembered, peer_memory(), peer_link.memory_size);
}

void peer_begin(uint32_t block_size, unsigned blocks, unsigned frame_size)
{
	peer.sent_size = peer.seen = peer.coming_size = peer.taken = peer.text_size = 0;
	peer.writes = peer.reads = 0;
	peer.write_max = peer.read_max = SIZE_MAX;
	peer.is_random = false;
	peer_layout.block = bareprof_block;
	peer_layout.block_size = block_size;
	peer_link = (struct bareprof_link){
	        .pipe = {pipe_write, pipe_read, pipe_text},
	        .frame = frame_buffer + 64,
	        .memory_size = block_size * blocks,
	        .identity = BAREPROF_LINK_VERSION | (blocks - 1) << 8 | frame_size << 16,
	        .frame_size = (uint16_t)frame_size,
	};
	assert_true(peer_link.memory_size <= PEER_MEMORY_MAX);
	memset(frame_buffer, CANARY, sizeof frame_buffer);
	memset(&bareprof_link_state, 0, sizeof bareprof_link_state);
	guard();
	for (uint32_t i = 0; i < peer_link.memory_size; i += 4)
		wire_put(peer_memory() + i, peer_random(), 4);
	peer_remember();
}

bool peer_memory_is_unchanged(const uint32_t *but, size_t count)
{
	for (uint32_t offset = 0; offset < peer_link.memory_size; offset += 4) {
		bool is_excepted = false;

		for (size_t i = 0; i < count; i++)
			is_excepted = is_excepted || but[i] == offset;
		if (!is_excepted && memcmp(peer_memory() + offset, remembered + offset, 4) != 0)
			return false;
	}
	return true;
}

bool peer_frame_is_in_bounds(void)
{
	const uint8_t *const after = frame_buffer + 64 + peer_link.frame_size;

	for (unsigned i = 0; i < 64; i++) {
		if (frame_buffer[i] != CANARY || after[i] != CANARY)
			return false;
	}
	return true;
}

void peer_send(const void *bytes, size_t size)
{
	assert_true(size <= PEER_STREAM_MAX - peer.coming_size);
	memcpy(peer.coming + peer.coming_size, bytes, size);
	peer.coming_size += size;
}

void peer_request(unsigned type, unsigned sequence, const void *body, size_t size)
{
	uint8_t frame[WIRE_FRAME_MAX];

	peer_send(frame, wire_message(frame, type, sequence, body, size));
}

void peer_identify(unsigned sequence)
{
	peer_request(BAREPROF_FRAME_IDENTIFY, sequence, NULL, 0);
}

void peer_read(unsigned sequence, uint32_t offset, uint32_t size, unsigned limit)
{
	uint8_t frame[WIRE_FRAME_MAX];

	peer_send(frame, wire_read(frame, sequence, offset, size, limit));
}

void peer_write(unsigned sequence, uint32_t offset, uint32_t value)
{
	uint8_t frame[WIRE_FRAME_MAX];

	peer_send(frame, wire_write(frame, sequence, offset, value));
}

void peer_poll(void)
{
	unsigned idle_polls = 0;

	while (idle_polls < 100) {
		const size_t sent = peer.sent_size;
		const size_t taken = peer.taken;
		const unsigned reads = peer.reads;
		const unsigned writes = peer.writes;

		bareprof_poll();
		assert_true(peer.reads - reads <= 16);
		assert_true(peer.taken - taken <= 16);
		assert_true(peer.writes - writes <= 1);
		assert_true(peer_frame_is_in_bounds());
		idle_polls = peer.sent_size == sent && peer.taken == taken ? idle_polls + 1 : 0;
	}
	assert_int_equal(peer.taken, peer.coming_size);
}

bool peer_next(void)
{
	if (peer.seen == peer.sent_size)
		return false;
	assert_true(wire_next(peer.sent, peer.sent_size, &peer.seen, &peer.frame));
	assert_true(peer.frame.length <= peer_link.frame_size);
	return true;
}

void peer_expect(unsigned type, unsigned sequence)
{
	peer_poll();
	assert_true(peer_next());
	assert_int_equal(peer.frame.type, type);
	assert_int_equal(peer.frame.sequence, sequence);
}

void peer_expect_nothing(void)
{
	peer_poll();
	assert_false(peer_next());
}

size_t peer_expect_data(unsigned sequence, uint32_t offset, uint32_t size, size_t limit)
{
	const uint32_t end = offset + size;
	uint8_t bytes[4 * BAREPROF_FRAME_MAX + 4];
	size_t count, length = 0;

	while (offset < end) {
		peer_expect(BAREPROF_FRAME_DATA, sequence);
		assert_true(peer.frame.length <= limit);
		assert_int_equal(wire_integer(peer.frame.body, 3), offset);
		assert_true(wire_unpack(&peer.frame, bytes, sizeof bytes, &count));
		assert_true(count <= end - offset);
		assert_memory_equal(bytes, peer_memory() + offset, count);
		offset += (uint32_t)count;
		length += peer.frame.length;
	}
	return length;
}
