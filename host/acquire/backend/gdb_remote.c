/* SPDX-License-Identifier: MIT */
/* See gdb_remote.h. */
#include "acquire/backend/gdb_remote.h"

#include "base/clock.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>

/* The maximum number of repeats. A line that damages more packets in a row cannot transfer a capture. */
#define REPEATS_MAX 3

/* Milliseconds for each step that ends an interrupted session: at most four steps, so less than a second in total. */
#define CLOSING_TIMEOUT 240u

/* The byte that stops a running target (GDB manual, "Interrupts"). */
#define INTERRUPT "\x03"

void gdb_remote_init(struct gdb_remote *remote, struct target *target, struct channel *channel, unsigned timeout)
{
	remote->target = target;
	remote->channel = channel;
	remote->timeout = timeout;
	remote->acknowledges = true;
	remote->first_byte = -1;
}

/* The length of the last request's first word, for messages. */
static int request_name_length(const struct gdb_remote *remote)
{
	size_t length = strcspn(remote->request + 1, "#:;,");

	return (int)(length < 24 ? length : 24);
}

/* Whether the peer's first byte is one that a gdb server's output begins with; notifications begin with a percent
 * sign. */
static bool speaks_gdb(const struct gdb_remote *remote)
{
	return remote->first_byte < 0 || remote->first_byte == '$' || remote->first_byte == '%';
}

static enum status lose_server(struct gdb_remote *remote, struct error *error, const char *what)
{
	const char *source = remote->target->source;

	remote->lost = remote->target->is_lost = true;
	if (!speaks_gdb(remote))
		return status_fail(error, "%s: the peer is not a gdb server: is it a serial line, %s:%s?", source,
		                   remote->channel->ops->syntax.scheme, strchr(source, ':') + 1);
	return status_fail(error, "%s: %s (request '%.*s')", source, what, request_name_length(remote),
	                   remote->request + 1);
}

static enum status no_answer(struct gdb_remote *remote, struct error *error)
{
	char what[64];

	snprintf(what, sizeof what, "the gdb server did not answer within %g s", remote->timeout / 1000.0);
	return lose_server(remote, error, what);
}

/* Notes that the session was interrupted. An answer may still come; gdb_remote_close() waits for it. */
static enum status note_interruption(struct gdb_remote *remote, struct error *error)
{
	remote->interrupted = remote->target->is_lost = true;
	return status_fail(error, "%s: interrupted", remote->target->source);
}

static enum wait_result write_bytes(struct gdb_remote *remote, const char *bytes, size_t size, uint64_t deadline)
{
	return remote->channel->ops->write(remote->channel, bytes, size, deadline);
}

static enum status send_bytes(struct gdb_remote *remote, const char *bytes, size_t size, struct error *error)
{
	switch (write_bytes(remote, bytes, size, clock_now() + remote->timeout)) {
	case WAIT_DONE:
		return STATUS_OK;
	case WAIT_TIMEOUT:
		return no_answer(remote, error);
	case WAIT_CANCELLED:
		return lose_server(remote, error, "interrupted while the gdb server accepted no more bytes");
	default:
		return lose_server(remote, error, remote->channel->reason);
	}
}

static void frame_request(struct gdb_remote *remote, const char *request)
{
	remote->request_size = gdb_packet_encode(request, strlen(request), remote->request, sizeof remote->request);
}

static enum status send_gdb_request(struct gdb_remote *remote, const char *request, struct error *error)
{
	if (remote->lost || remote->interrupted)
		return status_fail(error, "%s: the gdb server was given up after an earlier failure",
		                   remote->target->source);
	remote->repeats = 0;
	frame_request(remote, request);
	remote->waiting = true;
	remote->running = request[0] == 'c';
	return send_bytes(remote, remote->request, remote->request_size, error);
}

/* Requests a damaged packet again, or repeats a request. */
static enum status send_again(struct gdb_remote *remote, const char *bytes, size_t size, struct error *error)
{
	if (!remote->acknowledges || ++remote->repeats > REPEATS_MAX)
		return lose_server(remote, error, "packets arrive with wrong checksums");
	return send_bytes(remote, bytes, size, error);
}

static enum status handle_event(struct gdb_remote *remote, enum gdb_event event, struct error *error)
{
	switch (event) {
	case GDB_EVENT_NONE:
	case GDB_EVENT_ACKNOWLEDGED:
		return STATUS_OK;
	case GDB_EVENT_REFUSED:
		return send_again(remote, remote->request, remote->request_size, error);
	case GDB_EVENT_BAD_CHECKSUM:
		return send_again(remote, "-", 1, error);
	case GDB_EVENT_TOO_LONG:
		return lose_server(remote, error, "the gdb server sent a packet longer than 32,768 bytes");
	case GDB_EVENT_MALFORMED:
		return lose_server(remote, error, "the gdb server sent a packet with a broken run length or escape");
	case GDB_EVENT_PACKET:
		break;
	}
	return remote->acknowledges ? send_bytes(remote, "+", 1, error) : STATUS_OK;
}

/* Passes on console output of the target. */
static void pass_output(const struct gdb_remote *remote)
{
	const struct target_observer *observer = remote->target->observer;
	const struct gdb_decoder *packet = &remote->decoder;
	uint8_t text[256];

	if (remote->output != NULL)
		gdb_output_add(remote->output, packet->payload + 1, packet->size - 1);
	if (remote->output != NULL || observer->text == NULL)
		return;
	for (size_t at = 1, size; at + 1 < packet->size; at += 2 * size) {
		size = (packet->size - at) / 2;
		if (size > sizeof text)
			size = sizeof text;
		if (!gdb_hex_decode(packet->payload + at, 2 * size, text))
			return;
		observer->text(observer->context, text, size);
	}
}

/* Waits for the next packet; *arrived is false if none came before the deadline. */
static enum status next_packet(struct gdb_remote *remote, uint64_t deadline, bool *arrived, struct error *error)
{
	*arrived = false;
	/* Checks the deadline for each buffer, in case a stub never pauses. */
	for (;;) {
		while (remote->received_next < remote->received_end) {
			uint8_t byte = remote->received[remote->received_next++];

			if (remote->first_byte < 0 && byte != '+' && byte != '-')
				remote->first_byte = byte;
			enum gdb_event event = gdb_decoder_take(&remote->decoder, byte);
			enum status status = handle_event(remote, event, error);
			*arrived = event == GDB_EVENT_PACKET;
			if (status != STATUS_OK || *arrived)
				return status;
		}
		size_t size = 0;
		enum wait_result result =
		        clock_now() >= deadline && remote->received_end
		                ? WAIT_TIMEOUT
		                : remote->channel->ops->read(remote->channel, remote->received, sizeof remote->received,
		                                             deadline, &size);
		if (result == WAIT_CLOSED)
			return lose_server(remote, error, remote->channel->reason);
		if (result == WAIT_CANCELLED)
			return note_interruption(remote, error);
		remote->received_next = 0;
		remote->received_end = size;
		if (result == WAIT_TIMEOUT)
			return STATUS_OK;
	}
}

enum reply {
	REPLY_OUTPUT = 1,
	REPLY_STOP = 2,
	REPLY_REFUSAL = 4, /* an error, or empty: not supported */
	REPLY_RESULT = 8,
};

static enum reply reply_of(const struct gdb_decoder *packet)
{
	if (gdb_reply_is_output(packet->payload, packet->size))
		return REPLY_OUTPUT;
	if (gdb_reply_is_stop(packet->payload, packet->size))
		return REPLY_STOP;
	return packet->size == 0 || gdb_reply_is_error(packet->payload, packet->size) ? REPLY_REFUSAL : REPLY_RESULT;
}

/* Waits for a reply of one of these kinds, passing on console output; *reply is 0 if none came before the deadline. */
static enum status await_reply(struct gdb_remote *remote, unsigned kinds, uint64_t deadline, unsigned *reply,
                               struct error *error)
{
	enum status status;
	bool arrived;

	do {
		status = next_packet(remote, deadline, &arrived, error);
		*reply = status == STATUS_OK && arrived ? reply_of(&remote->decoder) : 0;
		if (*reply == REPLY_OUTPUT)
			pass_output(remote);
	} while (*reply != 0 && !(*reply & kinds));
	return status;
}

enum status gdb_remote_ask(struct gdb_remote *remote, const char *request, const struct gdb_decoder **answer,
                           struct error *error)
{
	/* QEMU reports the stop that connecting caused (T02) before it answers the first request. */
	bool asks_for_stop = request[0] == '?' || strncmp(request, "vAttach;", 8) == 0;
	unsigned reply;

	enum status status = send_gdb_request(remote, request, error);
	if (status == STATUS_OK)
		status = await_reply(remote, REPLY_REFUSAL | REPLY_RESULT | (asks_for_stop ? REPLY_STOP : 0),
		                     clock_now() + remote->timeout, &reply, error);
	if (status != STATUS_OK)
		return status;
	if (reply == 0)
		return no_answer(remote, error);
	remote->waiting = false;
	*answer = &remote->decoder;
	return STATUS_OK;
}

static enum status wait_for_stop(struct gdb_remote *remote, uint64_t deadline, bool *stopped, struct error *error)
{
	const uint8_t *payload = remote->decoder.payload;
	unsigned reply;

	enum status status = await_reply(remote, REPLY_STOP | REPLY_REFUSAL, deadline, &reply, error);
	*stopped = reply == REPLY_STOP;
	if (reply == REPLY_REFUSAL)
		return lose_server(remote, error, "the gdb server cannot let the target run");
	if (!*stopped)
		return status;
	remote->running = false;
	return payload[0] == 'W' || payload[0] == 'X' ? lose_server(remote, error, "the target has exited") : STATUS_OK;
}

enum status gdb_remote_run(struct gdb_remote *remote, unsigned milliseconds, struct error *error)
{
	bool stopped;

	enum status status = send_gdb_request(remote, "c", error);
	if (status == STATUS_OK)
		status = wait_for_stop(remote, clock_now() + milliseconds, &stopped, error);
	if (status == STATUS_OK && stopped)
		return status_fail(error, "%s: the target stopped by itself (%.3s): a breakpoint or a fault?",
		                   remote->target->source, (const char *)remote->decoder.payload);
	if (status == STATUS_OK)
		status = send_bytes(remote, INTERRUPT, 1, error);
	if (status == STATUS_OK)
		status = wait_for_stop(remote, clock_now() + remote->timeout, &stopped, error);
	if (status == STATUS_OK && !stopped)
		return lose_server(remote, error, "the target did not stop on request");
	return status;
}

/* Continues the target of a stub that cannot detach. Does not wait for an answer, because the only answer is a stop
 * report. */
static enum status continue_and_leave(struct gdb_remote *remote, struct error *error)
{
	bool stopped;

	enum status status = send_gdb_request(remote, "c", error);
	if (status == STATUS_OK)
		status = wait_for_stop(remote, clock_now() + 100, &stopped, error);
	if (status == STATUS_OK && stopped)
		return status_fail(error, "%s: the target could not be left running: it stopped again (%.3s)",
		                   remote->target->source, (const char *)remote->decoder.payload);
	return status;
}

/* Stops the target after an interruption and awaits outstanding answers. */
static enum status settle_interruption(struct gdb_remote *remote, struct error *error)
{
	enum status status = STATUS_OK;
	unsigned reply;
	bool stopped;

	remote->interrupted = false;
	remote->channel->cancel = -1;
	if (remote->timeout > CLOSING_TIMEOUT)
		remote->timeout = CLOSING_TIMEOUT;
	uint64_t deadline = clock_now() + remote->timeout;
	if (remote->running) {
		status = send_bytes(remote, INTERRUPT, 1, error);
		return status != STATUS_OK ? status : wait_for_stop(remote, deadline, &stopped, error);
	}
	if (remote->waiting)
		status = await_reply(remote, REPLY_REFUSAL | REPLY_RESULT, deadline, &reply, error);
	return status;
}

/* Whether cancelling came between two operations: none was interrupted, but detaching, which comes next, would be. */
static bool remote_is_cancelled(const struct gdb_remote *remote)
{
	return !wait_pause(0, remote->channel->cancel);
}

static enum status detach_target(struct gdb_remote *remote, struct error *error)
{
	const struct gdb_decoder *answer;
	enum status status = STATUS_OK;

	for (const char *const *next = remote->detach_requests; next != NULL && *next != NULL; next++) {
		status = gdb_remote_ask(remote, *next, &answer, error);
		if (status != STATUS_OK)
			return status;
		if (gdb_reply_is_error(answer->payload, answer->size))
			return lose_server(remote, error, "the gdb server does not resume the target");
	}
	status = gdb_remote_ask(remote, "D", &answer, error);
	if (status == STATUS_OK && (answer->size == 0 || gdb_reply_is_error(answer->payload, answer->size)))
		status = continue_and_leave(remote, error);
	return status;
}

/* Detaches from a stub that is out of step, without waiting for answers. */
static void detach_blindly(struct gdb_remote *remote)
{
	for (const char *const *next = remote->detach_requests; next != NULL && *next != NULL; next++) {
		frame_request(remote, *next);
		write_bytes(remote, remote->request, remote->request_size, clock_now());
	}
	write_bytes(remote, "$D#44", 5, clock_now());
}

enum status gdb_remote_close(struct gdb_remote *remote, struct error *error)
{
	const char *source = remote->target->source;
	enum status status = STATUS_OK;
	struct error reason = {.message = ""};

	if ((remote->interrupted || remote_is_cancelled(remote)) && !remote->lost)
		status = settle_interruption(remote, &reason);
	if (status == STATUS_OK && !remote->lost)
		status = detach_target(remote, &reason);
	else
		detach_blindly(remote);
	if (!speaks_gdb(remote))
		status = STATUS_OK;
	else if (status != STATUS_OK || remote->lost)
		/* The reason already begins with the source. */
		status = status_fail(
		        error, "%s: the target may have been left halted%s", source,
		        strncmp(reason.message, source, strlen(source)) == 0 ? reason.message + strlen(source) : "");
	remote->channel->ops->close(remote->channel);
	return status;
}
