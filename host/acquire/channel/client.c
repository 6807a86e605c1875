/* SPDX-License-Identifier: MIT */
/* See client.h. */
#include "acquire/channel/private.h"
#include "base/wait.h"

#include <stdlib.h>
#include <string.h>

static struct client *create_client(struct channel *channel, const struct source *source, int cancel,
                                    const struct target_observer *observer)
{
	struct client *client = calloc(1, sizeof *client);

	if (client == NULL)
		return NULL;
	client->channel = channel;
	client->ops = channel->ops;
	client->clock = channel->ops->clock != NULL ? channel->ops->clock : &clock_system;
	client->source = source;
	client->cancel = cancel;
	client->timeout = channel->timeout;
	if (observer != NULL)
		client->observer = *observer;
	frame_decoder_init(&client->decoder);
	pace_init(&client->pace, channel->bit_rate);
	/* A varying start makes it unlikely that answers to an earlier session are accepted. */
	client->sequence = (unsigned)(client->clock->now() % SEQUENCE_MAX);
	return client;
}

enum status client_open(struct channel *channel, const struct source *source, int cancel,
                        const struct target_observer *observer, struct client **client, struct error *error)
{
	struct client *created = create_client(channel, source, cancel, observer);

	if (created == NULL) {
		channel->ops->close(channel);
		return status_no_memory(error, source->text);
	}
	created->last_opening = created->clock->now();
	client_begin_operation(created);
	enum status status = client_run_operation(created, 0, error);
	if (status != STATUS_OK) {
		client_close(created);
		return status;
	}
	if (!created->is_sender)
		transmission_free(&created->transmission);
	*client = created;
	return STATUS_OK;
}

void client_close(struct client *client)
{
	if (client == NULL)
		return;
	if (client->channel != NULL)
		client->ops->close(client->channel);
	window_free(&client->window);
	transmission_free(&client->transmission);
	free(client);
}

const struct client_identity *client_get_identity(const struct client *client)
{
	return &client->identity.memory;
}

/* Offset and size of the words to fetch. */
static enum status fetch_words(struct client *client, uint32_t offset, uint32_t size, struct error *error)
{
	client_begin_operation(client);
	if (!window_init(&client->window, offset, size))
		return status_no_memory(error, client->source->text);
	/* A read that was given up may still be answered with older content. */
	if (client->last_read > client->settled)
		client->is_identified = false;
	return client_run_operation(client, 0, error);
}

enum status client_read(struct client *client, uint32_t offset, void *bytes, size_t size, struct error *error)
{
	uint32_t all = identity_memory_size(&client->identity.memory);

	if (offset > all || size > all - offset)
		return status_fail(error, "%s: cannot read %zu bytes at offset 0x%x: the target's memory has %u",
		                   client->source->text, size, offset, all);
	if (size == 0)
		return STATUS_OK;
	if (client->is_sender) {
		memcpy(bytes, client->transmission.memory + offset, size);
		return STATUS_OK;
	}
	uint32_t begin = offset / 4 * 4;
	uint32_t end = (offset + (uint32_t)size + 3) / 4 * 4;
	enum status status = fetch_words(client, begin, end - begin, error);
	if (status == STATUS_OK)
		memcpy(bytes, client->window.bytes + (offset - begin), size);
	window_free(&client->window);
	return status;
}

enum status client_write(struct client *client, uint32_t offset, uint32_t value, struct error *error)
{
	if (client->is_sender)
		return status_fail(error, "%s: the target only sends, nothing can be written", client->source->text);
	if (offset >= identity_memory_size(&client->identity.memory))
		return status_fail(error, "%s: cannot write at offset 0x%x: the target's memory has %u bytes",
		                   client->source->text, offset, identity_memory_size(&client->identity.memory));
	client->write_offset = offset;
	client->write_value = value;
	client->is_writing = true;
	client_begin_operation(client);
	enum status status = client_run_operation(client, 0, error);
	client->is_writing = false;
	return status;
}

bool client_can_write(const struct client *client)
{
	return !client->is_sender;
}

enum status client_wait(struct client *client, unsigned milliseconds, struct error *error)
{
	client_begin_operation(client);
	return client_run_operation(client, client->clock->now() + milliseconds, error);
}

struct link_traffic client_traffic(const struct client *client)
{
	return client->traffic;
}
