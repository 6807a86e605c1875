/* SPDX-License-Identifier: MIT */
/* A host that controls the recorder through the link: two cores, each with its own block. */
#define BAREPROF_CORES 2

#include "../link/wire.h"
#include "test.h"

#include <bareprof/link.h>
#include <string.h>

static uint8_t coming[256], sent[4096];
static size_t coming_size, taken, sent_size, seen;
static uint32_t core;

uint32_t bareprof_core_number(void)
{
	return core;
}

static size_t pipe_write(const uint8_t *bytes, size_t size)
{
	assert_true(size <= sizeof sent - sent_size);
	memcpy(sent + sent_size, bytes, size);
	sent_size += size;
	return size;
}

static size_t pipe_read(uint8_t *bytes, size_t size)
{
	if (size > coming_size - taken)
		size = coming_size - taken;
	memcpy(bytes, coming + taken, size);
	taken += size;
	return size;
}

__attribute__((used)) const char bareprof_text_start[64] = {0};
__asm__(".globl bareprof_text_end\n.set bareprof_text_end, bareprof_text_start + 64\n"
        ".globl bareprof_build_id_start\n.set bareprof_build_id_start, bareprof_text_start\n"
        ".globl bareprof_build_id_end\n.set bareprof_build_id_end, bareprof_text_start\n");

BAREPROF_DEFINE(8, BAREPROF_GRANULES(8, 8, 4), .board = "two cores");
BAREPROF_LINK(128, .write = pipe_write, .read = pipe_read);

#define BLOCK_SIZE ((uint32_t)sizeof bareprof_block / 2)

/* Sends the request in `coming`, and takes the answer. */
static void ask(size_t size, unsigned answer, struct wire_frame *frame)
{
	coming_size = size;
	taken = 0;
	for (unsigned i = 0; i < 10; i++)
		bareprof_poll();
	assert_true(wire_next(sent, sent_size, &seen, frame));
	assert_int_equal(frame->type, answer);
	assert_int_equal(frame->sequence, 3);
	assert_int_equal(seen, sent_size);
	seen = sent_size = 0;
}

static uint32_t word_at(uint32_t offset)
{
	struct wire_frame frame;
	uint8_t bytes[4];
	uint32_t word;
	size_t size;

	ask(wire_read(coming, 3, offset, 4, 128), BAREPROF_FRAME_DATA, &frame);
	assert_int_equal(wire_integer(frame.body, 3), offset);
	assert_true(wire_unpack(&frame, bytes, sizeof bytes, &size));
	assert_int_equal(size, 4);
	memcpy(&word, bytes, 4);
	return word;
}

static void write_word(uint32_t offset, uint32_t value)
{
	struct wire_frame frame;

	ask(wire_write(coming, 3, offset, value), BAREPROF_FRAME_WRITTEN, &frame);
}

static uint32_t state_of(uint32_t which)
{
	const uintptr_t block = (uintptr_t)bareprof_block + which * BLOCK_SIZE;

	return word_at(which * BLOCK_SIZE + BAREPROF_OFFSET_GATE) - BAREPROF_GATE(block, 0);
}

static void tick_of(uint32_t which)
{
	core = which;
	bareprof_sample((uintptr_t)bareprof_text_start);
}

static void expect_identity(void)
{
	struct wire_frame frame;

	ask(wire_message(coming, BAREPROF_FRAME_IDENTIFY, 3, NULL, 0), BAREPROF_FRAME_IDENTITY, &frame);
	assert_int_equal(frame.body[0], BAREPROF_LINK_VERSION);
	assert_int_equal(frame.body[1], 1);
	assert_int_equal(wire_integer(frame.body + 2, 2), 128);
	assert_int_equal(wire_integer(frame.body + 4, 3), BLOCK_SIZE);
	assert_int_equal(wire_integer(frame.body + 7, 8), (uintptr_t)bareprof_block);
}

TEST(the_identity_is_right_for_any_contents_of_ram)
{
	memset(bareprof_block, 0xFF, sizeof bareprof_block);
	expect_identity();
	assert_int_equal(word_at(BLOCK_SIZE), 0xFFFFFFFF);
	for (core = 0; core < 2; core++)
		bareprof_init();
	expect_identity();
}

TEST(each_core_is_controlled_independently)
{
	const uint32_t request = BAREPROF_REQUEST(1, BAREPROF_COMMAND_START);

	for (core = 0; core < 2; core++)
		bareprof_init();
	assert_int_equal(state_of(0), BAREPROF_STATE_STOPPED);
	assert_int_equal(state_of(1), BAREPROF_STATE_STOPPED);
	write_word(BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_ARGUMENT, 0);
	write_word(BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_REQUEST, request);
	tick_of(0);
	tick_of(1);
	tick_of(1);
	assert_int_equal(state_of(0), BAREPROF_STATE_STOPPED);
	assert_int_equal(state_of(1), BAREPROF_STATE_RUNNING);
	assert_int_equal(word_at(BLOCK_SIZE + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE), request);
	assert_int_equal(word_at(BAREPROF_OFFSET_TICKS), 0);
	assert_true(word_at(BLOCK_SIZE + BAREPROF_OFFSET_TICKS) > 0);
}
