/* SPDX-License-Identifier: MIT */
/* Why nothing new came: what was heard instead says what is likely to be wrong. */
#include "target/channel/gdb_detect.h"
#include "target/channel/private.h"

#include <inttypes.h>
#include <stdio.h>

/* What was heard since there was progress. */
struct heard {
	uint64_t bytes, text, noise, frames, damaged, echoes;
};

static struct heard what_was_heard(const struct client *client)
{
	const struct client_traffic *now = &client->traffic, *then = &client->traffic_at_progress;
	return (struct heard){
	        .bytes = now->bytes_received - then->bytes_received,
	        .text = now->text_bytes - then->text_bytes,
	        .noise = now->noise_bytes - then->noise_bytes,
	        .frames = now->frames_received - then->frames_received,
	        .damaged = now->frames_damaged - then->frames_damaged,
	        .echoes = now->echoes - then->echoes,
	};
}

/* Noise has a ^@ in 65,536 bytes, by chance. */
static bool is_echo(const struct heard *heard)
{
	return heard->echoes > 0 && heard->echoes >= heard->frames && heard->bytes / heard->echoes < 256;
}

static void explain(const struct client *client, const struct heard *heard, char *text, size_t capacity)
{
	if (client->channel == NULL || client->breaks.count > 1)
		reconnect_explain(client, text, capacity);
	else if (heard->bytes == 0 && client->traffic.frames_received > 0)
		snprintf(text, capacity, "it answered before, and fell silent: was it reset, halted or unplugged?");
	else if (heard->bytes == 0)
		snprintf(text, capacity, "nothing came: does the firmware run and call bareprof_poll()? %s",
		         client->ops->has_no_rate ? "Does the line lead to it?"
		                                  : "Are both lines wired, and is the baud rate right?");
	else if (is_echo(heard))
		snprintf(text, capacity,
		         "what is sent comes back (echo: a loop-back wire, or a console that echoes), and no answer: "
		         "does the line lead to a firmware that calls bareprof_poll()?");
	else if (heard->frames > 0)
		snprintf(text, capacity, "%" PRIu64 " frames came, but none with anything new", heard->frames);
	else if (heard->noise == 0 && gdb_detect(client->first_text, client->first_text_size))
		snprintf(text, capacity, "what answers there is a gdb server: type gdb:%.255s",
		         client->source->address);
	else if (heard->noise == 0 && heard->text > 0)
		snprintf(text, capacity,
		         "only text came, %" PRIu64 " bytes: does the firmware call bareprof_poll(), and does what is "
		         "sent to it reach it?",
		         heard->text);
	else
		snprintf(text, capacity, "only noise came, %" PRIu64 " bytes and %" PRIu64 " damaged frames in it: %s",
		         heard->bytes - heard->text, heard->damaged,
		         client->ops->has_no_rate
		                 ? "does the line lead to a target, and is every byte handed on unchanged?"
		                 : "is the baud rate right? Is the line noisy?");
}

/* How far it got. */
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
	struct heard heard = what_was_heard(client);

	explain(client, &heard, reason, sizeof reason);
	tell_state(client, state, sizeof state);
	return status_fail(error, "%s: no answer for %g s%s: %s", client->source->text, client->timeout / 1000.0, state,
	                   reason);
}
