/* SPDX-License-Identifier: MIT */
/* The likely cause of a time-out, judged by what arrived instead of answers. */
#include "target/channel/gdb_detect.h"
#include "target/channel/private.h"

#include <inttypes.h>
#include <stdio.h>

/* What arrived since the last progress. */
struct received {
	uint64_t bytes, text, noise, frames, damaged, echoes;
};

static struct received received_since_progress(const struct client *client)
{
	const struct client_traffic *now = &client->traffic, *then = &client->traffic_at_progress;
	return (struct received){
	        .bytes = now->bytes_received - then->bytes_received,
	        .text = now->text_bytes - then->text_bytes,
	        .noise = now->noise_bytes - then->noise_bytes,
	        .frames = now->frames_received - then->frames_received,
	        .damaged = now->frames_damaged - then->frames_damaged,
	        .echoes = now->echoes - then->echoes,
	};
}

/* Random noise contains ^@ once in 65,536 bytes. */
static bool is_echo(const struct received *received)
{
	return received->echoes > 0 && received->echoes >= received->frames && received->bytes / received->echoes < 256;
}

static void explain(const struct client *client, const struct received *received, char *text, size_t capacity)
{
	if (client->channel == NULL || client->breaks.count > 1)
		reconnect_explain(client, text, capacity);
	else if (received->bytes == 0 && client->traffic.frames_received > 0)
		snprintf(text, capacity, "it answered before, and fell silent: was it reset, halted or unplugged?");
	else if (received->bytes == 0)
		snprintf(text, capacity, "nothing came: does the firmware run and call bareprof_poll()? %s",
		         client->ops->has_no_rate ? "Does the line lead to it?"
		                                  : "Are both lines wired, and is the baud rate right?");
	else if (is_echo(received))
		snprintf(text, capacity,
		         "what is sent comes back (echo: a loop-back wire, or a console that echoes), and no answer: "
		         "does the line lead to a firmware that calls bareprof_poll()?");
	else if (received->frames > 0)
		snprintf(text, capacity, "%" PRIu64 " frames came, but none with anything new", received->frames);
	else if (received->noise == 0 && gdb_detect(client->first_text, client->first_text_size))
		snprintf(text, capacity, "what answers there is a gdb server: type gdb:%.255s",
		         client->source->address);
	else if (received->noise == 0 && received->text > 0)
		snprintf(text, capacity,
		         "only text came, %" PRIu64 " bytes: does the firmware call bareprof_poll(), and does what is "
		         "sent to it reach it?",
		         received->text);
	else
		snprintf(text, capacity, "only noise came, %" PRIu64 " bytes and %" PRIu64 " damaged frames in it: %s",
		         received->bytes - received->text, received->damaged,
		         client->ops->has_no_rate
		                 ? "does the line lead to a target, and is every byte handed on unchanged?"
		                 : "is the baud rate right? Is the line noisy?");
}

/* How much was read before the time-out. */
static void tell_state(const struct client *client, char *text, size_t capacity)
{
	text[0] = 0;
	if (client->window.missing > 0)
		snprintf(text, capacity, "; %u of %u bytes had been read", client->window.size - client->window.missing,
		         client->window.size);
	else if (!client->is_known && client->sending.memory != NULL)
		snprintf(text, capacity, "; the target only sends, and of its memory %u of %u bytes came", client->max,
		         client->sending.size);
}

enum status timeout_diagnosis_fail(const struct client *client, struct error *error)
{
	char reason[1024], state[128];
	struct received received = received_since_progress(client);

	explain(client, &received, reason, sizeof reason);
	tell_state(client, state, sizeof state);
	return status_fail(error, "%s: no answer for %g s%s: %s", client->source->text, client->timeout / 1000.0, state,
	                   reason);
}
