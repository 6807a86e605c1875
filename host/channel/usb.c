/* SPDX-License-Identifier: MIT */
/*
 * The bulk endpoints of a USB device as a channel, by libusb: a stream, in which the borders of packets mean nothing.
 * Which interface of which device is usb_interface.c's business.
 */
#include "channel/channel.h"
#include "channel/usb_address.h"
#include "channel/usb_interface.h"
#include "wait/clock.h"

#include <libusb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A transfer for more than a packet ends with a short packet or an empty one, which not every device sends behind a
 * full one: it would keep the bytes. So each packet has a transfer of its own, and many wait, so that the device need
 * not.
 */
#define INBOUND_COUNT 32
#define OUTBOUND_SIZE 4096

/* Milliseconds that a transfer may take to end once it was cancelled: without a fault of the system, none. */
#define ENDING_TIME 1000

struct usb_transfer {
	struct libusb_transfer *transfer;
	bool is_in_flight;
	int failure; /* of the one that ended, as libusb's functions would tell it; 0 = none */
	int taken;   /* bytes that were handed on */
	uint8_t *bytes;
};

struct usb_channel {
	struct channel channel;
	libusb_context *context;
	libusb_device_handle *handle;
	struct usb_interface interface;
	struct usb_transfer inbound[INBOUND_COUNT]; /* a ring; all but those read from are in flight */
	unsigned first;                             /* of inbound: it ends next */
	struct usb_transfer outbound;
	uint8_t inbound_bytes[INBOUND_COUNT][USB_PACKET_MAX], outbound_bytes[OUTBOUND_SIZE];
	bool in_failed, out_failed; /* and nothing has come, or gone, since */
	struct pollfd *descriptors; /* libusb's, and behind them what cancels */
	nfds_t descriptor_count;    /* libusb's alone */
};

static int failure_of(enum libusb_transfer_status status)
{
	switch (status) {
	case LIBUSB_TRANSFER_COMPLETED:
	case LIBUSB_TRANSFER_CANCELLED:
		return 0;
	case LIBUSB_TRANSFER_NO_DEVICE:
		return LIBUSB_ERROR_NO_DEVICE;
	case LIBUSB_TRANSFER_STALL:
		return LIBUSB_ERROR_PIPE;
	case LIBUSB_TRANSFER_OVERFLOW:
		return LIBUSB_ERROR_OVERFLOW;
	default:
		return LIBUSB_ERROR_IO;
	}
}

static enum wait_result broken(struct usb_channel *usb, int failure)
{
	snprintf(usb->channel.reason, sizeof usb->channel.reason, "%s",
	         failure == LIBUSB_ERROR_NO_DEVICE ? "the device was unplugged"
	         : failure == LIBUSB_ERROR_PIPE    ? "the device refuses transfers (stall)"
	                                           : libusb_strerror(failure));
	return WAIT_CLOSED;
}

static void LIBUSB_CALL note_end(struct libusb_transfer *transfer)
{
	struct usb_transfer *own = transfer->user_data;
	own->is_in_flight = false;
	own->failure = failure_of(transfer->status);
}

/* What it fails with is told as if it had ended by that. */
static void submit(struct usb_transfer *transfer)
{
	transfer->taken = transfer->transfer->actual_length = 0;
	transfer->failure = libusb_submit_transfer(transfer->transfer);
	transfer->is_in_flight = !transfer->failure;
}

/* Waits for the end of a transfer: WAIT_DONE, WAIT_TIMEOUT or, if it heeds that, WAIT_CANCELLED. */
static enum wait_result await_end(struct usb_channel *usb, const struct usb_transfer *transfer, bool heeds_cancel,
                                  uint64_t deadline)
{
	struct pollfd *cancel = &usb->descriptors[usb->descriptor_count];
	struct timeval no_time = {0};

	while (transfer->is_in_flight) {
		uint64_t now = clock_now();
		uint64_t left = deadline > now ? deadline - now : 0;
		cancel->revents = 0;
		poll(usb->descriptors, usb->descriptor_count + heeds_cancel, left > 60000 ? 60000 : (int)left);
		if (cancel->revents)
			return WAIT_CANCELLED;
		libusb_handle_events_timeout_completed(usb->context, &no_time, NULL);
		if (transfer->is_in_flight && clock_now() >= deadline)
			return WAIT_TIMEOUT;
	}
	return WAIT_DONE;
}

static void end_transfer(struct usb_channel *usb, struct usb_transfer *transfer)
{
	if (transfer->is_in_flight)
		libusb_cancel_transfer(transfer->transfer);
	await_end(usb, transfer, false, clock_now() + ENDING_TIME);
}

/*
 * An endpoint whose transfer failed is halted, or the host and the device disagree on the next packet: both are mended
 * by clearing the halt (USB 2.0, 9.4.5), which must find no transfers. Tried once for each failure that follows
 * success. What the ended transfers brought stays in them.
 */
static int mend(struct usb_channel *usb, uint8_t endpoint, bool *failed, int failure)
{
	if (*failed || failure == LIBUSB_ERROR_NO_DEVICE)
		return failure;
	*failed = true;
	for (size_t i = 0; endpoint == usb->interface.in && i < INBOUND_COUNT; i++) {
		end_transfer(usb, &usb->inbound[i]);
		usb->inbound[i].failure = 0;
	}
	/* That it cannot be cleared says less than what came before, but where the device is gone. */
	int clearing = libusb_clear_halt(usb->handle, endpoint);
	return clearing && clearing != LIBUSB_ERROR_NO_DEVICE ? failure : clearing;
}

/* Sends the first of the ring, from which all was taken, for more. Where that fails, what the others brought is handed
 * on before it is told. */
static enum wait_result renew_first(struct usb_channel *usb)
{
	struct usb_transfer *first = &usb->inbound[usb->first];

	int failure = first->failure;
	if (failure)
		failure = mend(usb, usb->interface.in, &usb->in_failed, failure);
	if (failure)
		return broken(usb, failure);
	submit(first);
	usb->first = (usb->first + 1) % INBOUND_COUNT;
	return WAIT_DONE;
}

static enum wait_result usb_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline, size_t *size)
{
	struct usb_channel *usb = (struct usb_channel *)channel;

	/* Transfers that end with nothing in them may do so for ever. */
	do {
		struct usb_transfer *first = &usb->inbound[usb->first];
		enum wait_result result = await_end(usb, first, true, deadline);
		if (result != WAIT_DONE)
			return result;
		size_t left = (size_t)(first->transfer->actual_length - first->taken);
		if (left > 0) {
			*size = left < capacity ? left : capacity;
			memcpy(bytes, first->bytes + first->taken, *size);
			first->taken += (int)*size;
			usb->in_failed = false;
			return WAIT_DONE;
		}
		result = renew_first(usb);
		if (result != WAIT_DONE)
			return result;
	} while (clock_now() < deadline);
	return WAIT_TIMEOUT;
}

/* Sends what one transfer can hold; *sent is also what went before a failure. */
static enum wait_result send_some(struct usb_channel *usb, const void *bytes, size_t size, uint64_t deadline,
                                  size_t *sent)
{
	struct usb_transfer *outbound = &usb->outbound;

	*sent = 0;
	if (outbound->is_in_flight)
		return broken(usb, LIBUSB_ERROR_BUSY);
	memcpy(outbound->bytes, bytes, size);
	outbound->transfer->length = (int)size;
	submit(outbound);
	enum wait_result result = await_end(usb, outbound, true, deadline);
	end_transfer(usb, outbound);
	*sent = (size_t)outbound->transfer->actual_length;
	if (*sent > 0)
		usb->out_failed = false;
	int failure = result == WAIT_DONE ? outbound->failure : 0;
	if (failure)
		failure = mend(usb, usb->interface.out, &usb->out_failed, failure);
	return failure ? broken(usb, failure) : result;
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

	for (size_t i = 0; usb->descriptors && i < INBOUND_COUNT; i++)
		end_transfer(usb, &usb->inbound[i]);
	if (usb->handle) {
		libusb_release_interface(usb->handle, usb->interface.number);
		libusb_close(usb->handle);
	}
	for (size_t i = 0; i < INBOUND_COUNT; i++)
		libusb_free_transfer(usb->inbound[i].transfer);
	libusb_free_transfer(usb->outbound.transfer);
	free(usb->descriptors);
	if (usb->context)
		libusb_exit(usb->context);
	free(usb);
}

static bool prepare_transfer(struct usb_channel *usb, uint8_t endpoint, uint8_t *bytes, size_t size,
                             struct usb_transfer *transfer)
{
	transfer->bytes = bytes;
	transfer->transfer = libusb_alloc_transfer(0);
	if (transfer->transfer)
		libusb_fill_bulk_transfer(transfer->transfer, usb->handle, endpoint, bytes, (int)size, note_end,
		                          transfer, 0);
	return transfer->transfer;
}

static bool prepare_transfers(struct usb_channel *usb)
{
	const struct usb_interface *interface = &usb->interface;

	for (size_t i = 0; i < INBOUND_COUNT; i++)
		if (!prepare_transfer(usb, interface->in, usb->inbound_bytes[i], interface->packet_size,
		                      &usb->inbound[i]))
			return false;
	if (!prepare_transfer(usb, interface->out, usb->outbound_bytes, OUTBOUND_SIZE, &usb->outbound))
		return false;
	/* A device that waits for more than one packet is told by an empty one that a full one was the last. */
	usb->outbound.transfer->flags = LIBUSB_TRANSFER_ADD_ZERO_PACKET;
	return true;
}

/* libusb's descriptors stay the same as long as no device is opened or closed. */
static bool prepare_waiting(struct usb_channel *usb, int cancel)
{
	const struct libusb_pollfd **descriptors = libusb_get_pollfds(usb->context);
	if (!descriptors)
		return false;
	while (descriptors[usb->descriptor_count])
		usb->descriptor_count++;
	usb->descriptors = calloc(usb->descriptor_count + 1, sizeof *usb->descriptors);
	for (nfds_t i = 0; usb->descriptors && i < usb->descriptor_count; i++)
		usb->descriptors[i] = (struct pollfd){.fd = descriptors[i]->fd, .events = descriptors[i]->events};
	libusb_free_pollfds(descriptors);
	if (usb->descriptors)
		usb->descriptors[usb->descriptor_count] = (struct pollfd){.fd = cancel, .events = POLLIN};
	return usb->descriptors;
}

static enum status open_failed(const struct usb_interface *interface, int failure, struct error *error)
{
	char source[USB_SOURCE_SIZE], advice[384];

	usb_interface_source(interface, source);
	if (failure == LIBUSB_ERROR_ACCESS)
		usb_interface_permission(interface, advice, sizeof advice);
	else
		snprintf(advice, sizeof advice, "cannot open it: %s",
		         failure == LIBUSB_ERROR_BUSY ? "another program uses it" : libusb_strerror(failure));
	return status_fail(error, "%s: %s", source, advice);
}

static enum status open_interface(struct usb_channel *usb, int cancel, struct error *error)
{
	const struct usb_interface *interface = &usb->interface;

	int failure = libusb_open(interface->device, &usb->handle);
	if (failure) {
		usb->handle = NULL;
		return open_failed(interface, failure, error);
	}
	failure = libusb_claim_interface(usb->handle, interface->number);
	if (!failure && interface->alternate != 0)
		failure = libusb_set_interface_alt_setting(usb->handle, interface->number, interface->alternate);
	if (!failure && !(prepare_transfers(usb) && prepare_waiting(usb, cancel)))
		failure = LIBUSB_ERROR_NO_MEM;
	for (size_t i = 0; !failure && i < INBOUND_COUNT; i++) {
		submit(&usb->inbound[i]);
		failure = usb->inbound[i].failure;
	}
	return failure ? open_failed(interface, failure, error) : STATUS_OK;
}

static enum status open_wanted(struct usb_channel *usb, const struct usb_address *wanted, int cancel,
                               struct error *error)
{
	struct usb_interfaces interfaces;
	const struct usb_interface *chosen;

	int failure = libusb_init(&usb->context);
	if (failure) {
		usb->context = NULL;
		return status_fail(error, "usb: no USB on this machine: %s", libusb_strerror(failure));
	}
	enum status status = usb_interfaces_list(usb->context, wanted, &interfaces, error);
	if (!status)
		status = usb_interfaces_choose(&interfaces, wanted, &chosen, error);
	if (!status) {
		usb->interface = *chosen;
		status = open_interface(usb, cancel, error);
	}
	usb_interfaces_free(&interfaces);
	return status;
}

static enum status usb_open(const char *text, int cancel, struct channel **channel, struct error *error)
{
	struct usb_address wanted;

	enum status status = usb_address_parse(text, &wanted, error);
	if (status)
		return status;
	struct usb_channel *usb = calloc(1, sizeof *usb);
	if (!usb)
		return status_fail(error, "usb: out of memory");
	usb->channel = (struct channel){.ops = &channel_usb, .timeout = wanted.timeout};
	status = open_wanted(usb, &wanted, cancel, error);
	if (status)
		usb_close(&usb->channel);
	else
		*channel = &usb->channel;
	return status;
}

static void tell_of(const struct usb_interface *interface, channel_device_found found, void *context)
{
	char source[USB_SOURCE_SIZE], description[320], problem[384];

	usb_interface_source(interface, source);
	snprintf(description, sizeof description, "%s%s%04x:%04x%s%s", interface->product_name,
	         interface->product_name[0] ? ", " : "", interface->vendor, interface->product,
	         interface->serial[0] ? ", serial " : "", interface->serial);
	usb_interface_permission(interface, problem, sizeof problem);
	found(context, &(struct channel_device){.source = source,
	                                        .description = description,
	                                        .problem = interface->is_refused ? problem : NULL});
}

static enum status usb_list(channel_device_found found, void *context, struct error *error)
{
	struct usb_address any = {0};
	struct usb_interfaces interfaces;
	libusb_context *usb;

	int failure = libusb_init(&usb);
	if (failure)
		return status_fail(error, "usb: no USB on this machine: %s", libusb_strerror(failure));
	enum status status = usb_interfaces_list(usb, &any, &interfaces, error);
	for (size_t i = 0; !status && i < interfaces.count; i++)
		if (interfaces.items[i].is_named)
			tell_of(&interfaces.items[i], found, context);
	usb_interfaces_free(&interfaces);
	libusb_exit(usb);
	return status;
}

const struct channel_ops channel_usb = {
        .scheme = "usb",
        .synopsis = "[:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "a USB device, by bulk endpoints of a vendor's interface",
        .open = usb_open,
        .read = usb_read,
        .write = usb_write,
        .close = usb_close,
        .list = usb_list,
        .has_no_rate = true,
};
