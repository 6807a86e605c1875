/* SPDX-License-Identifier: MIT */
/* The likely cause of a time-out, judged by the bytes that arrived instead of answers, and by how often the channel
 * broke. */
#include "acquire/channel/private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void timeout_diagnosis_note_break(struct client *client)
{
	client->breaks.count++;
	snprintf(client->breaks.reason, sizeof client->breaks.reason, "%s", client->channel->reason);
}

/* Strips the source, with or without its options, from the front of a message. */
static const char *without_source(const char *message, const char *source)
{
	size_t common = 0;

	while (message[common] != '\0' && message[common] == source[common])
		common++;
	return common > 0 && strncmp(message + common, ": ", 2) == 0 ? message + common + 2 : message;
}

void timeout_diagnosis_note_opening(struct client *client, const struct error *problem)
{
	snprintf(client->breaks.problem, sizeof client->breaks.problem, "%s",
	         problem != NULL ? without_source(problem->message, client->source->text) : "");
	client->breaks.is_line_over = true;
}

void timeout_diagnosis_note_text(struct client *client, const uint8_t *text, size_t size)
{
	struct breaks *breaks = &client->breaks;

	for (size_t i = 0; i < size; i++) {
		bool is_control = text[i] < ' ';

		if (!is_control && breaks->is_line_over)
			breaks->line_size = 0;
		if (!is_control && breaks->line_size < sizeof breaks->line)
			breaks->line[breaks->line_size++] = (char)text[i];
		breaks->is_line_over = is_control;
	}
}

static void explain_breaks(const struct client *client, char *text, size_t capacity)
{
	const struct breaks *breaks = &client->breaks;
	char times[32] = "", said[sizeof breaks->line + 32] = "";

	if (breaks->count > 1)
		snprintf(times, sizeof times, " %u times", breaks->count);
	if (breaks->line_size > 0)
		snprintf(said, sizeof said, "; the last text was \"%.*s\"", (int)breaks->line_size, breaks->line);
	if (breaks->problem[0] != '\0')
		snprintf(text, capacity, "the connection broke%s (%s) and could not be opened again: %s%s", times,
		         breaks->reason, breaks->problem, said);
	else
		snprintf(text, capacity, "the connection broke%s (%s), and nothing new arrived in between%s", times,
		         breaks->reason, said);
}

/* Size of '#' and the two digits of the checksum. */
#define END_SIZE 3u

/* Whether payload[0..size) is followed by '#' and its checksum. */
static bool has_right_sum(const uint8_t *payload, size_t size)
{
	char expected[3];
	uint8_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + payload[i]);
	snprintf(expected, sizeof expected, "%02x", sum);
	return memcmp(payload + size + 1, expected, 2) == 0;
}

/* Whether the first text is from a gdb server: acknowledgements, and perhaps a packet (GDB manual, "Remote Protocol:
 * Overview"). */
static bool is_gdb_text(const uint8_t *text, size_t size)
{
	size_t start = 0;

	while (start < size && (text[start] == '+' || text[start] == '-'))
		start++;
	if (start == size)
		return size > 0;
	if (text[start] != '$')
		return false;
	const uint8_t *payload = text + start + 1;
	const uint8_t *end = memchr(payload, '#', size - start - 1);
	size_t left = end != NULL ? (size_t)(text + size - end) : 0;
	return left >= END_SIZE && has_right_sum(payload, (size_t)(end - payload));
}

/* Counts since the last progress. */
struct received {
	uint64_t bytes, text, noise, frames, damaged, echoes;
};

static struct received received_since_progress(const struct client *client)
{
	const struct link_traffic *now = &client->traffic, *then = &client->traffic_at_progress;

	return (struct received){
	        .bytes = now->bytes_received - then->bytes_received,
	        .text = now->text_bytes - then->text_bytes,
	        .noise = now->noise_bytes - then->noise_bytes,
	        .frames = now->frames_received - then->frames_received,
	        .damaged = now->frames_damaged - then->frames_damaged,
	        .echoes = now->echoes - then->echoes,
	};
}

/* Requires more ^@ than random noise contains, which is one in 65,536 bytes. */
static bool is_echo(const struct received *received)
{
	return received->echoes > 0 && received->echoes >= received->frames && received->bytes / received->echoes < 256;
}

static void explain_timeout(const struct client *client, const struct received *received, char *text, size_t capacity)
{
	if (client->channel == NULL || client->breaks.count > 1)
		explain_breaks(client, text, capacity);
	else if (received->bytes == 0 && client->traffic.frames_received > 0)
		snprintf(text, capacity, "it answered before, and is silent now: was it reset, halted or unplugged?");
	else if (received->bytes == 0)
		snprintf(text, capacity, "nothing arrived: does the firmware run and call bareprof_poll()? %s",
		         client->ops->has_no_rate ? "Does the line lead to it?"
		                                  : "Are both lines wired, and is the baud rate right?");
	else if (is_echo(received))
		snprintf(text, capacity,
		         "requests come back without an answer (a loop-back wire, or a console that echoes): "
		         "does the line lead to a firmware that calls bareprof_poll()?");
	else if (received->frames > 0)
		snprintf(text, capacity, "%" PRIu64 " frames arrived, but no new data", received->frames);
	else if (received->noise == 0 && is_gdb_text(client->first_text, client->first_text_size))
		snprintf(text, capacity, "the other end is a gdb server: type gdb:%.255s", client->source->address);
	else if (received->noise == 0 && received->text > 0)
		snprintf(text, capacity,
		         "only text arrived, %" PRIu64 " bytes: does the firmware call bareprof_poll(), and do "
		         "requests reach it?",
		         received->text);
	else
		snprintf(text, capacity, "only noise arrived, %" PRIu64 " bytes with %" PRIu64 " damaged frames: %s",
		         received->bytes - received->text, received->damaged,
		         client->ops->has_no_rate
		                 ? "does the line lead to a target, and is every byte passed on unchanged?"
		                 : "is the baud rate right? Is the line noisy?");
}

/* Describes how much was read before the time-out. */
static void describe_state(const struct client *client, char *text, size_t capacity)
{
	text[0] = 0;
	if (client->window.missing > 0)
		snprintf(text, capacity, "; %u of %u bytes had been read", client->window.size - client->window.missing,
		         client->window.size);
	else if (!client->is_known && client->transmission.memory != NULL)
		snprintf(text, capacity, "; the target only sends, and %u of %u bytes of its memory arrived",
		         client->max, client->transmission.size);
}

enum status timeout_diagnosis_fail(const struct client *client, struct error *error)
{
	char reason[1024], state[128];
	struct received received = received_since_progress(client);

	explain_timeout(client, &received, reason, sizeof reason);
	describe_state(client, state, sizeof state);
	return status_fail(error, "%s: no answer for %g s%s: %s", client->source->text, client->timeout / 1000.0, state,
	                   reason);
}
