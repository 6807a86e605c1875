/* SPDX-License-Identifier: MIT */
/* One operation of a client: sends requests, receives, retransmits, reopens a broken channel, and gives up in time. */
#include "acquire/channel/private.h"

#include <string.h>

/* Milliseconds between two attempts to open a channel. */
#define PAUSE 100

/* The number of reads that buffers of the kernel or libusb may fill, with data that arrived while this process was
 * stopped. */
#define DRAIN_READS 64

void client_begin_operation(struct client *client)
{
	requests_forget(client);
	client_note_progress(client);
}

static bool is_busy(const struct client *client)
{
	return !client->is_identified || client->is_writing || client->window.missing > 0;
}

static uint64_t earlier_of(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* The time when the line was last active. */
static uint64_t last_activity(const struct client *client)
{
	return client->last_received > client->last_sent ? client->last_received : client->last_sent;
}

/* The time when outstanding requests are given up, if nothing but noise arrives. */
static uint64_t timeout_deadline(const struct client *client)
{
	uint64_t proof = client->last_good > client->last_sent ? client->last_good : client->last_sent;

	return earlier_of(last_activity(client) + pace_retransmit_timeout(&client->pace),
	                  proof + pace_limit(&client->pace));
}

static enum status fail_interrupted(const struct client *client, struct error *error)
{
	return status_fail(error, "%s: interrupted", client->source->text);
}

static void report_channel_broken(const struct client *client, bool is_broken)
{
	if (client->observer.broken != NULL)
		client->observer.broken(client->observer.context, is_broken);
}

static void break_channel(struct client *client)
{
	/* Between operations, reconnecting gets a time-out of its own. */
	if (!is_busy(client))
		client_note_progress(client);
	timeout_diagnosis_note_break(client);
	client->ops->close(client->channel);
	client->channel = NULL;
	requests_forget(client);
	/* A target that only sends has sent everything, and would not identify itself again. */
	client->is_identified = client->is_sender;
	client->was_broken = true;
	report_channel_broken(client, true);
}

static enum status handle_wait_result(struct client *client, enum wait_result result, struct error *error)
{
	if (result == WAIT_CANCELLED)
		return fail_interrupted(client, error);
	if (result == WAIT_CLOSED)
		break_channel(client);
	return STATUS_OK;
}

/* The time when to stop waiting for data. */
static uint64_t end_of_wait(const struct client *client, uint64_t until)
{
	return is_busy(client) ? client->progress + client->timeout : until;
}

/* Pauses between attempts, because a peer may accept every connection and close it at once. */
static enum status open_again(struct client *client, uint64_t until, struct error *error)
{
	struct error problem;
	uint64_t due = client->last_opening + PAUSE;

	if (client->clock->now() < due)
		return client->clock->pause(earlier_of(due, end_of_wait(client, until)), client->cancel)
		               ? STATUS_OK
		               : fail_interrupted(client, error);
	enum status status = client->ops->open(client->source, client->cancel, &client->channel, &problem);
	client->last_opening = client->clock->now();
	timeout_diagnosis_note_opening(client, status ? &problem : NULL);
	if (status != STATUS_OK)
		client->channel = NULL;
	else
		frame_decoder_init(&client->decoder);
	if (status == STATUS_OK)
		report_channel_broken(client, false);
	return STATUS_OK;
}

static void pass_on_text(struct client *client)
{
	if (client->text_size > 0 && client->observer.text != NULL)
		client->observer.text(client->observer.context, client->text, client->text_size);
	client->text_size = 0;
}

static void keep_first_text(struct client *client)
{
	size_t room = sizeof client->first_text - client->first_text_size;
	size_t size = client->decoder.size < room ? client->decoder.size : room;

	memcpy(client->first_text + client->first_text_size, client->decoder.content, size);
	client->first_text_size += size;
}

static void take_channel_text(struct client *client)
{
	const struct frame_decoder *decoder = &client->decoder;

	keep_first_text(client);
	client->traffic.text_bytes += decoder->size;
	if (client->text_size + decoder->size > sizeof client->text)
		pass_on_text(client);
	timeout_diagnosis_note_text(client, decoder->content, decoder->size);
	memcpy(client->text + client->text_size, decoder->content, decoder->size);
	client->text_size += decoder->size;
}

static void take_noise(struct client *client)
{
	client->traffic.noise_bytes += client->decoder.size;
	transmission_note_noise(&client->transmission);
	if (client->decoder.size < FRAME_CONTENT_MIN)
		return;
	unsigned frame = client->pace.frame;
	client->traffic.frames_damaged++;
	pace_note_frame(&client->pace, true);
	/* Frames in flight are too long; a request for the identity stops them. */
	if (client->pace.frame < frame && client->window.missing > 0) {
		requests_pass(client, UINT64_MAX);
		client->is_identified = false;
		return;
	}
	requests_note_damaged(client, client->decoder.size);
}

/* A terminal shows the zero bytes around an echoed request as ^@. */
static void note_byte(struct client *client, uint8_t byte)
{
	client->traffic.echoes += client->last_byte == '^' && byte == '@';
	client->last_byte = byte;
}

/* Notes a byte that may belong to a frame: the line is alive. Noise counts as a sign of life for at most two frames. */
static void note_activity(struct client *client, uint64_t now)
{
	if (client->unproven > 2 * client->pace.frame_max)
		return;
	client->unproven++;
	if (client->under_way > 0)
		pace_note_wait(&client->pace, now - last_activity(client), client->is_unreceived && client->was_alone);
	client->is_unreceived = false;
	client->last_received = now;
}

static void note_frame(struct client *client, uint64_t now)
{
	client->unproven = 0;
	client->last_good = client->last_received = now;
}

static enum status take_bytes(struct client *client, const uint8_t *bytes, size_t size, struct error *error)
{
	enum status status = STATUS_OK;
	uint64_t now = client->clock->now();

	client->traffic.bytes_received += size;
	for (size_t i = 0; i < size && status == STATUS_OK; i++) {
		note_byte(client, bytes[i]);
		enum frame_event event = frame_decoder_take(&client->decoder, bytes[i]);
		if (event == FRAME_TEXT)
			take_channel_text(client);
		else
			note_activity(client, now);
		if (event == FRAME_NOISE)
			take_noise(client);
		if (event == FRAME_GOOD) {
			note_frame(client, now);
			status = answers_take(client, error);
		}
	}
	pass_on_text(client);
	return status;
}

static enum status listen_until(struct client *client, uint64_t deadline, struct error *error)
{
	uint8_t bytes[4096];
	size_t size = 0;
	uint32_t missing = client->window.missing;

	enum wait_result result = client->ops->read(client->channel, bytes, sizeof bytes, deadline, &size);
	if (result != WAIT_DONE)
		return handle_wait_result(client, result, error);
	enum status status = take_bytes(client, bytes, size, error);
	if (client->window.missing < missing && client->observer.progress != NULL)
		client->observer.progress(client->observer.context, client->window.size - client->window.missing,
		                          client->window.size);
	return status;
}

static void give_up_requests(struct client *client)
{
	for (unsigned i = 1; i <= SEQUENCE_MAX; i++)
		if (client->requests[i].is_outstanding)
			client->requests[i].silent_since = last_activity(client);
	requests_pass(client, UINT64_MAX);
	pace_note_timeout(&client->pace, !client->is_unreceived);
}

/* Sends due requests and receives until the next deadline. */
static enum status exchange_frames(struct client *client, uint64_t until, struct error *error)
{
	if (client->under_way > 0 && client->clock->now() >= timeout_deadline(client))
		give_up_requests(client);
	enum wait_result result = requests_send(client);
	if (result != WAIT_DONE)
		return handle_wait_result(client, result, error);
	uint64_t deadline = end_of_wait(client, until);
	if (client->under_way > 0)
		deadline = earlier_of(deadline, timeout_deadline(client));
	return listen_until(client, deadline, error);
}

static bool has_timed_out(const struct client *client)
{
	return is_busy(client) && client->clock->now() >= client->progress + client->timeout;
}

/* Data may have arrived while this process was stopped; do not treat that gap as a time-out. */
static enum status drain_buffers(struct client *client, struct error *error)
{
	enum status status = STATUS_OK;
	uint64_t received;

	unsigned reads = 0;
	do {
		received = client->traffic.bytes_received;
		if (client->channel != NULL)
			status = listen_until(client, 0, error);
	} while (status == STATUS_OK && has_timed_out(client) && client->traffic.bytes_received > received &&
	         ++reads < DRAIN_READS);
	return status;
}

static enum status run_until(struct client *client, uint64_t until, struct error *error)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && (is_busy(client) || client->clock->now() < until)) {
		if (has_timed_out(client)) {
			status = drain_buffers(client, error);
			if (status == STATUS_OK && has_timed_out(client))
				return timeout_diagnosis_fail(client, error);
		} else {
			status = client->channel != NULL ? exchange_frames(client, until, error)
			                                 : open_again(client, until, error);
		}
	}
	return status;
}

enum status client_run_operation(struct client *client, uint64_t until, struct error *error)
{
	uint64_t begin = client->clock->now();
	enum status status = run_until(client, until, error);

	if (until == 0)
		client->traffic.seconds += (double)(client->clock->now() - begin) / 1000;
	return status;
}
