/* SPDX-License-Identifier: MIT */
/* Recorded streams: the last complete transmission, and errors if there is none. */
#include "acquire/channel/recording.h"
#include "test.h"
#include "wire.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 0x800u

static uint8_t first[SIZE], second[SIZE]; /* memories of targets */
static uint8_t stream[0x10000];
static size_t stream_size;

static void add_text(const char *text)
{
	memcpy(stream + stream_size, text, strlen(text));
	stream_size += strlen(text);
}

static void add_frame(const uint8_t *content, size_t size)
{
	stream_size += wire_encode(content, size, stream + stream_size);
}

static void add_identity(unsigned blocks, uint64_t address)
{
	uint8_t content[16];

	add_frame(content, wire_identity(content, 0, blocks, 128, SIZE / blocks, address));
}

static void fill(uint8_t *memory, uint8_t seed)
{
	for (unsigned i = 0; i < SIZE; i++)
		memory[i] = i / 100 % 2 ? 0 : (uint8_t)(i * 7 + seed);
}

static int fill_both(void **state)
{
	fill(first, 1);
	fill(second, 2);
	return 0;
}

/* The frames of memory[begin..end). */
static void add_data(const uint8_t *memory, unsigned sequence, uint32_t begin, uint32_t end)
{
	uint8_t content[256];

	while (begin < end)
		add_frame(content, wire_data(content, sequence, memory, begin, end, 128, &begin));
}

static void add_transmission(const uint8_t *memory, uint64_t address)
{
	add_identity(1, address);
	add_data(memory, 0, 0, SIZE);
}

/* The second half is lost. */
static void add_half_transmission(const uint8_t *memory)
{
	add_identity(1, 0);
	add_data(memory, 0, 0, SIZE / 2);
}

static void assert_holds(const uint8_t *expected, uint64_t expected_address, const char *note)
{
	struct recording recording;

	assert_success(recording_decode("log", stream, stream_size, &recording, &failure), &failure);
	assert_int_equal(recording.size, SIZE);
	assert_int_equal(recording.address, expected_address);
	assert_memory_equal(recording.memory, expected, SIZE);
	assert_string_equal(recording.note, note);
	free(recording.memory);
}

static void assert_fails(const char *message)
{
	struct recording recording;

	assert_int_equal(recording_decode("log", stream, stream_size, &recording, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, message);
}

static void assert_incomplete(unsigned bytes, const char *rest)
{
	char message[128];

	snprintf(message, sizeof message,
	         "log: the file has %u of 2048 bytes of the target's memory%s: record another transmission", bytes,
	         rest);
	assert_fails(message);
}

static int empty_stream(void **state)
{
	stream_size = 0;
	return 0;
}

ALL_TESTS(fill_both, NULL);
EACH_TEST(empty_stream, NULL);

TEST(transmission_among_text_is_found)
{
	add_text("boot 1.0\r\n");
	add_transmission(first, 0x20000000);
	add_text("\r\ndone\r\n");
	assert_holds(first, 0x20000000, "");
}

TEST(last_complete_transmission_is_decoded)
{
	static const char third_is_broken[] =
	        "transmission 2 of 3 was taken, the last complete one: at least 1024 of 2048 "
	        "bytes of a later one are missing";

	add_transmission(first, 0x20000000);
	add_transmission(second, 0x20001000);
	assert_holds(second, 0x20001000, "transmission 2 of 2 was taken, the last one");
	/* Even if a third one breaks off, with or without its identity. */
	size_t complete = stream_size;
	add_identity(2, 0x20002000);
	add_data(first, 0, 0, SIZE / 2);
	assert_holds(second, 0x20001000, third_is_broken);
	/* The best of several incomplete ones is reported. */
	add_identity(2, 0x20002000);
	assert_holds(
	        second, 0x20001000,
	        "transmission 2 of 4 was taken, the last complete one: at least 1024 of 2048 bytes of a later one are "
	        "missing");
	stream_size = complete;
	add_data(first, 0, 0, SIZE / 2);
	assert_holds(second, 0x20001000, third_is_broken);
	/* Answers to a host are ignored. */
	stream_size = complete;
	add_data(first, 3, 0, SIZE);
	assert_holds(second, 0x20001000, "transmission 2 of 2 was taken, the last one");
	/* Without its identity it is a transmission of the same memory all the same. */
	stream_size = complete;
	add_data(first, 0, 0, SIZE);
	assert_holds(first, 0x20001000, "transmission 3 of 3 was taken, the last one");
}

TEST(two_transmissions_are_never_mixed)
{
	add_half_transmission(first);
	add_data(second, 0, SIZE / 4, SIZE);
	assert_incomplete(1536, ", in the best of 2 transmissions");
	add_transmission(second, 4);
	assert_holds(second, 4, "transmission 3 of 3 was taken, the last one");
}

/* The recording may have a gap that begins and ends between frames, or within a frame. */
TEST(transmission_that_continues_another_is_not_mixed_with_it)
{
	add_half_transmission(first);
	add_text("\xFE");
	add_data(second, 0, SIZE / 2, SIZE);
	assert_incomplete(1024, ", in the best of 2 transmissions");
	/* Noise before the data, and text, have no effect. */
	stream_size = 0;
	add_identity(1, 0);
	add_text("\xFE");
	add_data(first, 0, 0, SIZE / 2);
	add_text("tick\r\n");
	add_data(first, 0, SIZE / 2, SIZE);
	assert_holds(first, 0, "");
}

TEST(best_incomplete_transmission_is_reported)
{
	add_identity(1, 0);
	add_data(first, 0, 0x100, SIZE);
	add_identity(1, 0);
	add_data(first, 0, 0, 0x100);
	add_identity(1, 0);
	assert_incomplete(1792, ", in the best of 3 transmissions");
}

TEST(missing_frames_and_data_are_reported)
{
	assert_fails("log: no frames of bareprof_send() in it");
	add_text("Only a console\r\n");
	assert_fails("log: no frames of bareprof_send() in it");
	add_data(first, 0, 0, SIZE);
	assert_fails("log: the first frame of the transmission is missing: start recording before the firmware calls "
	             "bareprof_send()");
	add_identity(1, 0);
	add_data(first, 0, 0x100, SIZE);
	assert_incomplete(1792, "");
	/* Data at an odd offset are ignored. */
	stream_size = 0;
	add_identity(1, 0);
	add_data(first, 0, 0, 0x100);
	add_frame((const uint8_t[]){0x90, 0x02, 0x01, 0, 4, 1, 2, 3, 4}, 9);
	assert_incomplete(256, "");
}

/* Translates the stream as a terminal does. */
static void translate(bool encodes, bool adds_returns)
{
	static uint8_t raw[sizeof stream];
	size_t size = stream_size;

	memcpy(raw, stream, size);
	stream_size = 0;
	for (size_t i = 0; i < size; i++) {
		if (adds_returns && raw[i] == '\n')
			stream[stream_size++] = '\r';
		if (encodes && raw[i] >= 0x80)
			stream[stream_size++] = (uint8_t)(0xC0 | raw[i] >> 6);
		stream[stream_size++] = encodes && raw[i] >= 0x80 ? (uint8_t)(0x80 | (raw[i] & 0x3F)) : raw[i];
	}
}

TEST(translated_bytes_are_reported)
{
	static const struct {
		bool encodes, adds_returns;
		const char *message;
	} cases[] = {
	        {false, true, "each LF became CR LF"},
	        {true, false, "they were encoded as UTF-8"},
	        {true, true, "they were encoded as UTF-8, and each LF became CR LF"},
	};
	char message[256];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		stream_size = 0;
		add_text("boot\n");
		add_transmission(first, 0x20000000);
		translate(cases[i].encodes, cases[i].adds_returns);
		snprintf(message, sizeof message, "log: the bytes were translated like text: %s; record them raw",
		         cases[i].message);
		assert_fails(message);
	}
}

TEST(another_version_is_reported)
{
	add_frame((const uint8_t[]){0x80, 7, 1, 2, 3}, 5);
	assert_fails("log: the firmware speaks version 7 of the link, this bareprof version 1");
	/* Its data are ignored, and transmissions before and after it are decoded. */
	stream_size = 0;
	add_transmission(first, 0);
	add_frame((const uint8_t[]){0x80, 7, 1, 2, 3}, 5);
	add_data(second, 0, 0, SIZE);
	assert_holds(first, 0,
	             "transmission 1 of 2 was taken, the last readable one: log: the firmware speaks version 7 of the "
	             "link, this bareprof version 1");
	add_transmission(second, 0);
	assert_holds(second, 0, "transmission 3 of 3 was taken, the last one");
}

/* One decodes to the original memory or not at all. */
TEST(damaged_stream_never_gives_wrong_memory)
{
	struct recording recording;
	unsigned right = 0;

	for (uint64_t seed = 1; seed < 300; seed++) {
		uint64_t random = seed;

		stream_size = 0;
		for (unsigned i = 0; i < 4; i++)
			add_transmission(first, 0x20000000);
		for (unsigned i = 0; i < 1 + seed / 20; i++)
			stream[wire_random(&random, (uint32_t)stream_size)] ^= (uint8_t)(1u << wire_random(&random, 8));
		if (recording_decode("log", stream, stream_size, &recording, &failure) != STATUS_OK)
			continue;
		assert_int_equal(recording.size, SIZE);
		assert_int_equal(recording.address, 0x20000000);
		assert_memory_equal(recording.memory, first, SIZE);
		free(recording.memory);
		right++;
	}
	assert_true(right > 50 && right < 290);
}
