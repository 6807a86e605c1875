/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary bytes to the target's end of the link, and arbitrary messages in valid frames. An input begins with the
 * parameters of the link; then come pieces with a kind, a size and content. The link never reads or writes outside the
 * blocks, writes only their control words, and sends only frames with their true content.
 */
#include "fuzz.h"

#include "../../target/link/link.h"
#include "../unit/target/link/wire.h"

#include <string.h>

#define MEMORY_SIZE 4096u

/* The link treats these as constants of the firmware. The sanitizer detects accesses outside each of them. */
uint64_t bareprof_block[MEMORY_SIZE / 8];
static uint8_t frame_buffer[BAREPROF_FRAME_MAX];
__attribute__((used)) struct bareprof_link fuzzed_link;
__attribute__((used)) struct bareprof_layout fuzzed_layout;
__asm__(".globl bareprof_layout\n.set bareprof_layout, fuzzed_layout\n"
        ".globl bareprof_link\n.set bareprof_link, fuzzed_link\n");

static uint8_t before[MEMORY_SIZE];
static uint8_t sent[1u << 21];
static size_t sent_size, seen;
static const uint8_t *input;
static size_t input_size;
static uint8_t write_size_max; /* how many bytes the pipe accepts at once */

static size_t pipe_write(const uint8_t *bytes, size_t size)
{
	if (size > write_size_max)
		size = write_size_max;
	require(size <= sizeof sent - sent_size);
	memcpy(sent + sent_size, bytes, size);
	sent_size += size;
	return size;
}

static size_t pipe_read(uint8_t *bytes, size_t size)
{
	if (size > input_size)
		size = input_size;
	if (size == 0)
		return 0;
	memcpy(bytes, input, size);
	input += size;
	input_size -= size;
	return size;
}

static bool is_control_word(size_t offset)
{
	const size_t word = offset % fuzzed_layout.block_size / 4 * 4;

	return word == BAREPROF_OFFSET_CONTROL_ARGUMENT || word == BAREPROF_OFFSET_CONTROL_REQUEST;
}

static void check_data(const struct wire_frame *frame)
{
	const size_t offset = (size_t)wire_integer(frame->body, 3);
	uint8_t bytes[MEMORY_SIZE];
	size_t size;

	require(wire_unpack(frame, bytes, sizeof bytes, &size));
	require(offset % 4 == 0 && offset <= MEMORY_SIZE && size <= MEMORY_SIZE - offset);
	for (size_t i = 0; i < size; i++)
		require(bytes[i] == before[offset + i] || is_control_word(offset + i));
}

static void check_frames(void)
{
	struct wire_frame frame;

	while (seen != sent_size) {
		require(wire_next(sent, sent_size, &seen, &frame));
		require(frame.length <= fuzzed_link.frame_size);
		require(frame.type >= BAREPROF_FRAME_IDENTITY && frame.type <= BAREPROF_FRAME_REFUSED);
		if (frame.type == BAREPROF_FRAME_DATA)
			check_data(&frame);
	}
	sent_size = seen = 0;
}

static void check_memory(void)
{
	for (size_t i = 0; i < MEMORY_SIZE; i++)
		require(((const uint8_t *)bareprof_block)[i] == before[i] || is_control_word(i));
}

static void poll_until_idle(void)
{
	size_t left;

	write_size_max = 255;
	do {
		left = input_size + sent_size;
		bareprof_poll();
	} while (input_size + sent_size != left || input_size != 0);
	check_frames();
}

/* Part of the answer remains in the buffer of the link. */
static void receive(const uint8_t *bytes, size_t size)
{
	input = bytes;
	input_size = size;
	while (input_size != 0)
		bareprof_poll();
}

static void begin(const uint8_t *data)
{
	const uint32_t blocks = 1u << data[0] % 4;

	memset(&bareprof_link_state, 0, sizeof bareprof_link_state);
	fuzzed_layout.block_size = MEMORY_SIZE / blocks;
	fuzzed_link = (struct bareprof_link){
	        .pipe = {pipe_write, pipe_read, NULL},
	        .frame = frame_buffer + sizeof frame_buffer - (BAREPROF_FRAME_MIN + data[1] * 3u),
	        .memory_size = MEMORY_SIZE,
	        .frame_size = (uint16_t)(BAREPROF_FRAME_MIN + data[1] * 3u),
	};
	for (uint32_t i = 0; i < MEMORY_SIZE; i++)
		((uint8_t *)bareprof_block)[i] = (uint8_t)(i / 64 % 4 == data[2] % 4 ? 0 : i * data[2] >> 3);
	memcpy(before, bareprof_block, MEMORY_SIZE);
	write_size_max = data[3];
	sent_size = seen = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t framed[WIRE_FRAME_MAX];

	if (size < 4 || size > 4096)
		return 0;
	begin(data);
	for (size_t i = 4; size - i > 2;) {
		const bool is_message = data[i] % 2 != 0;
		size_t count = data[i + 1];

		i += 2;
		if (count > size - i)
			count = size - i;
		if (is_message && count != 0)
			receive(framed, wire_message(framed, data[i] / 16, data[i] % 16, data + i + 1, count - 1));
		else
			receive(data + i, count);
		i += count;
	}
	poll_until_idle();
	check_memory();
	return 0;
}
