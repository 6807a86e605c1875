/* SPDX-License-Identifier: MIT */
/* The requests of a client. One is in progress at the target and one waits there, so that the line is never idle. */
#include "acquire/channel/private.h"

#include <string.h>

#define UNDER_WAY_MAX 2

/* Bytes of a data frame in addition to its data, between the zero bytes: COBS code, head, offset, count and CRC. */
#define DATA_OVERHEAD (1 + BAREPROF_DATA_RUNS + 1 + BAREPROF_FRAME_CRC_SIZE)

/* Sizes of answers of one frame. */
#define IDENTITY_SIZE (1 + BAREPROF_IDENTITY_END + BAREPROF_FRAME_CRC_SIZE)
#define WRITTEN_SIZE  (1 + 1 + BAREPROF_FRAME_CRC_SIZE)

/* How much longer or shorter a frame may be, because bytes were lost or doubled. */
#define SIZE_SLACK 2

void client_note_progress(struct client *client)
{
	client->progress = client->clock->now();
	client->traffic_at_progress = client->traffic;
	client->breaks.count = 0;
	client->breaks.line_size = 0;
}

static void end_request(struct client *client, struct request *request)
{
	if (!request->is_outstanding)
		return;
	request->is_outstanding = false;
	client->under_way--;
	client->last_ended = client->clock->now();
	if (request->type == BAREPROF_FRAME_READ && client->window.bytes != NULL)
		window_release(&client->window, request->next, request->end);
}

void requests_pass(struct client *client, uint64_t order)
{
	for (unsigned i = 1; i <= SEQUENCE_MAX; i++)
		if (client->requests[i].order < order)
			end_request(client, &client->requests[i]);
}

static struct request *first_under_way(struct client *client)
{
	struct request *first = NULL;

	for (unsigned i = 1; i <= SEQUENCE_MAX; i++) {
		struct request *request = &client->requests[i];

		if (request->is_outstanding && (first == NULL || request->order < first->order))
			first = request;
	}
	return first;
}

/* Counts data as lost. A frame may have held more than its size shows, because zeros are packed. */
static void lose_data(struct client *client, struct request *request, size_t size)
{
	if (size < DATA_OVERHEAD + SIZE_SLACK)
		return;
	request->lost += (uint32_t)(size - DATA_OVERHEAD + SIZE_SLACK) / 4 * 4;
	if (request->end - request->next <= request->lost)
		end_request(client, request);
}

static bool is_about(size_t size, size_t expected)
{
	return size + SIZE_SLACK >= expected && size <= expected + SIZE_SLACK;
}

/* The target answers in order, so the frame is attributed to the first request. If that is wrong, some data are fetched
 * twice. */
void requests_note_damaged(struct client *client, size_t size)
{
	struct request *request = first_under_way(client);

	if (request == NULL || !pace_may_be_answered(&client->pace, client->clock->now() - request->sent))
		return;
	if (request->type == BAREPROF_FRAME_READ)
		lose_data(client, request, size);
	else if (is_about(size, request->type == BAREPROF_FRAME_IDENTIFY ? IDENTITY_SIZE : WRITTEN_SIZE))
		end_request(client, request);
}

void requests_finish(struct client *client, struct request *request)
{
	end_request(client, request);
	if (client->settled < request->order)
		client->settled = request->order;
	if (request->type != BAREPROF_FRAME_READ)
		request->type = 0;
}

void requests_forget(struct client *client)
{
	requests_pass(client, UINT64_MAX);
	memset(client->requests, 0, sizeof client->requests);
}

static bool was_asked(const struct client *client, uint8_t type)
{
	for (unsigned i = 1; i <= SEQUENCE_MAX; i++)
		if (client->requests[i].type == type)
			return true;
	return false;
}

/* Skips sequence numbers of requests that are still outstanding. */
static struct request *next_request(struct client *client)
{
	do
		client->sequence = client->sequence % SEQUENCE_MAX + 1;
	while (client->requests[client->sequence].is_outstanding);
	return &client->requests[client->sequence];
}

/* content[1..size) is the body; content[0] is filled in. */
static enum wait_result send_link_request(struct client *client, uint8_t type, uint8_t *content, size_t size)
{
	uint8_t frame[FRAME_REQUEST_MAX];
	struct request *request = next_request(client);

	*request = (struct request){
	        .type = type,
	        .is_outstanding = true,
	        .order = ++client->order,
	};
	if (type == BAREPROF_FRAME_READ) {
		request->start = request->next = (uint32_t)frame_number(content + BAREPROF_READ_OFFSET, 3);
		request->end = request->start + (uint32_t)frame_number(content + BAREPROF_READ_SIZE, 3);
		client->last_read = request->order;
	}
	content[0] = (uint8_t)BAREPROF_FRAME_HEAD((unsigned)type, client->sequence);
	size_t length = frame_encode(content, size, frame);
	client->traffic.requests++;
	client->is_unreceived = true;
	client->unproven = 0;
	client->was_alone = client->under_way == 0;
	client->traffic.round_trips += client->was_alone;
	client->under_way++;
	enum wait_result result =
	        client->ops->write(client->channel, frame, length, client->progress + client->timeout);
	if (result == WAIT_DONE)
		client->traffic.bytes_sent += length;
	request->sent = client->last_sent = client->clock->now();
	return result;
}

static enum wait_result ask_identity(struct client *client)
{
	uint8_t content[1];

	/* Repeats before the first answer are not counted, because the target may not have been running yet. */
	client->traffic.repeats += client->is_known && was_asked(client, BAREPROF_FRAME_IDENTIFY);
	return send_link_request(client, BAREPROF_FRAME_IDENTIFY, content, sizeof content);
}

static enum wait_result ask_write(struct client *client)
{
	uint8_t content[BAREPROF_WRITE_END];

	client->traffic.repeats += was_asked(client, BAREPROF_FRAME_WRITE);
	frame_put_number(content + BAREPROF_WRITE_OFFSET, 3, client->write_offset);
	frame_put_number(content + BAREPROF_WRITE_VALUE, 4, client->write_value);
	return send_link_request(client, BAREPROF_FRAME_WRITE, content, sizeof content);
}

static enum wait_result ask_memory(struct client *client)
{
	uint8_t content[BAREPROF_READ_END];
	struct window_range range;
	enum wait_result result = WAIT_DONE;

	while (result == WAIT_DONE && client->under_way < (pace_is_silent(&client->pace) ? 1 : UNDER_WAY_MAX) &&
	       window_ask(&client->window, client->pace.range, &range)) {
		client->traffic.repeats += range.is_repeat;
		frame_put_number(content + BAREPROF_READ_OFFSET, 3, range.offset);
		frame_put_number(content + BAREPROF_READ_SIZE, 3, range.size);
		frame_put_number(content + BAREPROF_READ_LIMIT, 2, client->pace.frame);
		result = send_link_request(client, BAREPROF_FRAME_READ, content, sizeof content);
	}
	return result;
}

enum wait_result requests_send(struct client *client)
{
	if (client->window.missing > 0 && client->is_identified && !client->is_writing)
		return ask_memory(client);
	if (client->under_way > 0)
		return WAIT_DONE;
	if (!client->is_identified)
		return ask_identity(client);
	return client->is_writing ? ask_write(client) : WAIT_DONE;
}
