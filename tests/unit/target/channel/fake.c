/* SPDX-License-Identifier: MIT */
/* See fake.h. */
#include "fake.h"
#include "base/clock.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

static struct fake *current; /* that the clock and open() belong to */

#define MILLION 1000000u

static bool happens(struct fake *fake, unsigned rate)
{
	return rate > 0 && wire_random(&fake->seed, MILLION) < rate;
}

static void put_byte(struct fake *fake, struct fake_line *line, uint8_t byte)
{
	uint64_t begin = line->free_at > fake->now ? line->free_at : fake->now;

	line->free_at = begin + (fake->baud ? 10 * MILLION / fake->baud : 0);
	if (line->tail - line->head == FAKE_LINE_MAX)
		return;
	uint64_t at = line->free_at + fake->delay;
	if (fake->lump > 0)
		at += fake->lump - at % fake->lump;
	line->bytes[line->tail++ % FAKE_LINE_MAX] = (struct fake_byte){byte, at};
}

static void put_bytes(struct fake *fake, struct fake_line *line, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		uint8_t byte = bytes[i];
		if (happens(fake, line->faults.inserted))
			put_byte(fake, line, (uint8_t)wire_random(&fake->seed, 256));
		if (happens(fake, line->faults.dropped))
			continue;
		if (happens(fake, line->faults.flipped))
			byte ^= (uint8_t)(1u << wire_random(&fake->seed, 8));
		put_byte(fake, line, byte);
		if (happens(fake, line->faults.doubled))
			put_byte(fake, line, byte);
	}
}

void fake_send_bytes(struct fake *fake, const void *bytes, size_t size)
{
	fake->bytes_sent += size;
	put_bytes(fake, &fake->to_host, bytes, size);
}

void fake_send_frame(struct fake *fake, const uint8_t *content, size_t size)
{
	uint8_t frame[2100];
	size_t length = wire_frame(content, size, frame);
	unsigned number = fake->answers_sent++;
	uint64_t bit = number < 64 ? (uint64_t)1 << number : 0;

	if (fake->pauses & bit)
		fake->to_host.free_at =
		        (fake->to_host.free_at > fake->now ? fake->to_host.free_at : fake->now) + MILLION;
	if (fake->frame_longest < length)
		fake->frame_longest = (unsigned)length;
	if (fake->damaged_answers & bit)
		frame[length / 2] ^= 0x40;
	for (unsigned times = fake->lost_answers & bit ? 0 : fake->doubled_answers & bit ? 2 : 1; times > 0; times--)
		fake_send_bytes(fake, frame, length);
	if (fake->chatter != NULL)
		fake_send_bytes(fake, fake->chatter, strlen(fake->chatter));
}

void fake_send_identity(struct fake *fake, unsigned sequence)
{
	uint8_t content[16];
	fake_send_frame(fake, content,
	                wire_identity(content, sequence, fake->blocks, fake->frame, fake->memory_size / fake->blocks,
	                              fake->address));
}

uint32_t fake_send_data(struct fake *fake, unsigned sequence, uint32_t offset, uint32_t end, size_t limit)
{
	uint8_t content[1100];
	uint32_t next;
	size_t size = wire_data(content, sequence, fake->memory, offset, end, limit, &next);
	fake_send_frame(fake, content, size);
	return next;
}

static uint32_t number(const uint8_t *bytes, unsigned size)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint32_t)bytes[i] << 8 * i;
	return value;
}

static void refuse(struct fake *fake, unsigned sequence, unsigned reason)
{
	uint8_t content[2] = {(uint8_t)(0xB0 | sequence), (uint8_t)reason};
	fake_send_frame(fake, content, sizeof content);
}

static void turn_to_waiting(struct fake *fake)
{
	if (fake->read.next < fake->read.end)
		return;
	fake->read = fake->waiting;
	fake->waiting = (struct fake_read){0};
}

/* A third read takes the place of the second. */
static void answer_read(struct fake *fake, const uint8_t *content)
{
	struct fake_read read = {content[0] & 0xF, number(content + 1, 3), 0, number(content + 7, 2)};

	fake->reads++;
	turn_to_waiting(fake);
	read.end = read.next + number(content + 4, 3);
	if (read.limit > fake->frame)
		read.limit = fake->frame;
	if (fake->frame_shortest_asked > read.limit)
		fake->frame_shortest_asked = (unsigned)read.limit;
	if (fake->refuses || read.end > fake->memory_size || read.next % 4 != 0 || read.end % 4 != 0)
		refuse(fake, read.sequence, fake->refuses ? fake->refuses : 3);
	else if (fake->read.next < fake->read.end)
		fake->waiting = read;
	else
		fake->read = read;
}

static void answer_write(struct fake *fake, const uint8_t *content)
{
	uint32_t offset = number(content + 1, 3);
	uint8_t written = (uint8_t)(0xA0 | (content[0] & 0xF));

	fake->writes++;
	if (fake->refuses || offset + 4 > fake->memory_size) {
		refuse(fake, content[0] & 0xF, fake->refuses ? fake->refuses : 3);
		return;
	}
	memcpy(fake->memory + offset, content + 4, 4);
	fake_send_frame(fake, &written, 1);
}

void fake_answer(struct fake *fake, const uint8_t *content, size_t size)
{
	if (content[0] >> 4 == 1 && size == 1) {
		fake->identifies++;
		fake->read = fake->waiting = (struct fake_read){0};
		fake_send_identity(fake, content[0] & 0xF);
	} else if (content[0] >> 4 == 2 && size == 9) {
		answer_read(fake, content);
	} else if (content[0] >> 4 == 3 && size == 8) {
		answer_write(fake, content);
	} else {
		refuse(fake, content[0] & 0xF, 1);
	}
}

bool fake_says_noise(struct fake *fake)
{
	uint8_t noise[64];
	for (unsigned i = 0; i < sizeof noise; i++)
		noise[i] = (uint8_t)wire_random(&fake->counter, 256);
	fake_send_bytes(fake, noise, sizeof noise);
	return true;
}

bool fake_says_zeros(struct fake *fake)
{
	fake_send_bytes(fake, "\0\0\0\0\0\0\0", 8);
	return true;
}

static void take_request(struct fake *fake, const uint8_t *frame, size_t size)
{
	uint8_t content[64];
	size_t length = wire_content(frame, size, content);

	if (length == 0)
		return;
	uint64_t bit = fake->requests < 64 ? (uint64_t)1 << fake->requests : 0;
	fake->requests++;
	if (!fake->only_sends && !fake->is_dead && !(fake->lost_requests & bit))
		(fake->answers != NULL ? fake->answers : fake_answer)(fake, content, length);
}

/* The target's receiver: what stands between two zero bytes. */
static void take_byte(struct fake *fake, uint8_t byte)
{
	if (byte != 0) {
		if (fake->piece_size < sizeof fake->piece - 1)
			fake->piece[fake->piece_size++] = byte;
		return;
	}
	if (fake->piece_size > 1) {
		fake->piece[fake->piece_size++] = 0;
		take_request(fake, fake->piece, fake->piece_size);
	}
	fake->piece[0] = 0;
	fake->piece_size = 1;
}

static bool has_arrived(const struct fake *fake, const struct fake_line *line)
{
	return line->head != line->tail && line->bytes[line->head % FAKE_LINE_MAX].at <= fake->now;
}

/* One turn of the target's main loop: false if there was nothing to do. */
static bool poll_target(struct fake *fake)
{
	bool is_busy = false;

	for (; has_arrived(fake, &fake->to_target); fake->to_target.head++, is_busy = true)
		take_byte(fake, fake->to_target.bytes[fake->to_target.head % FAKE_LINE_MAX].byte);
	if (fake->to_host.free_at > fake->now)
		return is_busy;
	turn_to_waiting(fake);
	if (fake->read.next < fake->read.end) {
		fake->read.next =
		        fake_send_data(fake, fake->read.sequence, fake->read.next, fake->read.end, fake->read.limit);
		return true;
	}
	return (fake->says != NULL && fake->says(fake)) || is_busy;
}

/* When something will happen next. */
static uint64_t next_event(const struct fake *fake, uint64_t deadline)
{
	uint64_t next = deadline;

	if (fake->to_host.head != fake->to_host.tail &&
	    fake->to_host.bytes[fake->to_host.head % FAKE_LINE_MAX].at < next)
		next = fake->to_host.bytes[fake->to_host.head % FAKE_LINE_MAX].at;
	if (fake->to_target.head != fake->to_target.tail &&
	    fake->to_target.bytes[fake->to_target.head % FAKE_LINE_MAX].at < next)
		next = fake->to_target.bytes[fake->to_target.head % FAKE_LINE_MAX].at;
	if (fake->to_host.free_at > fake->now && fake->to_host.free_at < next)
		next = fake->to_host.free_at;
	return next > fake->now ? next : fake->now + 1;
}

static bool breaks_now(struct fake *fake)
{
	if (fake->breaks == 8 || fake->breaks_after[fake->breaks] == 0 ||
	    fake->to_host.head < fake->breaks_after[fake->breaks])
		return false;
	if (fake->breaks < 7 || !fake->breaks_repeat)
		fake->breaks++;
	fake->away_until = fake->now + fake->away * 1000;
	snprintf(fake->channel.reason, sizeof fake->channel.reason, "the cable was pulled");
	return true;
}

static enum wait_result fake_channel_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
                                          size_t *size)
{
	struct fake *fake = current;
	(void)channel;

	if (fake->cancel_after > 0 && ++fake->channel_reads > fake->cancel_after)
		return WAIT_CANCELLED;
	for (*size = 0;;) {
		if (breaks_now(fake))
			return WAIT_CLOSED;
		for (; *size < capacity && has_arrived(fake, &fake->to_host); fake->to_host.head++)
			((uint8_t *)bytes)[(*size)++] = fake->to_host.bytes[fake->to_host.head % FAKE_LINE_MAX].byte;
		if (*size > 0)
			return WAIT_DONE;
		if (poll_target(fake))
			continue;
		if (fake->now >= deadline * 1000)
			return WAIT_TIMEOUT;
		fake->now = next_event(fake, deadline * 1000);
	}
}

static enum wait_result fake_channel_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	(void)channel;
	(void)deadline;
	put_bytes(current, &current->to_target, bytes, size);
	return WAIT_DONE;
}

static void fake_channel_close(struct channel *channel)
{
	(void)channel;
	current->closed++;
}

static enum status fake_channel_open(const struct source *source, int cancel, struct channel **channel,
                                     struct error *error)
{
	(void)cancel;
	current->now += current->open_takes * 1000;
	if (current->now < current->away_until)
		return status_fail(error, "fake:%s: no such device", source->address);
	current->opened++;
	/* What was on its way is lost, and the next break counts from here. */
	current->to_host.head = current->to_host.tail = 0;
	current->to_target.head = current->to_target.tail = 0;
	*channel = &current->channel;
	if (current->greeting != NULL)
		fake_send_bytes(current, current->greeting, strlen(current->greeting));
	return STATUS_OK;
}

static uint64_t fake_now(void)
{
	return current->now / 1000;
}

static bool fake_pause(uint64_t deadline, int cancel)
{
	(void)cancel;
	if (current->now < deadline * 1000)
		current->now = deadline * 1000;
	return !current->pause_cancelled;
}

static const struct clock fake_clock = {fake_now, fake_pause};

const struct channel_ops fake_ops = {
        .scheme = "fake",
        .open = fake_channel_open,
        .read = fake_channel_read,
        .write = fake_channel_write,
        .close = fake_channel_close,
        .clock = &fake_clock,
};

/* Half of the memory is empty, in stretches of all lengths. */
static void fill_memory(struct fake *fake)
{
	uint64_t seed = 1;
	for (size_t i = 0; i < sizeof fake->memory;) {
		bool is_empty = wire_random(&seed, 2);
		for (uint32_t count = 1 + wire_random(&seed, 400); count > 0 && i < sizeof fake->memory; count--)
			fake->memory[i++] = is_empty ? 0 : (uint8_t)wire_random(&seed, 256);
	}
}

void fake_init(struct fake *fake)
{
	memset(fake, 0, sizeof *fake);
	fake->memory_size = 0x4000;
	fake->blocks = 1;
	fake->frame = 128;
	fake->address = 0x20000400;
	fake->baud = 115200;
	fake->delay = 1000;
	fake->timeout = 5000;
	fake->seed = 1;
	fake->frame_shortest_asked = 0xFFFF;
	fake->piece_size = 1;
	fake->now = MILLION;
	fill_memory(fake);
}

static void take_text(void *context, const uint8_t *bytes, size_t size)
{
	struct fake *fake = context;
	for (size_t i = 0; i < size && fake->text_size < sizeof fake->text; i++)
		fake->text[fake->text_size++] = bytes[i];
}

static void take_progress(void *context, uint64_t done, uint64_t total)
{
	struct fake *fake = context;
	fake->progress_done = done;
	fake->progress_total = total;
	if (++fake->progress_told == fake->stops_after)
		fake->now += fake->stops * 1000;
}

static void take_break(void *context, bool is_broken)
{
	struct fake *fake = context;
	fake->breaks_told += is_broken;
	fake->reopenings_told += !is_broken;
}

enum status fake_open(struct fake *fake, struct client **client, struct error *error)
{
	const struct client_observer observer = {
	        .context = fake, .text = take_text, .progress = take_progress, .broken = take_break};

	current = fake;
	fake->source = (struct source){.text = "fake:target", .address = "target"};
	fake->channel = (struct channel){.ops = &fake_ops, .timeout = fake->timeout, .bit_rate = fake->bit_rate};
	fake->opened = 1;
	*client = NULL;
	error->message[0] = 0;
	return client_open(&fake->channel, &fake->source, -1, &observer, client, error);
}

struct client *fake_open_client(struct fake *fake)
{
	struct client *client;
	struct error error;

	if (fake_open(fake, &client, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return client;
}

uint64_t fake_milliseconds(const struct fake *fake)
{
	return fake->now / 1000;
}
