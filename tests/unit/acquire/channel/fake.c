/* SPDX-License-Identifier: MIT */
/* See fake.h. */
#include "fake.h"
#include "base/clock.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

struct fake fake;

#define MILLION 1000000u

static bool happens(unsigned rate)
{
	return rate > 0 && wire_random(&fake.seed, MILLION) < rate;
}

static void put_byte(struct fake_line *line, uint8_t byte)
{
	uint64_t begin = line->free_at > fake.now ? line->free_at : fake.now;

	line->free_at = begin + (fake.baud ? 10 * MILLION / fake.baud : 0);
	if (line->tail - line->head == FAKE_LINE_MAX)
		return;
	uint64_t at = line->free_at + fake.delay;
	if (fake.latency > 0)
		at += fake.latency - at % fake.latency;
	line->bytes[line->tail++ % FAKE_LINE_MAX] = (struct fake_byte){byte, at};
}

static void put_bytes(struct fake_line *line, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		uint8_t byte = bytes[i];

		if (happens(line->faults.inserted))
			put_byte(line, (uint8_t)wire_random(&fake.seed, 256));
		if (happens(line->faults.dropped))
			continue;
		if (happens(line->faults.flipped))
			byte ^= (uint8_t)(1u << wire_random(&fake.seed, 8));
		put_byte(line, byte);
		if (happens(line->faults.doubled))
			put_byte(line, byte);
	}
}

void fake_send_bytes(const void *bytes, size_t size)
{
	fake.bytes_sent += size;
	put_bytes(&fake.to_host, bytes, size);
}

void fake_send_frame(const uint8_t *content, size_t size)
{
	uint8_t frame[2100];
	size_t length = wire_encode(content, size, frame);
	unsigned number = fake.answers_sent++;
	uint64_t bit = number < 64 ? (uint64_t)1 << number : 0;

	if (fake.pauses & bit)
		fake.to_host.free_at = (fake.to_host.free_at > fake.now ? fake.to_host.free_at : fake.now) + MILLION;
	if (fake.frame_longest < length)
		fake.frame_longest = (unsigned)length;
	if (fake.damaged_answers & bit)
		frame[length / 2] ^= 0x40;
	if (!(fake.lost_answers & bit))
		fake_send_bytes(frame, length);
	if (fake.chatter != NULL)
		fake_send_bytes(fake.chatter, strlen(fake.chatter));
}

void fake_send_identity(unsigned sequence)
{
	uint8_t content[16];

	fake_send_frame(content, wire_identity(content, sequence, fake.blocks, fake.frame,
	                                       fake.memory_size / fake.blocks, fake.address));
}

uint32_t fake_send_data(unsigned sequence, uint32_t offset, uint32_t end, size_t limit)
{
	uint8_t content[1100];
	uint32_t next;
	size_t size = wire_data(content, sequence, fake.memory, offset, end, limit, &next);

	fake_send_frame(content, size);
	return next;
}

static void refuse(unsigned sequence, unsigned reason)
{
	uint8_t content[2] = {(uint8_t)(0xB0 | sequence), (uint8_t)reason};

	fake_send_frame(content, sizeof content);
}

static void turn_to_waiting(void)
{
	if (fake.read.next < fake.read.end)
		return;
	fake.read = fake.waiting;
	fake.waiting = (struct fake_read){0};
}

/* A third read replaces the second. */
static void answer_read(const uint8_t *content)
{
	struct fake_read read = {content[0] & 0xF, (uint32_t)wire_integer(content + 1, 3), 0,
	                         (uint32_t)wire_integer(content + 7, 2)};

	fake.reads++;
	turn_to_waiting();
	read.end = read.next + (uint32_t)wire_integer(content + 4, 3);
	if (read.limit > fake.frame)
		read.limit = fake.frame;
	if (fake.frame_shortest_asked > read.limit)
		fake.frame_shortest_asked = (unsigned)read.limit;
	if (fake.refuses || read.end > fake.memory_size || read.next % 4 != 0 || read.end % 4 != 0)
		refuse(read.sequence, fake.refuses ? fake.refuses : 3);
	else if (fake.read.next < fake.read.end)
		fake.waiting = read;
	else
		fake.read = read;
}

static void answer_write(const uint8_t *content)
{
	uint32_t offset = (uint32_t)wire_integer(content + 1, 3);
	uint8_t written = (uint8_t)(0xA0 | (content[0] & 0xF));

	fake.writes++;
	if (fake.refuses || offset + 4 > fake.memory_size) {
		refuse(content[0] & 0xF, fake.refuses ? fake.refuses : 3);
		return;
	}
	memcpy(fake.memory + offset, content + 4, 4);
	fake_send_frame(&written, 1);
}

void fake_answer(const uint8_t *content, size_t size)
{
	if (content[0] >> 4 == 1 && size == 1) {
		fake.identifies++;
		fake.read = fake.waiting = (struct fake_read){0};
		fake_send_identity(content[0] & 0xF);
	} else if (content[0] >> 4 == 2 && size == 9) {
		answer_read(content);
	} else if (content[0] >> 4 == 3 && size == 8) {
		answer_write(content);
	} else {
		refuse(content[0] & 0xF, 1);
	}
}

bool fake_send_noise(void)
{
	uint8_t noise[64];

	for (unsigned i = 0; i < sizeof noise; i++)
		noise[i] = (uint8_t)wire_random(&fake.counter, 256);
	fake_send_bytes(noise, sizeof noise);
	return true;
}

bool fake_send_zeros(void)
{
	fake_send_bytes("\0\0\0\0\0\0\0", 8);
	return true;
}

static void take_request(const uint8_t *frame, size_t size)
{
	uint8_t content[64];
	size_t length = wire_decode(frame, size, content);

	if (length == 0)
		return;
	uint64_t bit = fake.requests < 64 ? (uint64_t)1 << fake.requests : 0;
	fake.requests++;
	if (!fake.only_sends && !fake.is_dead && !(fake.lost_requests & bit))
		(fake.answer != NULL ? fake.answer : fake_answer)(content, length);
}

/* The target's receiver: requests are between two zero bytes. */
static void take_byte(uint8_t byte)
{
	if (byte != 0) {
		if (fake.piece_size < sizeof fake.piece - 1)
			fake.piece[fake.piece_size++] = byte;
		return;
	}
	if (fake.piece_size > 1) {
		fake.piece[fake.piece_size++] = 0;
		take_request(fake.piece, fake.piece_size);
	}
	fake.piece[0] = 0;
	fake.piece_size = 1;
}

static bool has_arrived(const struct fake_line *line)
{
	return line->head != line->tail && line->bytes[line->head % FAKE_LINE_MAX].at <= fake.now;
}

/* One turn of the target's main loop: false if there was nothing to do. */
static bool poll_target(void)
{
	bool is_busy = false;

	for (; has_arrived(&fake.to_target); fake.to_target.head++, is_busy = true)
		take_byte(fake.to_target.bytes[fake.to_target.head % FAKE_LINE_MAX].byte);
	if (fake.to_host.free_at > fake.now)
		return is_busy;
	turn_to_waiting();
	if (fake.read.next < fake.read.end) {
		fake.read.next = fake_send_data(fake.read.sequence, fake.read.next, fake.read.end, fake.read.limit);
		return true;
	}
	return (fake.idle != NULL && fake.idle()) || is_busy;
}

/* The time of the next event. */
static uint64_t next_event(uint64_t deadline)
{
	uint64_t next = deadline;

	if (fake.to_host.head != fake.to_host.tail && fake.to_host.bytes[fake.to_host.head % FAKE_LINE_MAX].at < next)
		next = fake.to_host.bytes[fake.to_host.head % FAKE_LINE_MAX].at;
	if (fake.to_target.head != fake.to_target.tail &&
	    fake.to_target.bytes[fake.to_target.head % FAKE_LINE_MAX].at < next)
		next = fake.to_target.bytes[fake.to_target.head % FAKE_LINE_MAX].at;
	if (fake.to_host.free_at > fake.now && fake.to_host.free_at < next)
		next = fake.to_host.free_at;
	return next > fake.now ? next : fake.now + 1;
}

static bool breaks_now(void)
{
	if (fake.breaks == 8 || fake.breaks_after[fake.breaks] == 0 ||
	    fake.to_host.head < fake.breaks_after[fake.breaks])
		return false;
	if (fake.breaks < 7 || !fake.breaks_repeat)
		fake.breaks++;
	fake.away_until = fake.now + fake.away * 1000;
	snprintf(fake.channel.reason, sizeof fake.channel.reason, "the cable was pulled");
	return true;
}

static enum wait_result fake_channel_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
                                          size_t *size)
{
	if (fake.cancel_after > 0 && ++fake.channel_reads > fake.cancel_after)
		return WAIT_CANCELLED;
	for (*size = 0;;) {
		if (breaks_now())
			return WAIT_CLOSED;
		for (; *size < capacity && has_arrived(&fake.to_host); fake.to_host.head++)
			((uint8_t *)bytes)[(*size)++] = fake.to_host.bytes[fake.to_host.head % FAKE_LINE_MAX].byte;
		if (*size > 0)
			return WAIT_DONE;
		if (poll_target())
			continue;
		if (fake.now >= deadline * 1000)
			return WAIT_TIMEOUT;
		fake.now = next_event(deadline * 1000);
	}
}

static enum wait_result fake_channel_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	put_bytes(&fake.to_target, bytes, size);
	return WAIT_DONE;
}

static void fake_channel_close(struct channel *channel)
{
	fake.closed++;
}

static enum status fake_channel_open(const struct source *source, int cancel, struct channel **channel,
                                     struct error *error)
{
	fake.now += fake.open_time * 1000;
	if (fake.now < fake.away_until)
		return status_fail(error, "fake:%s: no such device", source->address);
	fake.opened++;
	/* Bytes in flight are lost, and the next break counts from here. */
	fake.to_host.head = fake.to_host.tail = 0;
	fake.to_target.head = fake.to_target.tail = 0;
	*channel = &fake.channel;
	if (fake.greeting != NULL)
		fake_send_bytes(fake.greeting, strlen(fake.greeting));
	return STATUS_OK;
}

static uint64_t fake_now(void)
{
	return fake.now / 1000;
}

static bool fake_pause(uint64_t deadline, int cancel)
{
	if (fake.now < deadline * 1000)
		fake.now = deadline * 1000;
	return !fake.pause_cancelled;
}

static const struct clock fake_clock = {.now = fake_now, .pause = fake_pause};

const struct channel_ops fake_ops = {
        .syntax.scheme = "fake",
        .open = fake_channel_open,
        .read = fake_channel_read,
        .write = fake_channel_write,
        .close = fake_channel_close,
        .clock = &fake_clock,
};

/* Half of the memory is empty, in ranges of all lengths. */
static void fill_memory(void)
{
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof fake.memory;) {
		bool is_empty = wire_random(&seed, 2);

		for (uint32_t count = 1 + wire_random(&seed, 400); count > 0 && i < sizeof fake.memory; count--)
			fake.memory[i++] = is_empty ? 0 : (uint8_t)wire_random(&seed, 256);
	}
}

void fake_init(void)
{
	fake_close();
	memset(&fake, 0, sizeof fake);
	fake.memory_size = 0x4000;
	fake.blocks = 1;
	fake.frame = 128;
	fake.address = 0x20000400;
	fake.baud = 115200;
	fake.delay = 1000;
	fake.timeout = 5000;
	fake.seed = 1;
	fake.frame_shortest_asked = 0xFFFF;
	fake.piece_size = 1;
	fake.now = MILLION;
	fill_memory();
}

static void take_text(void *context, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size && fake.text_size < sizeof fake.text; i++)
		fake.text[fake.text_size++] = bytes[i];
}

static void take_progress(void *context, uint64_t done, uint64_t total)
{
	fake.progress_done = done;
	fake.progress_total = total;
	if (++fake.progress_calls == fake.stops_after)
		fake.now += fake.stop_time * 1000;
}

static void take_break(void *context, bool is_broken)
{
	fake.breaks_reported += is_broken;
	fake.reopenings_reported += !is_broken;
}

enum status fake_open(struct error *error)
{
	const struct target_observer observer = {.text = take_text, .progress = take_progress, .broken = take_break};

	fake.source = (struct source){.text = "fake:target", .address = "target"};
	fake.channel = (struct channel){.ops = &fake_ops, .timeout = fake.timeout, .bit_rate = fake.bit_rate};
	fake.opened = 1;
	error->message[0] = 0;
	return client_open(&fake.channel, &fake.source, -1, &observer, &fake.client, error);
}

void fake_close(void)
{
	client_close(fake.client);
	fake.client = NULL;
	assert_int_equal(fake.closed, fake.opened);
}

int fake_set_up(void **state)
{
	fake_init();
	return 0;
}

int fake_tear_down(void **state)
{
	fake_close();
	return 0;
}

void fake_check_memory(uint32_t offset, size_t size)
{
	static uint8_t bytes[FAKE_MEMORY_MAX + 8];

	memset(bytes, 0x55, sizeof bytes);
	assert_success(client_read(fake.client, offset, bytes, size, &failure), &failure);
	assert_memory_equal(bytes, fake.memory + offset, size);
	for (size_t i = size; i < size + 8; i++)
		assert_int_equal(bytes[i], 0x55);
}

void fake_open_client(void)
{
	assert_success(fake_open(&failure), &failure);
}

uint64_t fake_milliseconds(void)
{
	return fake.now / 1000;
}
