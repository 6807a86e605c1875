/* SPDX-License-Identifier: MIT */
/* See exchange.h. Uses libusb. A transfer of the data's exact size needs no short packet at its end (USB 2.0,
 * 5.8.3). */
#include "acquire/usb/exchange.h"

#include "acquire/usb/attached.h"
#include "acquire/usb/transfer.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of transfers that draining drops. */
#define DRAIN_MAX 256

struct bulk_exchange {
	struct exchange exchange;
	struct usb_attached attached;
	struct usb_waiting waiting;
	struct usb_transfer in, out;
	uint8_t in_bytes[EXCHANGE_SIZE_MAX], out_bytes[EXCHANGE_SIZE_MAX];
};

static enum status fail_exchange(struct bulk_exchange *bulk, int failure, struct error *error)
{
	bulk->exchange.is_lost = true;
	return status_fail(error, "%s: %s", bulk->exchange.source, usb_failure_text(failure));
}

/* Waits for the end of a transfer. After the first failure, clears the endpoint's halt and submits it again.
 * timeout_message: the error if it does not end in time. */
static enum status finish_transfer(struct bulk_exchange *bulk, struct usb_transfer *transfer, uint64_t deadline,
                                   const char *timeout_message, struct error *error)
{
	for (bool has_failed = false;; has_failed = true) {
		enum wait_result result = usb_transfer_await(&bulk->waiting, transfer, bulk->exchange.cancel, deadline);

		if (result != WAIT_DONE)
			usb_transfer_end(&bulk->waiting, transfer);
		if (result == WAIT_CANCELLED) {
			bulk->exchange.is_interrupted = true;
			return status_fail(error, "%s: interrupted", bulk->exchange.source);
		}
		if (result != WAIT_DONE)
			return status_fail(error, "%s: %s", bulk->exchange.source, timeout_message);
		if (!transfer->failure)
			return STATUS_OK;
		int failure = transfer->failure;
		if (!has_failed && failure != LIBUSB_ERROR_NO_DEVICE)
			failure = usb_clear_halt(bulk->attached.handle, transfer->transfer->endpoint, 0);
		if (has_failed || failure)
			return fail_exchange(bulk, failure, error);
		usb_transfer_submit(transfer);
	}
}

static enum status send_command(struct bulk_exchange *bulk, const uint8_t *bytes, size_t size, uint64_t deadline,
                                struct error *error)
{
	memcpy(bulk->out_bytes, bytes, size);
	bulk->out.transfer->length = (int)size;
	usb_transfer_submit(&bulk->out);
	return finish_transfer(bulk, &bulk->out, deadline, "the device accepts no more packets", error);
}

/* Reads whole packets: the rest of a packet that exceeds its transfer would be lost. */
static void request_answer(struct bulk_exchange *bulk, size_t size)
{
	size_t packet = bulk->attached.interface.packet_size;

	bulk->in.transfer->length = (int)((size + packet - 1) / packet * packet);
	usb_transfer_submit(&bulk->in);
}

/* Skips empty packets, which may follow data that fill whole packets. */
static enum status receive_answer(struct bulk_exchange *bulk, size_t size, uint64_t deadline, struct error *error)
{
	for (;;) {
		enum status status = finish_transfer(bulk, &bulk->in, deadline, "no answer came in time", error);

		if (status != STATUS_OK || bulk->in.transfer->actual_length > 0)
			return status;
		if (clock_now() >= deadline)
			return status_fail(error, "%s: only empty packets came", bulk->exchange.source);
		request_answer(bulk, size);
	}
}

static enum status bulk_exchange_run(struct exchange *exchange, const struct exchange_phases *phases, uint64_t deadline,
                                     size_t *received, struct error *error)
{
	struct bulk_exchange *bulk = (struct bulk_exchange *)exchange;

	*received = 0;
	/* The device may answer as soon as it has the command. */
	if (phases->in_size > 0)
		request_answer(bulk, phases->in_size);
	enum status status = send_command(bulk, phases->command, phases->command_size, deadline, error);
	if (status == STATUS_OK && phases->out_size > 0)
		status = send_command(bulk, phases->out, phases->out_size, deadline, error);
	if (status == STATUS_OK && phases->in_size > 0)
		status = receive_answer(bulk, phases->in_size, deadline, error);
	usb_transfer_end(&bulk->waiting, &bulk->in);
	if (status != STATUS_OK || phases->in_size == 0)
		return status;
	*received = (size_t)bulk->in.transfer->actual_length;
	memcpy(phases->in, bulk->in_bytes, *received < phases->in_size ? *received : phases->in_size);
	return STATUS_OK;
}

static void bulk_exchange_drain(struct exchange *exchange, unsigned milliseconds)
{
	struct bulk_exchange *bulk = (struct bulk_exchange *)exchange;
	struct error ignored;

	exchange->is_interrupted = false;
	for (unsigned i = 0; i < DRAIN_MAX; i++) {
		request_answer(bulk, 1);
		if (finish_transfer(bulk, &bulk->in, clock_now() + milliseconds, "", &ignored) != STATUS_OK)
			return;
		milliseconds = EXCHANGE_SILENCE;
	}
}

static void bulk_exchange_close(struct exchange *exchange)
{
	struct bulk_exchange *bulk = (struct bulk_exchange *)exchange;

	libusb_free_transfer(bulk->in.transfer);
	libusb_free_transfer(bulk->out.transfer);
	free(bulk->waiting.descriptors);
	usb_attached_close(&bulk->attached);
	free(bulk);
}

static const struct exchange_ops bulk_exchange_ops = {
        .run = bulk_exchange_run, .drain = bulk_exchange_drain, .close = bulk_exchange_close};

static bool prepare_exchange(struct bulk_exchange *bulk)
{
	const struct usb_interface *interface = &bulk->attached.interface;

	return usb_transfer_prepare(&bulk->in, bulk->attached.handle, interface->in, bulk->in_bytes,
	                            sizeof bulk->in_bytes) &&
	       usb_transfer_prepare(&bulk->out, bulk->attached.handle, interface->out, bulk->out_bytes,
	                            sizeof bulk->out_bytes) &&
	       usb_waiting_prepare(&bulk->waiting, bulk->attached.context);
}

/* Claims the device. Closes attached after a failure. */
static enum status claim_exchange(struct usb_attached *attached, int cancel, struct exchange **exchange,
                                  struct error *error)
{
	struct bulk_exchange *bulk = calloc(1, sizeof *bulk);

	if (bulk == NULL) {
		usb_attached_close(attached);
		return status_no_memory(error, attached->interface.kind->naming.scheme);
	}
	enum status status = usb_attached_claim(attached, error);
	if (status != STATUS_OK) {
		free(bulk);
		return status;
	}
	bulk->attached = *attached;
	bulk->exchange = (struct exchange){.ops = &bulk_exchange_ops, .cancel = cancel};
	usb_interface_source(&attached->interface, bulk->exchange.source);
	memcpy(bulk->exchange.serial, attached->interface.serial, sizeof bulk->exchange.serial);
	if (prepare_exchange(bulk)) {
		*exchange = &bulk->exchange;
		return STATUS_OK;
	}
	status = status_no_memory(error, bulk->exchange.source);
	bulk_exchange_close(&bulk->exchange);
	return status;
}

enum status exchange_open(const struct usb_kind *kind, const struct usb_address *wanted, int cancel,
                          struct exchange **exchange, struct error *error)
{
	struct usb_attached attached;
	char source[USB_SOURCE_SIZE];

	enum status status = usb_attached_find(kind, wanted, &attached, error);
	if (status != STATUS_OK)
		return status;
	const char *refusal = usb_interface_refusal(&attached.interface);
	if (refusal == NULL)
		return claim_exchange(&attached, cancel, exchange, error);
	usb_interface_source(&attached.interface, source);
	usb_attached_close(&attached);
	return status_fail(error, "%s: %s", source, refusal);
}
