/* SPDX-License-Identifier: MIT */
/*
 * A peer that is no target, or a bad one, on its standard streams:
 *
 *	hostile MANNER [SEED]
 *
 * MANNER is one of the table below. Numbers are those of docs/FORMAT.md, section 13.
 */
#include "frames.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	REQUEST_IDENTIFY = 1,
	REQUEST_READ = 2,
	ANSWER_IDENTITY = 8,
	ANSWER_DATA = 9,
	ANSWER_REFUSED = 11,
};

#define MEMORY_SIZE 0x4000u

struct peer {
	uint32_t random;
	uint8_t sequence;      /* of the last request */
	uint32_t offset, size; /* of the last read */
	uint8_t content[FRAMES_CONTENT_MAX + 4];
	size_t content_size;
};

/* xorshift32: G. Marsaglia, "Xorshift RNGs". */
static uint32_t random_word(struct peer *peer)
{
	peer->random ^= peer->random << 13;
	peer->random ^= peer->random >> 17;
	peer->random ^= peer->random << 5;
	return peer->random;
}

static uint8_t random_byte(struct peer *peer)
{
	return (uint8_t)(random_word(peer) >> 24);
}

/* Ends when nobody reads any more. */
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

static void begin(struct peer *peer, unsigned type, unsigned sequence)
{
	peer->content[0] = (uint8_t)(type << 4 | sequence);
	peer->content_size = 1;
}

static void add_number(struct peer *peer, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		peer->content[peer->content_size++] = (uint8_t)(number >> 8 * i);
}

/* A piece of a data frame's runs: bytes that may be anything, then zeros. */
static void add_runs(struct peer *peer, unsigned bytes, unsigned zeros)
{
	add_number(peer, bytes, 1);
	for (unsigned i = 0; i < bytes; i++)
		add_number(peer, random_byte(peer), 1);
	add_number(peer, zeros, 1);
}

static void put_frame(struct peer *peer)
{
	uint8_t frame[FRAMES_SIZE_MAX];

	put_bytes(frame, frames_make(peer->content, peer->content_size, frame));
}

static void put_identity(struct peer *peer, unsigned version, unsigned last_block, unsigned frame, uint32_t block_size)
{
	begin(peer, ANSWER_IDENTITY, peer->sequence);
	add_number(peer, version, 1);
	add_number(peer, last_block, 1);
	add_number(peer, frame, 2);
	add_number(peer, block_size, 3);
	add_number(peer, 0x20000000, 8);
	put_frame(peer);
}

/* One that tells nothing wrong. */
static void introduce(struct peer *peer)
{
	put_identity(peer, 1, 0, 128, MEMORY_SIZE);
}

/* --- What it does when it was asked for something */

static void lie_about_itself(struct peer *peer)
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

static void be_of_another_version(struct peer *peer)
{
	put_identity(peer, 9, 0, 128, MEMORY_SIZE);
}

/* Places and lengths that it was not asked for, that are not there, or that no frame may have. */
static void lie_about_places(struct peer *peer)
{
	static const uint32_t offsets[] = {0, MEMORY_SIZE - 4, MEMORY_SIZE, 0xFFFFFC, 0xFFFFFF, 1, 3, 0x8000};

	begin(peer, ANSWER_DATA, peer->sequence);
	add_number(peer, offsets[random_word(peer) % (sizeof offsets / sizeof *offsets)], 3);
	for (unsigned i = random_word(peer) % 8; i > 0; i--)
		add_runs(peer, random_byte(peer), random_byte(peer));
	if (random_word(peer) % 2 != 0) /* more bytes than there are */
		add_number(peer, 255, 1);
	put_frame(peer);
}

/* Frames that fill the longest content, of nothing but zeros, far beyond the memory. */
static void inflate(struct peer *peer)
{
	begin(peer, ANSWER_DATA, peer->sequence);
	add_number(peer, peer->offset, 3);
	for (unsigned i = 0; i < 500; i++)
		add_runs(peer, 0, 255);
	put_frame(peer);
}

static void refuse(struct peer *peer)
{
	begin(peer, ANSWER_REFUSED, peer->sequence);
	add_number(peer, random_byte(peer), 1);
	put_frame(peer);
}

/* What is there and right, but always the same. */
static void repeat_itself(struct peer *peer)
{
	begin(peer, ANSWER_DATA, peer->sequence);
	add_number(peer, 0, 3);
	add_runs(peer, 4, 0);
	put_frame(peer);
}

static void answer_for_another(struct peer *peer)
{
	begin(peer, ANSWER_DATA, peer->sequence % 15 + 1);
	add_number(peer, peer->offset, 3);
	add_runs(peer, 64, 0);
	put_frame(peer);
}

/* Types that there are not, and bodies of any length. */
static void talk_nonsense(struct peer *peer)
{
	begin(peer, random_word(peer) % 16, peer->sequence);
	for (unsigned i = random_word(peer) % 64; i > 0; i--)
		add_number(peer, random_byte(peer), 1);
	put_frame(peer);
}

/* --- What it does unasked */

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

/* A frame that began, and does not end. */
static void put_content(struct peer *peer)
{
	static const uint8_t begins = 0;
	uint8_t bytes[256];

	if (peer->content_size == 0)
		put_bytes(&begins, 1);
	peer->content_size = 1;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = random_byte(peer) | 1;
	put_bytes(bytes, sizeof bytes);
}

/* As bareprof_send() would, but the data are never complete. */
static void send_in_part(struct peer *peer)
{
	peer->sequence = 0;
	introduce(peer);
	for (uint32_t offset = 4; offset < MEMORY_SIZE; offset += 64) {
		begin(peer, ANSWER_DATA, 0);
		add_number(peer, offset, 3);
		add_runs(peer, 60, 0);
		put_frame(peer);
	}
}

static void introduce_again(struct peer *peer)
{
	peer->sequence = 0;
	introduce(peer);
}

struct manner {
	const char *name;
	void (*unasked)(struct peer *peer);  /* again and again; NULL: it waits to be asked */
	void (*identify)(struct peer *peer); /* NULL: no answer */
	void (*read)(struct peer *peer);
	unsigned answers; /* to a read */
};

static const struct manner manners[] = {
        {.name = "silent"},
        {.name = "random", .unasked = put_random_bytes},
        {.name = "text", .unasked = put_text},
        {.name = "zeros", .unasked = put_zeros},
        {.name = "endless-frame", .unasked = put_content},
        {.name = "part", .unasked = send_in_part},
        {.name = "introductions", .unasked = introduce_again},
        {.name = "identity", .identify = lie_about_itself, .read = lie_about_places, .answers = 1},
        {.name = "version", .identify = be_of_another_version},
        {.name = "mute", .identify = introduce},
        {.name = "places", .identify = introduce, .read = lie_about_places, .answers = 100},
        {.name = "inflate", .identify = introduce, .read = inflate, .answers = 100},
        {.name = "refuse", .identify = introduce, .read = refuse, .answers = 1},
        {.name = "repeat", .identify = introduce, .read = repeat_itself, .answers = UINT_MAX},
        {.name = "another", .identify = introduce, .read = answer_for_another, .answers = UINT_MAX},
        {.name = "nonsense", .identify = introduce, .read = talk_nonsense, .answers = UINT_MAX},
};

static const struct manner *find_manner(const char *name)
{
	for (size_t i = 0; i < sizeof manners / sizeof *manners; i++)
		if (strcmp(manners[i].name, name) == 0)
			return &manners[i];
	fprintf(stderr, "hostile: %s is no manner\n", name);
	exit(2);
}

static uint32_t number_at(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

/* Whether it was a read. */
static bool obey(struct peer *peer, const struct manner *manner, const uint8_t *content)
{
	const unsigned type = content[0] >> 4;

	peer->sequence = content[0] & 0xF;
	if (type == REQUEST_READ) {
		peer->offset = number_at(content + 1);
		peer->size = number_at(content + 4);
		return manner->read != NULL;
	}
	if (type == REQUEST_IDENTIFY && manner->identify != NULL)
		manner->identify(peer);
	return false;
}

static bool comes_more(bool may_wait)
{
	struct pollfd entry = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&entry, 1, may_wait ? -1 : 0) == 1;
}

/* Whether what came asked for memory. */
static bool listen_to_host(struct peer *peer, const struct manner *manner, struct frames_reader *reader)
{
	uint8_t bytes[256], content[64];
	bool asks = false;

	const ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
	if (size <= 0)
		exit(0);
	for (ssize_t i = 0; i < size; i++)
		if (frames_take(reader, bytes[i], content) != 0)
			asks |= obey(peer, manner, content);
	return asks;
}

static void live(struct peer *peer, const struct manner *manner)
{
	struct frames_reader reader = {.size = 0};
	unsigned answers = 0;

	for (;;) {
		const bool is_idle = manner->unasked == NULL && answers == 0;
		if (comes_more(is_idle) && listen_to_host(peer, manner, &reader))
			answers = manner->answers;
		if (manner->unasked != NULL)
			manner->unasked(peer);
		else if (answers > 0) {
			answers--;
			manner->read(peer);
		}
	}
}

int main(int count, char **words)
{
	static struct peer peer;

	if (count < 2) {
		fprintf(stderr, "usage: hostile MANNER [SEED]\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	peer.random = ((uint32_t)(count > 2 ? atoi(words[2]) : 0) + 1) * 2654435761u | 1u;
	live(&peer, find_manner(words[1]));
}
