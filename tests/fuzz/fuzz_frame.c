/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary data from a target: the decoder stays within its buffer, a recorded stream is refused or complete, and the
 * client terminates. The input is a list of pieces: a byte for the kind, a byte for the size, and the content. Content
 * is sent as it is, in a valid frame, or in a frame that answers the last request; or the channel breaks.
 */
#include "fuzz.h"

#include "acquire/channel/client.h"
#include "acquire/channel/frame.h"
#include "acquire/channel/recording.h"
#include "base/clock.h"

#include <string.h>
#include <zlib.h>

enum { AS_BYTES, AS_FRAME, AS_ANSWER, BREAK };

/* Small, so that every input ends soon: a target may claim 16 MB of memory. */
#define READ_MAX 2048u
#define TIMEOUT  2000u

/* The pieces of one input, with a clock of their own. */
struct script {
	struct channel channel;
	const uint8_t *data;
	size_t size;
	unsigned sequence; /* of the last request */
	uint64_t now;
	uint8_t line[1024]; /* the piece being sent */
	size_t line_size, line_sent;
	bool is_broken;
};
static struct script script;

static size_t stuff(const uint8_t *content, size_t size, uint8_t *frame)
{
	uint8_t whole[256 + 4];
	size_t out = 0, code;

	memcpy(whole, content, size);
	frame_put_number(whole + size, 4, crc32(0, content, (uInt)size));
	frame[out++] = 0;
	code = out++;
	for (size_t i = 0; i < size + 4; i++) {
		if (whole[i] != 0)
			frame[out++] = whole[i];
		if (whole[i] == 0 || out - code == 0xFF) {
			frame[code] = (uint8_t)(out - code);
			code = out++;
		}
	}
	frame[code] = (uint8_t)(out - code);
	frame[out++] = 0;
	return out;
}

/* False at the end of the input. */
static bool next_piece(void)
{
	uint8_t content[256];

	if (script.size < 2)
		return false;
	unsigned kind = script.data[0] % 4;
	size_t size = script.data[1];
	script.data += 2;
	script.size -= 2;
	if (size > script.size)
		size = script.size;
	memcpy(content, script.data, size);
	script.data += size;
	script.size -= size;
	if (kind == AS_ANSWER && size > 0)
		content[0] = (uint8_t)((content[0] & 0xF0) | script.sequence);
	script.is_broken = kind == BREAK;
	script.line_sent = 0;
	script.line_size = size;
	if (kind == AS_BYTES)
		memcpy(script.line, content, size);
	else
		script.line_size = kind != BREAK && size > 0 ? stuff(content, size, script.line) : 0;
	return true;
}

static enum wait_result on_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline, size_t *size)
{
	(void)channel;
	script.now++;
	while (script.line_sent == script.line_size) {
		if (!next_piece()) {
			script.now = deadline > script.now ? deadline : script.now;
			return WAIT_TIMEOUT;
		}
		if (script.is_broken)
			return WAIT_CLOSED;
	}
	*size = script.line_size - script.line_sent;
	if (*size > capacity)
		*size = capacity;
	memcpy(bytes, script.line + script.line_sent, *size);
	script.line_sent += *size;
	return WAIT_DONE;
}

/* A request is enclosed in zero bytes and contains none; its head follows the first code. */
static enum wait_result on_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	const uint8_t *frame = bytes;

	(void)channel;
	(void)deadline;
	require(size >= 8 && size <= FRAME_REQUEST_MAX && frame[0] == 0 &&
	        memchr(frame + 1, 0, size - 1) == frame + size - 1);
	script.sequence = BAREPROF_FRAME_SEQUENCE(frame[2]);
	require(script.sequence != 0);
	return WAIT_DONE;
}

static void on_close(struct channel *channel)
{
	(void)channel;
}

static enum status on_open(const struct source *source, int cancel, struct channel **channel, struct error *error)
{
	(void)cancel;
	script.now += 10;
	*channel = &script.channel;
	return script.size > 0 ? STATUS_OK : status_fail(error, "%s: gone", source->text);
}

static uint64_t now(void)
{
	return script.now;
}

static bool pause_until(uint64_t deadline, int cancel)
{
	(void)cancel;
	script.now = deadline > script.now ? deadline : script.now + 1;
	return true;
}

static const struct clock script_clock = {.now = now, .pause = pause_until};
static const struct channel_ops script_ops = {
        .syntax.scheme = "script",
        .open = on_open,
        .read = on_read,
        .write = on_write,
        .close = on_close,
        .clock = &script_clock,
};

/* Reads and writes as far as the target allows it. */
static void use_client(struct client *client)
{
	uint8_t bytes[READ_MAX];
	struct error error;
	const struct client_identity *identity = client_get_identity(client);
	uint64_t total = (uint64_t)identity->block_size * identity->block_count;

	require(total != 0 && total % 4 == 0 && total <= BAREPROF_MEMORY_MAX);
	uint32_t size = total < READ_MAX ? (uint32_t)total : READ_MAX;
	client_read(client, (uint32_t)total - size, bytes, size, &error);
	client_write(client, 0x40, 0x12345678, &error);
	client_wait(client, 100, &error);
	client_read(client, 1, bytes, size < 4 ? 0 : 3, &error);
	struct link_traffic traffic = client_traffic(client);
	require(traffic.text_bytes + traffic.noise_bytes <= traffic.bytes_received);
}

static void run_client(const uint8_t *data, size_t size)
{
	static const struct source source = {.text = "script:"};
	struct client *client;
	struct error error;

	memset(&script, 0, sizeof script);
	script.channel = (struct channel){.ops = &script_ops, .timeout = TIMEOUT};
	script.data = data;
	script.size = size;
	if (client_open(&script.channel, &source, -1, NULL, &client, &error) != STATUS_OK)
		return;
	use_client(client);
	client_close(client);
}

/* All pieces as one recorded stream. */
static void run_recording(const uint8_t *data, size_t size)
{
	uint8_t *stream = malloc(4 * size + 16);
	size_t length = 0;
	struct recording recording;
	struct error error;

	memset(&script, 0, sizeof script);
	script.data = data;
	script.size = size;
	while (stream != NULL && next_piece() && length + script.line_size <= 4 * size + 16) {
		memcpy(stream + length, script.line, script.line_size);
		length += script.line_size;
	}
	if (stream != NULL && recording_decode("log", stream, length, &recording, &error) == STATUS_OK) {
		require(recording.size != 0 && recording.size <= BAREPROF_MEMORY_MAX);
		free(recording.memory);
	}
	free(stream);
}

static void run_decoder(const uint8_t *data, size_t size)
{
	static struct frame_decoder decoder;
	static uint8_t bytes[FRAME_DATA_MAX];
	size_t count, damaged = 0;

	frame_decoder_init(&decoder);
	for (size_t i = 0; i < size; i++) {
		enum frame_event event = frame_decoder_take(&decoder, data[i]);

		if (event == FRAME_NONE)
			continue;
		require(decoder.size != 0 && decoder.size <= FRAME_CONTENT_MAX);
		damaged += event == FRAME_GOOD ? 0 : decoder.size;
		if (frame_unpack(decoder.content, decoder.size, bytes, sizeof bytes, &count))
			require(count != 0 && count % 4 == 0 && count <= sizeof bytes);
	}
	require(damaged <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	run_decoder(data, size);
	run_recording(data, size);
	run_client(data, size);
	return 0;
}
