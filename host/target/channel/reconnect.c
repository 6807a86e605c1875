/* SPDX-License-Identifier: MIT */
/* The history of a breaking channel, for the error message. */
#include "target/channel/private.h"

#include <stdio.h>
#include <string.h>

void reconnect_note_break(struct client *client)
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

void reconnect_note_opening(struct client *client, const struct error *problem)
{
	snprintf(client->breaks.problem, sizeof client->breaks.problem, "%s",
	         problem ? without_source(problem->message, client->source->text) : "");
	client->breaks.is_line_over = true;
}

void reconnect_note_text(struct client *client, const uint8_t *text, size_t size)
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

void reconnect_explain(const struct client *client, char *text, size_t capacity)
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
		snprintf(text, capacity, "the connection broke%s (%s), and nothing new came in between%s", times,
		         breaks->reason, said);
}
