/* SPDX-License-Identifier: MIT */
/*
 * A malicious or broken peer of the link, on its standard streams:
 *
 *	hostile BEHAVIOUR [SEED]
 *
 * BEHAVIOUR is one of the table below.
 */
#include "../random.h"
#include "../unit/target/link/wire.h"

#include <bareprof/frame.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_SIZE 0x4000u

struct peer {
	uint32_t random;
	unsigned sequence;     /* of the last request */
	uint32_t offset, size; /* of the last read */
	unsigned type;         /* of the answer under construction */
	uint8_t body[WIRE_CONTENT_MAX];
	size_t body_size;
	bool is_in_frame; /* that never ends */
	/* Bytes since the last frame, with both delimiters. */
	uint8_t received[256];
	size_t received_size;
};

static uint32_t random_word(struct peer *peer)
{
	return random_next(&peer->random);
}

static uint8_t random_byte(struct peer *peer)
{
	return (uint8_t)(random_word(peer) >> 24);
}

/* Exits when nobody reads any more. */
static void put_bytes(const uint8_t *bytes, size_t size)
{
	while (size > 0) {
		const ssize_t written = write(STDOUT_FILENO, bytes, size);

		if (written < 0)
			exit(0);
		bytes += written;
		size -= (size_t)written;
	}
}

static void begin(struct peer *peer, unsigned type)
{
	peer->type = type;
	peer->body_size = 0;
}

static void add_number(struct peer *peer, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		peer->body[peer->body_size++] = (uint8_t)(number >> 8 * i);
}

/* A pair of runs in a data frame: random bytes, then zeros. */
static void add_runs(struct peer *peer, unsigned bytes, unsigned zeros)
{
	add_number(peer, bytes, 1);
	for (unsigned i = 0; i < bytes; i++)
		add_number(peer, random_byte(peer), 1);
	add_number(peer, zeros, 1);
}

static void put_frame(struct peer *peer)
{
	uint8_t frame[WIRE_FRAME_MAX];

	put_bytes(frame, wire_message(frame, peer->type, peer->sequence, peer->body, peer->body_size));
}

static void put_identity(struct peer *peer, unsigned version, unsigned last_block, unsigned frame, uint32_t block_size)
{
	begin(peer, BAREPROF_FRAME_IDENTITY);
	add_number(peer, version, 1);
	add_number(peer, last_block, 1);
	add_number(peer, frame, 2);
	add_number(peer, block_size, 3);
	add_number(peer, 0x20000000, 8);
	put_frame(peer);
}

/* A correct identity. */
static void send_identity(struct peer *peer)
{
	put_identity(peer, 1, 0, 128, MEMORY_SIZE);
}

/* --- Answers */

static void send_false_identity(struct peer *peer)
{
	static const struct {
		unsigned version, last_block, frame;
		uint32_t block_size;
	} lies[] = {
	        {1, 255, 0xFFFF, 0xFFFFFF}, {1, 0, 0, 0},           {1, 0, 128, 1},  {1, 0, 0xFFFF, 0xFFFFFC},
	        {1, 255, 128, 0xFFFC},      {1, 0, 1, MEMORY_SIZE}, {1, 3, 128, 16},
	};
	const unsigned choice = random_word(peer) % (sizeof lies / sizeof *lies);

	put_identity(peer, lies[choice].version, lies[choice].last_block, lies[choice].frame, lies[choice].block_size);
}

static void claim_another_version(struct peer *peer)
{
	put_identity(peer, 9, 0, 128, MEMORY_SIZE);
}

/* Offsets and lengths that were not requested, do not exist, or do not fit a frame. */
static void send_false_offsets(struct peer *peer)
{
	static const uint32_t offsets[] = {0, MEMORY_SIZE - 4, MEMORY_SIZE, 0xFFFFFC, 0xFFFFFF, 1, 3, 0x8000};

	begin(peer, BAREPROF_FRAME_DATA);
	add_number(peer, offsets[random_word(peer) % (sizeof offsets / sizeof *offsets)], 3);
	for (unsigned i = random_word(peer) % 8; i > 0; i--)
		add_runs(peer, random_byte(peer), random_byte(peer));
	if (random_word(peer) % 2 != 0) /* a run longer than the rest of the frame */
		add_number(peer, 255, 1);
	put_frame(peer);
}

/* Runs of zeros only, that expand to far more than the memory. */
static void send_inflating_runs(struct peer *peer)
{
	begin(peer, BAREPROF_FRAME_DATA);
	add_number(peer, peer->offset, 3);
	for (unsigned i = 0; i < 500; i++)
		add_runs(peer, 0, 255);
	put_frame(peer);
}

static void refuse(struct peer *peer)
{
	begin(peer, BAREPROF_FRAME_REFUSED);
	add_number(peer, random_byte(peer), 1);
	put_frame(peer);
}

/* Correct data, but always the same. */
static void send_same_data(struct peer *peer)
{
	begin(peer, BAREPROF_FRAME_DATA);
	add_number(peer, 0, 3);
	add_runs(peer, 4, 0);
	put_frame(peer);
}

static void answer_another_request(struct peer *peer)
{
	const unsigned sequence = peer->sequence;

	begin(peer, BAREPROF_FRAME_DATA);
	add_number(peer, peer->offset, 3);
	add_runs(peer, 64, 0);
	peer->sequence = sequence % 15 + 1;
	put_frame(peer);
	peer->sequence = sequence;
}

/* Unknown types, and bodies of any length. */
static void send_unknown_frames(struct peer *peer)
{
	begin(peer, random_word(peer) % 16);
	for (unsigned i = random_word(peer) % 64; i > 0; i--)
		add_number(peer, random_byte(peer), 1);
	put_frame(peer);
}

/* --- Output without a request */

static void put_random_bytes(struct peer *peer)
{
	uint8_t bytes[256];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = random_byte(peer);
	put_bytes(bytes, sizeof bytes);
}

static void put_text(struct peer *peer)
{
	char line[64];

	put_bytes((const uint8_t *)line, (size_t)snprintf(line, sizeof line, "still here %u\r\n", random_word(peer)));
}

static void put_zeros(struct peer *peer)
{
	static const uint8_t zeros[256];

	(void)peer;
	put_bytes(zeros, sizeof zeros);
}

/* A frame that begins and never ends. */
static void put_content(struct peer *peer)
{
	static const uint8_t delimiter = BAREPROF_FRAME_DELIMITER;
	uint8_t bytes[256];

	if (!peer->is_in_frame)
		put_bytes(&delimiter, 1);
	peer->is_in_frame = true;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = random_byte(peer) | 1;
	put_bytes(bytes, sizeof bytes);
}

/* Like bareprof_send(), but part of the memory is never sent. */
static void send_in_part(struct peer *peer)
{
	peer->sequence = 0;
	send_identity(peer);
	for (uint32_t offset = 4; offset < MEMORY_SIZE; offset += 64) {
		begin(peer, BAREPROF_FRAME_DATA);
		add_number(peer, offset, 3);
		add_runs(peer, 60, 0);
		put_frame(peer);
	}
}

static void introduce_again(struct peer *peer)
{
	peer->sequence = 0;
	send_identity(peer);
}

struct behaviour {
	const char *name;
	void (*unasked)(struct peer *peer);  /* repeated forever; NULL: waits for requests */
	void (*identify)(struct peer *peer); /* NULL: no answer */
	void (*read)(struct peer *peer);
	unsigned answers; /* to a read */
};

static const struct behaviour behaviours[] = {
        {.name = "silent"},
        {.name = "random", .unasked = put_random_bytes},
        {.name = "text", .unasked = put_text},
        {.name = "zeros", .unasked = put_zeros},
        {.name = "endless-frame", .unasked = put_content},
        {.name = "part", .unasked = send_in_part},
        {.name = "introductions", .unasked = introduce_again},
        {.name = "identity", .identify = send_false_identity, .read = send_false_offsets, .answers = 1},
        {.name = "version", .identify = claim_another_version},
        {.name = "mute", .identify = send_identity},
        {.name = "offsets", .identify = send_identity, .read = send_false_offsets, .answers = 100},
        {.name = "inflate", .identify = send_identity, .read = send_inflating_runs, .answers = 100},
        {.name = "refuse", .identify = send_identity, .read = refuse, .answers = 1},
        {.name = "repeat", .identify = send_identity, .read = send_same_data, .answers = UINT_MAX},
        {.name = "another", .identify = send_identity, .read = answer_another_request, .answers = UINT_MAX},
        {.name = "nonsense", .identify = send_identity, .read = send_unknown_frames, .answers = UINT_MAX},
};

static const struct behaviour *find_behaviour(const char *name)
{
	for (size_t i = 0; i < sizeof behaviours / sizeof *behaviours; i++)
		if (strcmp(behaviours[i].name, name) == 0)
			return &behaviours[i];
	fprintf(stderr, "hostile: %s is not a behaviour\n", name);
	exit(2);
}

/* Answers a request, except a read: returns whether it was one that is to be answered. */
static bool serve(struct peer *peer, const struct behaviour *behaviour, const struct wire_frame *request)
{
	peer->sequence = request->sequence;
	if (request->type == BAREPROF_FRAME_READ) {
		peer->offset = (uint32_t)wire_integer(request->body, 3);
		peer->size = (uint32_t)wire_integer(request->body + 3, 3);
		return behaviour->read != NULL;
	}
	if (request->type == BAREPROF_FRAME_IDENTIFY && behaviour->identify != NULL)
		behaviour->identify(peer);
	return false;
}

static bool has_input(bool may_wait)
{
	struct pollfd entry = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&entry, 1, may_wait ? -1 : 0) == 1;
}

/* Takes a byte from the host, which delimits each frame on both sides; whether it ends a read that is to be answered.
 */
static bool receive(struct peer *peer, const struct behaviour *behaviour, uint8_t byte)
{
	struct wire_frame request;
	size_t at = 0;

	if (peer->received_size < sizeof peer->received)
		peer->received[peer->received_size++] = byte;
	if (byte != BAREPROF_FRAME_DELIMITER)
		return false;
	const bool is_frame = wire_next(peer->received, peer->received_size, &at, &request);

	peer->received[0] = byte;
	peer->received_size = 1;
	return is_frame && serve(peer, behaviour, &request);
}

/* Whether the host requested memory. */
static bool receive_request(struct peer *peer, const struct behaviour *behaviour)
{
	uint8_t bytes[256];
	bool is_read = false;

	const ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
	if (size <= 0)
		exit(0);
	for (ssize_t i = 0; i < size; i++)
		is_read |= receive(peer, behaviour, bytes[i]);
	return is_read;
}

static void run(struct peer *peer, const struct behaviour *behaviour)
{
	unsigned answers = 0;

	for (;;) {
		const bool is_idle = behaviour->unasked == NULL && answers == 0;

		if (has_input(is_idle) && receive_request(peer, behaviour))
			answers = behaviour->answers;
		if (behaviour->unasked != NULL)
			behaviour->unasked(peer);
		else if (answers > 0) {
			answers--;
			behaviour->read(peer);
		}
	}
}

int main(int count, char **words)
{
	static struct peer peer;

	if (count < 2) {
		fprintf(stderr, "usage: hostile BEHAVIOUR [SEED]\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	peer.random = random_state_of((uint32_t)(count > 2 ? atoi(words[2]) : 0));
	run(&peer, find_behaviour(words[1]));
}
