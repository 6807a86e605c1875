/* SPDX-License-Identifier: MIT */
/* Packets over bulk endpoints, by libusb. A short or empty transfer, or one of the full size, ends a packet (USB 2.0,
 * 5.8.3): each packet has its own transfer, with room for the longest. */
#include "acquire/usb/attached.h"
#include "acquire/usb/packets.h"
#include "acquire/usb/transfer.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A ring of transfers, which are in flight, or ended but not checked, in the order of submission. */
struct ring {
	struct usb_transfer transfers[PACKETS_IN_FLIGHT_MAX];
	unsigned first, count;
	bool has_failed; /* a transfer failed, and none has succeeded since */
};

struct bulk {
	struct packets packets;
	struct usb_attached attached;
	struct usb_waiting waiting;
	struct ring in, out;
	size_t in_size; /* size of the ring's transfers */
	uint8_t in_bytes[PACKETS_IN_FLIGHT_MAX][PACKETS_SIZE_MAX], out_bytes[PACKETS_IN_FLIGHT_MAX][PACKETS_SIZE_MAX];
};

static struct usb_transfer *ring_at(struct ring *ring, unsigned index)
{
	return &ring->transfers[(ring->first + index) % PACKETS_IN_FLIGHT_MAX];
}

static void drop_first(struct ring *ring)
{
	ring->first = (ring->first + 1) % PACKETS_IN_FLIGHT_MAX;
	ring->count--;
}

static void end_all(struct bulk *bulk, struct ring *ring)
{
	for (unsigned i = 0; i < ring->count; i++)
		usb_transfer_end(&bulk->waiting, ring_at(ring, i));
}

static enum status fail_bulk(struct bulk *bulk, int failure, struct error *error)
{
	bulk->packets.is_lost = true;
	return status_fail(error, "%s: %s", bulk->packets.source, usb_failure_text(failure));
}

/* After a failed transfer the endpoint is halted, and later transfers wait or fail, too: clears the halt and submits
 * them again. This is tried once after each success. */
static int recover_ring(struct bulk *bulk, struct ring *ring, uint8_t endpoint)
{
	int failure = ring_at(ring, 0)->failure;

	if (ring->has_failed || failure == LIBUSB_ERROR_NO_DEVICE)
		return failure;
	ring->has_failed = true;
	end_all(bulk, ring);
	failure = usb_clear_halt(bulk->attached.handle, endpoint, failure);
	for (unsigned i = 0; !failure && i < ring->count; i++)
		usb_transfer_submit(ring_at(ring, i));
	return failure;
}

/* Waits for the first transfer of a ring. timeout_message: the error if it does not end in time. */
static enum status await_first(struct bulk *bulk, struct ring *ring, uint8_t endpoint, uint64_t deadline,
                               const char *timeout_message, struct error *error)
{
	for (;;) {
		enum wait_result result =
		        usb_transfer_await(&bulk->waiting, ring_at(ring, 0), bulk->packets.cancel, deadline);

		if (result == WAIT_CANCELLED)
			return status_fail(error, "%s: interrupted", bulk->packets.source);
		if (result != WAIT_DONE)
			return status_fail(error, "%s: %s", bulk->packets.source, timeout_message);
		if (!ring_at(ring, 0)->failure)
			break;
		int failure = recover_ring(bulk, ring, endpoint);
		if (failure)
			return fail_bulk(bulk, failure, error);
	}
	ring->has_failed = false;
	return STATUS_OK;
}

/* Room for a packet, in whole pieces, because an overlong packet would be lost entirely. */
static size_t packet_room(const struct packets *packets)
{
	size_t pieces = (packets->size_max + packets->wire_size - 1) / packets->wire_size;

	/* A device that was not queried yet may send full pieces with nothing after them. */
	return packets->size_max == PACKETS_SIZE_MAX ? packets->wire_size : pieces * packets->wire_size;
}

/* Submits another receive, up to the limit. */
static void request_packet(struct bulk *bulk)
{
	size_t size = packet_room(&bulk->packets);

	if (bulk->in_size != size) {
		end_all(bulk, &bulk->in);
		bulk->in.count = 0;
		bulk->in_size = size;
	}
	if (bulk->in.count == PACKETS_IN_FLIGHT_MAX)
		return;
	struct usb_transfer *transfer = ring_at(&bulk->in, bulk->in.count++);
	transfer->transfer->length = (int)size;
	usb_transfer_submit(transfer);
}

/* Checks the oldest sent packet: the device accepts it before the deadline. */
static enum status finish_sending(struct bulk *bulk, uint64_t deadline, struct error *error)
{
	enum status status = await_first(bulk, &bulk->out, bulk->attached.interface.out, deadline,
	                                 "the device accepts no more packets", error);

	if (status == STATUS_OK)
		drop_first(&bulk->out);
	return status;
}

static enum status bulk_send(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
                             struct error *error)
{
	struct bulk *bulk = (struct bulk *)packets;

	if (bulk->out.count == packets->in_flight_max) {
		enum status status = finish_sending(bulk, deadline, error);

		if (status != STATUS_OK)
			return status;
	}
	request_packet(bulk);
	struct usb_transfer *transfer = ring_at(&bulk->out, bulk->out.count++);
	memcpy(transfer->bytes, bytes, size);
	transfer->transfer->length = (int)size;
	/* A packet of the full size needs no terminator; a shorter one of whole pieces is followed by an empty one. */
	transfer->transfer->flags = size < packets->size_max ? LIBUSB_TRANSFER_ADD_ZERO_PACKET : 0;
	usb_transfer_submit(transfer);
	return STATUS_OK;
}

/* Waits for a packet, skipping empty transfers, which terminate a packet or are meaningless. */
static enum status await_packet(struct bulk *bulk, uint64_t deadline, struct error *error)
{
	do {
		if (bulk->in.count == 0)
			request_packet(bulk);
		enum status status = await_first(bulk, &bulk->in, bulk->attached.interface.in, deadline,
		                                 "no answer came in time", error);
		if (status != STATUS_OK || ring_at(&bulk->in, 0)->transfer->actual_length > 0)
			return status;
		drop_first(&bulk->in);
		request_packet(bulk);
	} while (clock_now() < deadline);
	return status_fail(error, "%s: only empty packets came", bulk->packets.source);
}

static enum status bulk_receive(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
                                struct error *error)
{
	struct bulk *bulk = (struct bulk *)packets;
	enum status status = STATUS_OK;

	*size = 0;
	/* An answer shows that the request was accepted. If the request was refused, that is reported instead. */
	while (status == STATUS_OK && bulk->out.count > 0)
		status = finish_sending(bulk, deadline, error);
	if (status == STATUS_OK)
		status = await_packet(bulk, deadline, error);
	if (status != STATUS_OK)
		return status;
	const struct usb_transfer *first = ring_at(&bulk->in, 0);
	size_t length = (size_t)first->transfer->actual_length;
	if (length > capacity)
		return status_fail(error, "%s: the device sent %zu bytes, more than the maximum of %zu",
		                   packets->source, length, capacity);
	memcpy(bytes, first->bytes, length);
	*size = length;
	drop_first(&bulk->in);
	return STATUS_OK;
}

static void bulk_close(struct packets *packets)
{
	struct bulk *bulk = (struct bulk *)packets;

	if (bulk->waiting.descriptors != NULL) {
		end_all(bulk, &bulk->in);
		end_all(bulk, &bulk->out);
	}
	for (unsigned i = 0; i < PACKETS_IN_FLIGHT_MAX; i++) {
		libusb_free_transfer(bulk->in.transfers[i].transfer);
		libusb_free_transfer(bulk->out.transfers[i].transfer);
	}
	free(bulk->waiting.descriptors);
	usb_attached_close(&bulk->attached);
	free(bulk);
}

static const struct packets_ops bulk_ops = {.send = bulk_send, .receive = bulk_receive, .close = bulk_close};

static bool prepare_bulk(struct bulk *bulk)
{
	const struct usb_interface *interface = &bulk->attached.interface;

	for (unsigned i = 0; i < PACKETS_IN_FLIGHT_MAX; i++)
		if (!usb_transfer_prepare(&bulk->in.transfers[i], bulk->attached.handle, interface->in,
		                          bulk->in_bytes[i], PACKETS_SIZE_MAX) ||
		    !usb_transfer_prepare(&bulk->out.transfers[i], bulk->attached.handle, interface->out,
		                          bulk->out_bytes[i], PACKETS_SIZE_MAX))
			return false;
	return usb_waiting_prepare(&bulk->waiting, bulk->attached.context);
}

enum status bulk_open(struct usb_attached *attached, struct packets **packets, struct error *error)
{
	const struct usb_interface *interface = &attached->interface;

	struct bulk *bulk = calloc(1, sizeof *bulk);
	if (bulk == NULL) {
		usb_attached_close(attached);
		return status_no_memory(error, interface->kind->naming.scheme);
	}
	enum status status = usb_attached_claim(attached, error);
	if (status != STATUS_OK) {
		free(bulk);
		return status;
	}
	bulk->attached = *attached;
	bulk->packets = (struct packets){.ops = &bulk_ops,
	                                 .size_max = PACKETS_SIZE_MAX,
	                                 .wire_size = interface->packet_size,
	                                 .in_flight_max = PACKETS_IN_FLIGHT_MAX};
	usb_interface_source(interface, bulk->packets.source);
	if (prepare_bulk(bulk)) {
		*packets = &bulk->packets;
		return STATUS_OK;
	}
	status = status_no_memory(error, bulk->packets.source);
	bulk_close(&bulk->packets);
	return status;
}
