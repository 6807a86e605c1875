/* SPDX-License-Identifier: MIT */
/* Processes answers from the target. Input is untrusted: anything that does not fit a request is ignored and counted.
 */
#include "acquire/channel/private.h"

static uint64_t later_of(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* Stores the data of an answer to a READ. Frames state their offset, so data in a gap after the previous frame were
 * lost. */
static bool take_read_data(struct client *client, struct request *request)
{
	uint8_t bytes[FRAME_DATA_MAX];
	uint32_t offset;
	size_t count;

	if (!frame_decode_data(client->decoder.content, client->decoder.size, request->start, request->end, &offset,
	                       bytes, &count))
		return false;
	uint32_t end = offset + (uint32_t)count;
	client->traffic.payload_bytes += count;
	client->traffic.data_bytes += client->decoder.line_size;
	pace_note_frame(&client->pace, false);
	if (window_fill(&client->window, offset, bytes, (uint32_t)count) > 0)
		client_note_progress(client);
	if (request->is_outstanding && offset > request->next)
		window_release(&client->window, request->next, offset);
	if (request->next < end)
		request->next = end;
	request->lost = 0;
	if (end == request->end) {
		pace_note_range(&client->pace, end - request->start,
		                client->clock->now() - later_of(request->sent, client->last_ended));
		requests_finish(client, request);
	}
	return true;
}

static enum status take_identity(struct client *client, struct request *request, bool *is_taken, struct error *error)
{
	struct identity identity;

	enum status status = identity_decode(client->source->text, client->decoder.content, client->decoder.size,
	                                     &identity, is_taken, error);
	if (status != STATUS_OK || !*is_taken)
		return status;
	requests_finish(client, request);
	if (client->is_known && !identity_is_same(&client->identity.memory, &identity.memory))
		return status_fail(error, "%s: a different firmware answers now", client->source->text);
	client->traffic.reconnections += client->was_broken;
	client->was_broken = false;
	client->identity = identity;
	client->is_known = client->is_identified = true;
	pace_set_frame(&client->pace, identity.frame);
	return STATUS_OK;
}

static const char *reason_text(unsigned reason)
{
	static const char *const texts[] = {
	        [BAREPROF_REASON_TYPE] = "it knows no such request",
	        [BAREPROF_REASON_LENGTH] = "the request has a wrong length",
	        [BAREPROF_REASON_RANGE] = "not within its memory, not aligned, or not a word that may be written",
	};
	const char *text = reason < sizeof texts / sizeof texts[0] ? texts[reason] : NULL;

	return text != NULL ? text : "for a reason that this bareprof does not know";
}

static enum status take_refusal(const struct client *client, const struct request *request, bool *is_taken,
                                struct error *error)
{
	unsigned reason = client->decoder.content[BAREPROF_REFUSED_REASON];

	*is_taken = client->decoder.size == BAREPROF_REFUSED_END;
	if (!*is_taken)
		return STATUS_OK;
	switch (request->type) {
	case BAREPROF_FRAME_READ:
		return status_fail(error, "%s: the target refuses to read %u bytes at offset 0x%x: %s (reason %u)",
		                   client->source->text, request->end - request->start, request->start,
		                   reason_text(reason), reason);
	case BAREPROF_FRAME_WRITE:
		return status_fail(error, "%s: the target refuses to write at offset 0x%x: %s (reason %u)",
		                   client->source->text, client->write_offset, reason_text(reason), reason);
	default:
		return status_fail(error, "%s: the target refuses to say who it is: %s (reason %u)",
		                   client->source->text, reason_text(reason), reason);
	}
}

/* *is_taken is false if the frame does not fit the request that it claims to answer. */
static enum status take_request_answer(struct client *client, struct request *request, bool *is_taken,
                                       struct error *error)
{
	switch (BAREPROF_FRAME_TYPE(client->decoder.content[0])) {
	case BAREPROF_FRAME_DATA:
		*is_taken = request->type == BAREPROF_FRAME_READ && take_read_data(client, request);
		return STATUS_OK;
	case BAREPROF_FRAME_WRITTEN:
		*is_taken = request->type == BAREPROF_FRAME_WRITE && client->decoder.size == 1;
		if (*is_taken) {
			requests_finish(client, request);
			client->is_writing = false;
		}
		return STATUS_OK;
	case BAREPROF_FRAME_IDENTITY:
		*is_taken = request->type == BAREPROF_FRAME_IDENTIFY;
		return *is_taken ? take_identity(client, request, is_taken, error) : STATUS_OK;
	case BAREPROF_FRAME_REFUSED:
		*is_taken = request->type != 0;
		return *is_taken ? take_refusal(client, request, is_taken, error) : STATUS_OK;
	default:
		return STATUS_OK;
	}
}

/* Unrequested frames are useful only while the target is unknown. */
static enum status take_unrequested(struct client *client, bool *is_taken, struct error *error)
{
	struct transmission *transmission = &client->transmission;

	*is_taken = false;
	if (client->is_known)
		return STATUS_OK;
	enum status status = transmission_take(transmission, client->source->text, client->decoder.content,
	                                       client->decoder.size, is_taken, error);
	if (status != STATUS_OK || !*is_taken)
		return status;
	/* Only more bytes than ever before count as progress: transmissions may all break off at the same place. */
	if (client->max < transmission->received) {
		client->max = transmission->received;
		client_note_progress(client);
	}
	if (transmission_is_complete(transmission)) {
		client->identity = transmission->identity;
		client->is_known = client->is_identified = client->is_sender = true;
	}
	return STATUS_OK;
}

static void note_answer(struct client *client, struct request *request)
{
	if (!request->is_answered && request->silent_since > 0)
		pace_note_late(&client->pace, client->clock->now() - request->silent_since);
	else if (!request->is_answered)
		pace_note_timely(&client->pace, client->clock->now() - request->sent);
	request->is_answered = true;
}

enum status answers_take(struct client *client, struct error *error)
{
	unsigned sequence = BAREPROF_FRAME_SEQUENCE(client->decoder.content[0]);
	struct request *request = &client->requests[sequence];
	bool is_taken = false;

	client->traffic.frames_received++;
	client->traffic.echoes += BAREPROF_FRAME_TYPE(client->decoder.content[0]) < BAREPROF_FRAME_IDENTITY;
	enum status status = sequence == 0 ? take_unrequested(client, &is_taken, error)
	                                   : take_request_answer(client, request, &is_taken, error);
	if (is_taken && sequence > 0) {
		/* The target answers in order. */
		requests_pass(client, request->order);
		note_answer(client, request);
	}
	client->traffic.frames_unexpected += !is_taken;
	return status;
}
