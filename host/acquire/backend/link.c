/* SPDX-License-Identifier: MIT */
/* The backend for a link: frames over any channel. A link reaches only the profile blocks. This file interprets only
 * their control words and byte order. */
#include "acquire/channel/channel.h"
#include "acquire/channel/client.h"
#include "acquire/target/target.h"
#include "capture/capture.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <string.h>

struct link_target {
	struct target target;
	struct source source; /* for reopening the channel */
	struct client *client;
	uint64_t base, size; /* addresses that can be read: [base, base + size) */
	uint32_t block_size;
	bool has_order;
	struct capture_order order; /* byte order of all blocks */
};

static enum status check_link_identity(struct link_target *link, struct error *error)
{
	const struct client_identity *identity = client_get_identity(link->client);

	link->base = identity->address;
	link->block_size = identity->block_size;
	link->size = (uint64_t)identity->block_size * identity->block_count;
	if (link->size == 0 || link->base > UINT64_MAX - (link->size - 1))
		return status_fail(error, "%s: the target reports %u blocks of %" PRIu32 " bytes at 0x%" PRIx64,
		                   link->target.source, identity->block_count, link->block_size, link->base);
	return STATUS_OK;
}

static enum status link_open(struct target *target, const struct source *source, const struct target_setup *setup,
                             struct error *error)
{
	struct link_target *link = (struct link_target *)target;
	struct channel *channel;

	link->source = *source;
	enum status status = source->channel->open(&link->source, setup->cancel, &channel, error);
	if (status != STATUS_OK)
		return status;
	if (channel->note[0])
		target_note(target, channel->note);
	status = client_open(channel, &link->source, setup->cancel, target->observer, &link->client, error);
	return status != STATUS_OK ? status : check_link_identity(link, error);
}

static enum status link_close(struct target *target, struct error *error)
{
	(void)error;
	client_close(((struct link_target *)target)->client);
	return STATUS_OK;
}

static enum status link_note_loss(struct link_target *link, enum status status)
{
	link->target.is_lost = status != STATUS_OK;
	return status;
}

static enum status link_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	struct link_target *link = (struct link_target *)target;

	if (address < link->base || address - link->base > link->size || size > link->size - (address - link->base))
		return status_fail(error,
		                   "%s: %zu bytes at 0x%08" PRIx64
		                   " are not in the profile blocks, which are all that a link can read: 0x%08" PRIx64
		                   " and %" PRIu64 " bytes from there",
		                   target->source, size, address, link->base, link->size);
	return link_note_loss(link, client_read(link->client, (uint32_t)(address - link->base), buffer, size, error));
}

/* The target stores a written value in its own byte order, which is its block's byte order. */
static enum status find_target_order(struct link_target *link, struct error *error)
{
	uint8_t mark[2];

	if (link->has_order)
		return STATUS_OK;
	enum status status =
	        link_note_loss(link, client_read(link->client, BAREPROF_OFFSET_BYTE_ORDER, mark, sizeof mark, error));
	if (status != STATUS_OK)
		return status;
	for (unsigned big = 0; big < 2 && !link->has_order; big++) {
		link->order.big_endian = big;
		link->has_order = capture_u16(&link->order, mark) == BAREPROF_BYTE_ORDER_MARK;
	}
	return link->has_order
	               ? STATUS_OK
	               : status_fail(error, "%s: no profile block there: has the firmware called bareprof_init()?",
	                             link->target.source);
}

static enum status link_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                              struct error *error)
{
	struct link_target *link = (struct link_target *)target;
	uint64_t offset = address - link->base;
	uint64_t word = offset % link->block_size;
	bool is_control = word == BAREPROF_OFFSET_CONTROL_ARGUMENT || word == BAREPROF_OFFSET_CONTROL_REQUEST;

	if (address < link->base || offset >= link->size || size != 4 || !is_control)
		return status_fail(error,
		                   "%s: %zu bytes at 0x%08" PRIx64
		                   " are not a control word, and nothing else can be written",
		                   target->source, size, address);
	if (!client_can_write(link->client))
		return status_fail(error, "%s: the target only sends (bareprof_send()), it cannot be controlled",
		                   target->source);
	enum status status = find_target_order(link, error);
	if (status != STATUS_OK)
		return status;
	uint32_t value = capture_u32(&link->order, bytes);
	return link_note_loss(link, client_write(link->client, (uint32_t)offset, value, error));
}

static enum status link_run(struct target *target, unsigned milliseconds, struct error *error)
{
	struct link_target *link = (struct link_target *)target;

	return link_note_loss(link, client_wait(link->client, milliseconds, error));
}

static void link_extent(const struct target *target, uint64_t *address, uint64_t *size)
{
	const struct link_target *link = (const struct link_target *)target;

	*address = link->base;
	*size = link->size;
}

static void link_traffic(const struct target *target, struct target_traffic *traffic)
{
	traffic->has_frames = true;
	traffic->frames = client_traffic(((const struct link_target *)target)->client);
}

const struct target_ops backend_link = {
        .is_live = true,
        .capabilities = TARGET_HAS_TEXT,
        .state_size = sizeof(struct link_target),
        .open = link_open,
        .read = link_read,
        .write = link_write,
        .run = link_run,
        .extent = link_extent,
        .traffic = link_traffic,
        .close = link_close,
};
