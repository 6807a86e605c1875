/* SPDX-License-Identifier: MIT */
/* See transfer.h. */
#include "acquire/usb/transfer.h"
#include "base/clock.h"

#include <stdlib.h>

/* Milliseconds for a cancelled transfer to end; normally it ends at once. */
#define ENDING_TIME 1000

bool usb_waiting_prepare(struct usb_waiting *waiting, libusb_context *context)
{
	const struct libusb_pollfd **descriptors = libusb_get_pollfds(context);

	*waiting = (struct usb_waiting){.context = context};
	if (descriptors == NULL)
		return false;
	while (descriptors[waiting->count] != NULL)
		waiting->count++;
	waiting->descriptors = calloc(waiting->count + 1, sizeof *waiting->descriptors);
	for (nfds_t i = 0; waiting->descriptors != NULL && i < waiting->count; i++)
		waiting->descriptors[i] = (struct pollfd){.fd = descriptors[i]->fd, .events = descriptors[i]->events};
	libusb_free_pollfds(descriptors);
	return waiting->descriptors != NULL;
}

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

static void LIBUSB_CALL note_end(struct libusb_transfer *transfer)
{
	struct usb_transfer *own = transfer->user_data;

	own->is_in_flight = false;
	own->failure = failure_of(transfer->status);
}

bool usb_transfer_prepare(struct usb_transfer *transfer, libusb_device_handle *handle, uint8_t endpoint, uint8_t *bytes,
                          size_t size)
{
	transfer->bytes = bytes;
	transfer->transfer = libusb_alloc_transfer(0);
	if (transfer->transfer != NULL)
		libusb_fill_bulk_transfer(transfer->transfer, handle, endpoint, bytes, (int)size, note_end, transfer,
		                          0);
	return transfer->transfer != NULL;
}

void usb_transfer_submit(struct usb_transfer *transfer)
{
	transfer->transfer->actual_length = 0;
	transfer->failure = libusb_submit_transfer(transfer->transfer);
	transfer->is_in_flight = !transfer->failure;
}

enum wait_result usb_transfer_await(const struct usb_waiting *waiting, const struct usb_transfer *transfer, int cancel,
                                    uint64_t deadline)
{
	struct pollfd *canceller = &waiting->descriptors[waiting->count];
	struct timeval no_time = {0};

	while (transfer->is_in_flight) {
		*canceller = (struct pollfd){.fd = cancel, .events = POLLIN};
		poll(waiting->descriptors, waiting->count + 1, clock_poll_timeout(deadline));
		if (canceller->revents)
			return WAIT_CANCELLED;
		libusb_handle_events_timeout_completed(waiting->context, &no_time, NULL);
		if (transfer->is_in_flight && clock_now() >= deadline)
			return WAIT_TIMEOUT;
	}
	return WAIT_DONE;
}

void usb_transfer_end(const struct usb_waiting *waiting, struct usb_transfer *transfer)
{
	if (transfer->is_in_flight)
		libusb_cancel_transfer(transfer->transfer);
	usb_transfer_await(waiting, transfer, -1, clock_now() + ENDING_TIME);
}

int usb_clear_halt(libusb_device_handle *handle, uint8_t endpoint, int failure)
{
	/* Report the first failure, not a failure of clearing, unless the device is gone. */
	int clearing = libusb_clear_halt(handle, endpoint);

	return clearing && clearing != LIBUSB_ERROR_NO_DEVICE ? failure : clearing;
}

const char *usb_failure_text(int failure)
{
	switch (failure) {
	case LIBUSB_ERROR_NO_DEVICE:
		return "the device was unplugged";
	case LIBUSB_ERROR_PIPE:
		return "the device refuses transfers (stall)";
	case LIBUSB_ERROR_OVERFLOW:
		return "the device sent more than it was asked for";
	default:
		return libusb_strerror(failure);
	}
}
