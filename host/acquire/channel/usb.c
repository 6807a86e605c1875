/* SPDX-License-Identifier: MIT */
/* The channel for bulk endpoints of a USB device, by libusb: a stream without packet boundaries. host/acquire/usb/
 * finds the interface. */
#include "acquire/channel/channel.h"
#include "acquire/usb/attached.h"
#include "acquire/usb/devices.h"
#include "acquire/usb/transfer.h"
#include "base/clock.h"

#include <libusb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Each packet has its own transfer, and many are pending, so that the device need not wait. A transfer for several
 * packets would end only at a short or empty packet, and not every device sends one after a full packet: the data would
 * be stuck. */
#define INBOUND_COUNT 32
#define OUTBOUND_SIZE 4096

/* The interface string by which bareprof's interface is recognised on any device. */
#define INTERFACE_NAME "bareprof"

static const enum usb_interface_type types[] = {USB_BULK_PAIR};

static const struct usb_kind usb_kind = {
        .naming = {.scheme = "usb"},
        .name = INTERFACE_NAME,
        .types = types,
        .type_count = 1,
        .no_such = "no device is attached that has an interface of class 0xff with the string \"" INTERFACE_NAME
                   "\" and a bulk endpoint each way; usb:VID:PID takes one whose string is another",
        .no_interface = "that has an interface of class 0xff with a bulk endpoint each way",
};

struct usb_channel {
	struct channel channel;
	struct usb_attached attached;
	struct usb_waiting waiting;
	struct usb_transfer inbound[INBOUND_COUNT]; /* a ring; all are in flight except those being read */
	unsigned first;                             /* index of the transfer that ends next */
	int taken;                                  /* bytes of the first transfer that were delivered */
	struct usb_transfer outbound;
	uint8_t inbound_bytes[INBOUND_COUNT][USB_PACKET_MAX], outbound_bytes[OUTBOUND_SIZE];
	bool in_failed, out_failed; /* a transfer failed, and none has succeeded since */
};

static enum wait_result explain_usb_failure(struct usb_channel *usb, int failure)
{
	snprintf(usb->channel.reason, sizeof usb->channel.reason, "%s", usb_failure_text(failure));
	return WAIT_CLOSED;
}

/* After a failed transfer the endpoint is halted, or host and device disagree on the next packet. Clearing the halt
 * fixes both. This is tried once after each success. Data of ended transfers are kept. */
static int recover_endpoint(struct usb_channel *usb, uint8_t endpoint, bool *failed, int failure)
{
	if (*failed || failure == LIBUSB_ERROR_NO_DEVICE)
		return failure;

	*failed = true;
	for (size_t i = 0; endpoint == usb->attached.interface.in && i < INBOUND_COUNT; i++) {
		usb_transfer_end(&usb->waiting, &usb->inbound[i]);
		usb->inbound[i].failure = 0;
	}
	return usb_clear_halt(usb->attached.handle, endpoint, failure);
}

/* Submits the first transfer of the ring again. If that fails, data of the other transfers are delivered first. */
static enum wait_result renew_first(struct usb_channel *usb)
{
	struct usb_transfer *first = &usb->inbound[usb->first];

	int failure = first->failure;
	if (failure)
		failure = recover_endpoint(usb, usb->attached.interface.in, &usb->in_failed, failure);
	if (failure)
		return explain_usb_failure(usb, failure);
	usb_transfer_submit(first);
	usb->taken = 0;
	usb->first = (usb->first + 1) % INBOUND_COUNT;
	return WAIT_DONE;
}

static enum wait_result usb_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline, size_t *size)
{
	struct usb_channel *usb = (struct usb_channel *)channel;

	/* The deadline is checked in each turn, because a device may send empty packets without end. */
	do {
		struct usb_transfer *first = &usb->inbound[usb->first];
		enum wait_result result = usb_transfer_await(&usb->waiting, first, channel->cancel, deadline);

		if (result != WAIT_DONE)
			return result;
		size_t left = (size_t)(first->transfer->actual_length - usb->taken);
		if (left > 0) {
			*size = left < capacity ? left : capacity;
			memcpy(bytes, first->bytes + usb->taken, *size);
			usb->taken += (int)*size;
			usb->in_failed = false;
			return WAIT_DONE;
		}
		result = renew_first(usb);
		if (result != WAIT_DONE)
			return result;
	} while (clock_now() < deadline);
	return WAIT_TIMEOUT;
}

/* Sends one transfer. *sent also includes bytes sent before a failure. */
static enum wait_result send_some(struct usb_channel *usb, const void *bytes, size_t size, uint64_t deadline,
                                  size_t *sent)
{
	struct usb_transfer *outbound = &usb->outbound;

	*sent = 0;
	if (outbound->is_in_flight)
		return explain_usb_failure(usb, LIBUSB_ERROR_BUSY);
	memcpy(outbound->bytes, bytes, size);
	outbound->transfer->length = (int)size;
	usb_transfer_submit(outbound);
	enum wait_result result = usb_transfer_await(&usb->waiting, outbound, usb->channel.cancel, deadline);
	usb_transfer_end(&usb->waiting, outbound);
	*sent = (size_t)outbound->transfer->actual_length;
	if (*sent > 0)
		usb->out_failed = false;
	int failure = result == WAIT_DONE ? outbound->failure : 0;
	if (failure)
		failure = recover_endpoint(usb, usb->attached.interface.out, &usb->out_failed, failure);
	return failure ? explain_usb_failure(usb, failure) : result;
}

static enum wait_result usb_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	struct usb_channel *usb = (struct usb_channel *)channel;
	const uint8_t *next = bytes;

	while (size > 0) {
		size_t sent;
		enum wait_result result =
		        send_some(usb, next, size < OUTBOUND_SIZE ? size : OUTBOUND_SIZE, deadline, &sent);

		if (result != WAIT_DONE)
			return result;
		next += sent;
		size -= sent;
	}
	return WAIT_DONE;
}

static void usb_close(struct channel *channel)
{
	struct usb_channel *usb = (struct usb_channel *)channel;

	for (size_t i = 0; usb->waiting.descriptors != NULL && i < INBOUND_COUNT; i++)
		usb_transfer_end(&usb->waiting, &usb->inbound[i]);
	for (size_t i = 0; i < INBOUND_COUNT; i++)
		libusb_free_transfer(usb->inbound[i].transfer);
	libusb_free_transfer(usb->outbound.transfer);
	free(usb->waiting.descriptors);
	usb_attached_close(&usb->attached);
	free(usb);
}

static bool prepare_transfers(struct usb_channel *usb)
{
	const struct usb_interface *interface = &usb->attached.interface;

	for (size_t i = 0; i < INBOUND_COUNT; i++)
		if (!usb_transfer_prepare(&usb->inbound[i], usb->attached.handle, interface->in, usb->inbound_bytes[i],
		                          interface->packet_size))
			return false;
	if (!usb_transfer_prepare(&usb->outbound, usb->attached.handle, interface->out, usb->outbound_bytes,
	                          OUTBOUND_SIZE))
		return false;
	/* An empty packet marks the end after a full packet. */
	usb->outbound.transfer->flags = LIBUSB_TRANSFER_ADD_ZERO_PACKET;
	return true;
}

static enum status start_transfers(struct usb_channel *usb, struct error *error)
{
	int failure = 0;

	if (!(prepare_transfers(usb) && usb_waiting_prepare(&usb->waiting, usb->attached.context)))
		failure = LIBUSB_ERROR_NO_MEM;
	for (size_t i = 0; !failure && i < INBOUND_COUNT; i++) {
		usb_transfer_submit(&usb->inbound[i]);
		failure = usb->inbound[i].failure;
	}
	return failure ? usb_attached_refuse(&usb->attached.interface, failure, error) : STATUS_OK;
}

static enum status usb_open(const struct source *source, int cancel, struct channel **channel, struct error *error)
{
	struct usb_address wanted;
	unsigned timeout = CHANNEL_TIMEOUT_DEFAULT;

	enum status status = source_milliseconds(source, "timeout", &timeout, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &usb_kind.naming, &wanted, error);
	if (status != STATUS_OK)
		return status;
	struct usb_channel *usb = calloc(1, sizeof *usb);
	if (usb == NULL)
		return status_fail(error, "usb: out of memory");
	usb->channel = (struct channel){.ops = &channel_usb, .cancel = cancel, .timeout = timeout};
	status = usb_attached_find(&usb_kind, &wanted, &usb->attached, error);
	if (status == STATUS_OK)
		status = usb_attached_claim(&usb->attached, error);
	if (status != STATUS_OK) {
		free(usb);
		return status;
	}
	status = start_transfers(usb, error);
	if (status != STATUS_OK)
		usb_close(&usb->channel);
	else
		*channel = &usb->channel;
	return status;
}

static enum status usb_list(device_found found, void *context, struct error *error)
{
	return usb_devices_list(&usb_kind, found, context, error);
}

const struct channel_ops channel_usb = {
        .syntax = {.scheme = "usb",
                   .synopsis = "[:VID:PID[:SERIAL]][,timeout=SECONDS]",
                   .summary = "a USB device, by bulk endpoints of a vendor's interface",
                   .options = {"timeout"}},
        .open = usb_open,
        .read = usb_read,
        .write = usb_write,
        .close = usb_close,
        .list = usb_list,
        .has_no_rate = true,
};
