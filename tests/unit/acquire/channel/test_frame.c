/* SPDX-License-Identifier: MIT */
/* Frames against a second implementation, and the distinction of frames, text and noise in any stream. */
#include "acquire/channel/frame.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

/* The decoded parts of a stream. */
struct decoded {
	uint8_t frames[256 * 1024]; /* of each frame: two bytes of size, head, body */
	size_t frames_size;
	unsigned frame_count, noise_count;
	uint8_t text[64 * 1024];
	size_t text_size, noise_size, line_size;
};

static struct decoded decoded;

static void keep_frame(struct decoded *into, const uint8_t *content, size_t size)
{
	assert_true(into->frames_size + 2 + size <= sizeof into->frames);
	into->frames[into->frames_size++] = (uint8_t)size;
	into->frames[into->frames_size++] = (uint8_t)(size >> 8);
	memcpy(into->frames + into->frames_size, content, size);
	into->frames_size += size;
	into->frame_count++;
}

static void decode(struct frame_decoder *decoder, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		enum frame_event event = frame_decoder_take(decoder, bytes[i]);

		if (event == FRAME_NONE)
			continue;
		assert_true(decoder->size > 0 && decoder->size <= FRAME_CONTENT_MAX);
		if (event == FRAME_GOOD) {
			keep_frame(&decoded, decoder->content, decoder->size);
			decoded.line_size += decoder->line_size;
		} else if (event == FRAME_TEXT) {
			assert_true(decoded.text_size + decoder->size <= sizeof decoded.text);
			memcpy(decoded.text + decoded.text_size, decoder->content, decoder->size);
			decoded.text_size += decoder->size;
		} else {
			decoded.noise_count++;
			decoded.noise_size += decoder->size;
		}
	}
}

static void decode_all(const void *bytes, size_t size)
{
	struct frame_decoder decoder;

	memset(&decoded, 0, sizeof decoded);
	frame_decoder_init(&decoder);
	decode(&decoder, bytes, size);
}

static void assert_text(const char *text)
{
	assert_int_equal(decoded.text_size, strlen(text));
	assert_memory_equal(decoded.text, text, strlen(text));
}

TEST(second_implementation_agrees_with_published_examples)
{
	/* Cheshire and Baker, section 3.1: the start of an IP header. */
	static const uint8_t plain[] = {0x45, 0, 0, 0x2C, 0x4C, 0x79, 0, 0, 0x40, 0x06, 0x4F, 0x37};
	static const uint8_t expected[] = {0, 2, 0x45, 1, 4, 0x2C, 0x4C, 0x79, 1, 5, 0x40, 0x06, 0x4F, 0x37, 0};
	uint8_t frame[WIRE_SIZE(300)], run[300];

	assert_int_equal(wire_frame(frame, plain, sizeof plain), sizeof expected);
	assert_memory_equal(frame, expected, sizeof expected);
	wire_content(run, '1' / 16, '1' % 16, "23456789", 8);
	assert_int_equal(wire_integer(run + 9, 4), 0xCBF43926);

	/* Runs of 253, 254 and 255 bytes: docs/FORMAT.md, section 13. */
	memset(run, 'x', sizeof run);
	assert_int_equal(wire_frame(frame, run, 253), 256);
	assert_int_equal(frame[1], 254);
	assert_int_equal(wire_frame(frame, run, 255), 259);
	assert_int_equal(frame[256], 2);
}

TEST(request_is_framed_as_specified)
{
	uint64_t seed = 1;

	for (unsigned round = 0; round < 5000; round++) {
		uint8_t content[9], frame[FRAME_REQUEST_MAX], expected[WIRE_SIZE(16)];
		size_t size = 1 + wire_random(&seed, sizeof content);

		for (size_t i = 0; i < size; i++)
			content[i] = (uint8_t)wire_random(&seed, wire_random(&seed, 2) ? 2 : 256);
		size_t length = frame_encode(content, size, frame);
		assert_int_equal(length, wire_encode(content, size, expected));
		assert_memory_equal(frame, expected, length);
	}
}

TEST(frame_of_any_content_is_decoded)
{
	uint64_t seed = 2;

	for (unsigned round = 0; round < 3000; round++) {
		uint8_t content[1012], frame[WIRE_SIZE(1016)];
		size_t size = 1 + wire_random(&seed, sizeof content);
		uint32_t values = wire_random(&seed, 3) == 0 ? 2 : 256;

		content[0] = (uint8_t)(0x80 + wire_random(&seed, 128));
		for (size_t i = 1; i < size; i++)
			content[i] = (uint8_t)(values == 2 ? wire_random(&seed, 400) > 0 : wire_random(&seed, 256));
		size_t length = wire_encode(content, size, frame);
		decode_all(frame, length);
		assert_int_equal(decoded.frame_count, 1);
		assert_int_equal(decoded.noise_count + decoded.text_size, 0);
		assert_int_equal(decoded.frames_size, size + 2);
		assert_memory_equal(decoded.frames + 2, content, size);
		assert_int_equal(decoded.line_size, length);
	}
}

TEST(longest_frame_is_decoded_and_longer_ones_are_not)
{
	uint8_t content[BAREPROF_FRAME_MAX + 8], frame[WIRE_SIZE(sizeof content)];

	memset(content, 0xA5, sizeof content);
	/* Two zero bytes, a code for each of five runs, the CRC. */
	size_t size = BAREPROF_FRAME_MAX - 2 - 5 - BAREPROF_FRAME_CRC_SIZE;
	assert_int_equal(wire_encode(content, size, frame), BAREPROF_FRAME_MAX);
	decode_all(frame, BAREPROF_FRAME_MAX);
	assert_int_equal(decoded.frame_count, 1);

	size_t length = wire_encode(content, size + 4, frame);
	decode_all(frame, length);
	assert_int_equal(decoded.frame_count, 0);
	assert_int_equal(decoded.text_size, 0);
}

/* The frame after the damaged one is decoded all the same. */
TEST(every_flipped_bit_and_lost_byte_is_noticed)
{
	static const uint8_t content[] = {0x91, 0, 1, 0, 8, 'b', 'a', 'r', 'e', 'p', 'r', 'o', 'f', 4};
	static const uint8_t next[] = {0xA2};
	uint8_t stream[64], broken[64];
	size_t first = wire_encode(content, sizeof content, stream);
	size_t size = first + wire_encode(next, sizeof next, stream + first);

	for (size_t bit = 8; bit < 8 * (first - 1); bit++) {
		memcpy(broken, stream, size);
		broken[bit / 8] ^= (uint8_t)(1u << bit % 8);
		decode_all(broken, size);
		assert_int_equal(decoded.frame_count, 1);
		assert_int_equal(decoded.frames[2], 0xA2);
	}
	for (size_t lost = 1; lost + 1 < first; lost++) {
		memcpy(broken, stream, size);
		memmove(broken + lost, stream + lost + 1, size - lost - 1);
		decode_all(broken, size - 1);
		assert_int_equal(decoded.frame_count, 1);
		assert_int_equal(decoded.noise_count, 1);
		assert_int_equal(decoded.frames[2], 0xA2);
	}
}

TEST(lost_zero_byte_affects_only_its_frame)
{
	uint8_t stream[256];
	size_t ends[5] = {0};

	for (unsigned i = 0; i < 4; i++) {
		const uint8_t content[] = {(uint8_t)(0x91 + i), 0, 0, 0, 4, 1, 2, 3, 4};

		ends[i + 1] = ends[i] + wire_encode(content, sizeof content, stream + ends[i]);
	}
	for (unsigned i = 0; i < 4; i++) {
		const size_t zeros[] = {ends[i], ends[i + 1] - 1};

		for (unsigned which = 0; which < 2; which++) {
			uint8_t broken[256];

			memcpy(broken, stream, zeros[which]);
			memcpy(broken + zeros[which], stream + zeros[which] + 1, ends[4] - zeros[which] - 1);
			decode_all(broken, ends[4] - 1);
			assert_true(decoded.frame_count >= 3);
			assert_int_equal(decoded.text_size, 0);
		}
	}
}

TEST(text_between_frames_is_reported_at_once)
{
	struct frame_decoder decoder;
	uint8_t frame[16];
	const char *text = "temp \xC2\xB0"
	                   "C: 21\r\n\033[0m>";

	memset(&decoded, 0, sizeof decoded);
	frame_decoder_init(&decoder);
	for (unsigned round = 0; round < 2; round++) {
		size_t before = decoded.text_size;

		for (size_t i = 0; i < strlen(text); i++) {
			decode(&decoder, (const uint8_t *)text + i, 1);
			assert_int_equal(decoded.text_size - before, i + 1);
		}
		decode(&decoder, frame, wire_encode((const uint8_t *)"\xA1", 1, frame));
	}
	assert_int_equal(decoded.frame_count, 2);
	assert_int_equal(decoded.noise_count, 0);
}

TEST(text_after_a_damaged_frame_is_reported_by_line)
{
	uint8_t stream[256];
	size_t size = wire_encode((const uint8_t *)"\x91\0\0\0\x04zyxw", 9, stream);

	stream[5] ^= 0x40;
	size += (size_t)sprintf((char *)stream + size, "one line\ntwo");
	decode_all(stream, size);
	assert_text("one line\ntwo");
	assert_int_equal(decoded.noise_count, 1);

	/* Without an end of line: after some bytes, or before the next frame. */
	size = wire_encode((const uint8_t *)"\x91\0\0\0\x04zyxw", 9, stream);
	stream[5] ^= 0x40;
	size_t prompt = size;
	size += (size_t)sprintf((char *)stream + size, "a prompt with no end");
	decode_all(stream, size);
	assert_text("a prompt with no end");
	decode_all(stream, prompt + 3);
	assert_text("");
	size = prompt + 3;
	size += wire_encode((const uint8_t *)"\xA1", 1, stream + size);
	decode_all(stream, size);
	assert_text("a p");
	assert_int_equal(decoded.frame_count, 1);
}

TEST(noise_is_never_text)
{
	static const char *const noise[] = {
	        "\x80\x81xyz", /* the rest of a UTF-8 character */
	        "\xFFxyz",
	        "\xC0\xAFxyz", /* not in UTF-8 */
	        "\x01\x02xyz",
	        "\x7Fxyz",                 /* control characters */
	        "\x08\x91\x05xyz01234567", /* a frame whose first zero byte was lost: its code is a backspace */
	};

	for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
		uint8_t stream[64] = "";
		size_t size = strlen(noise[i]) + 1;

		memcpy(stream, noise[i], size);
		decode_all(stream, size);
		assert_int_equal(decoded.noise_count, 1);
		assert_true(decoded.text_size <= 1);
		assert_int_equal(decoded.noise_size + decoded.text_size, size - 1);
	}
	/* Longer than any frame. */
	uint8_t longer[FRAME_CONTENT_MAX + 4] = "";
	for (unsigned i = 0; i < FRAME_CONTENT_MAX; i++)
		longer[1 + i] = i % 2 ? 0xA9 : 0xC3;
	decode_all(longer, FRAME_CONTENT_MAX + 1);
	assert_int_equal(decoded.noise_size, 0);
	assert_int_equal(decoded.text_size, FRAME_CONTENT_MAX);
	memset(longer + 1, 0xC3, FRAME_CONTENT_MAX);
	decode_all(longer, FRAME_CONTENT_MAX + 1);
	assert_int_equal(decoded.noise_size, FRAME_CONTENT_MAX);
	assert_int_equal(decoded.text_size, 0);
}

/* Decodes a random stream of frames and text in two pieces, cut at every place. */
TEST(streams_may_be_cut_anywhere)
{
	static struct decoded expected;
	static uint8_t stream[2048];

	for (uint64_t seed = 10; seed < 20; seed++) {
		uint64_t random = seed;
		size_t size = 0;

		memset(&expected, 0, sizeof expected);
		while (size < 600) {
			uint8_t content[80];
			size_t length = 1 + wire_random(&random, sizeof content);

			for (size_t i = 0; i < length; i++)
				content[i] = (uint8_t)wire_random(&random, 256);
			content[0] |= 0x80;
			keep_frame(&expected, content, length);
			size += wire_encode(content, length, stream + size);
			for (uint32_t letters = wire_random(&random, 20); letters > 0; letters--)
				expected.text[expected.text_size++] = stream[size++] =
				        (uint8_t)(' ' + wire_random(&random, 95));
		}
		for (size_t cut = 0; cut <= size; cut++) {
			struct frame_decoder decoder;

			memset(&decoded, 0, sizeof decoded);
			frame_decoder_init(&decoder);
			decode(&decoder, stream, cut);
			decode(&decoder, stream + cut, size - cut);
			assert_int_equal(decoded.noise_count, 0);
			assert_int_equal(decoded.text_size, expected.text_size);
			assert_memory_equal(decoded.text, expected.text, expected.text_size);
			assert_int_equal(decoded.frames_size, expected.frames_size);
			assert_memory_equal(decoded.frames, expected.frames, expected.frames_size);
		}
		/* A start in the middle of the stream loses only the frame that is cut. */
		for (size_t begin = 1; begin < size; begin++) {
			decode_all(stream + begin, size - begin);
			assert_true(decoded.frames_size <= expected.frames_size);
			assert_memory_equal(decoded.frames,
			                    expected.frames + expected.frames_size - decoded.frames_size,
			                    decoded.frames_size);
		}
	}
}

TEST(runs_are_unpacked_to_the_packed_memory)
{
	uint64_t seed = 3;

	for (unsigned round = 0; round < 3000; round++) {
		uint8_t memory[1024], content[1024], bytes[4096];
		uint32_t size = 4 + wire_random(&seed, 255) * 4, next;

		for (uint32_t i = 0; i < size; i++)
			memory[i] = wire_random(&seed, 4) ? 0 : (uint8_t)wire_random(&seed, 256);
		size_t length = wire_data(content, 5, memory, 0, size, 64 + wire_random(&seed, 900), &next);
		size_t count = 0;
		assert_true(frame_unpack(content + 4, length - 4, bytes, sizeof bytes, &count));
		assert_int_equal(count, next);
		assert_memory_equal(bytes, memory, count);
		/* Exactly the capacity is accepted, and nothing more. */
		assert_true(frame_unpack(content + 4, length - 4, bytes, next, &count));
		assert_false(frame_unpack(content + 4, length - 4, bytes, next - 1, &count));
	}
}

TEST(truncated_empty_and_odd_runs_are_refused)
{
	static const struct {
		size_t size;
		uint8_t runs[8];
	} wrong[] = {
	        {0, {0}},          {1, {0}},    {2, {0, 0}},          {1, {4}},
	        {4, {4, 1, 2, 3}}, {2, {0, 3}}, {4, {3, 1, 2, 3}},    {5, {3, 1, 2, 3, 0}},
	        {3, {0, 4, 1}},    {2, {0, 6}}, {6, {0, 4, 2, 1, 2}},
	};
	static const struct {
		size_t size;
		uint8_t runs[8];
	} right[] = {{5, {4, 1, 2, 3, 4}}, {2, {0, 4}}, {3, {0, 4, 0}}, {5, {3, 1, 2, 3, 1}}, {6, {0, 2, 2, 1, 2, 0}}};
	uint8_t bytes[512];
	size_t count;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_false(frame_unpack(wrong[i].runs, wrong[i].size, bytes, sizeof bytes, &count));
	for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
		assert_true(frame_unpack(right[i].runs, right[i].size, bytes, sizeof bytes, &count));
		assert_int_equal(count, 4);
	}
}
