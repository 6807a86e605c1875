/* SPDX-License-Identifier: MIT */
/* Asynchronous transfers on bulk endpoints, by libusb. */
#ifndef ACQUIRE_USB_TRANSFER_H
#define ACQUIRE_USB_TRANSFER_H

#include "base/wait.h"

#include <libusb.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct usb_transfer {
	struct libusb_transfer *transfer;
	bool is_in_flight;
	int failure; /* libusb's error of the ended transfer; 0: none */
	uint8_t *bytes;
};

/* The descriptors to wait for. */
struct usb_waiting {
	libusb_context *context;
	struct pollfd *descriptors; /* libusb's descriptors, and room for the one that cancels */
	nfds_t count;               /* number of libusb's descriptors */
};

/* Call it after all devices are open, because libusb's descriptors change when devices are opened. The caller frees
 * waiting->descriptors. False if memory runs out. */
bool usb_waiting_prepare(struct usb_waiting *waiting, libusb_context *context);

/* The caller frees transfer->transfer by libusb_free_transfer(). False if memory runs out. */
bool usb_transfer_prepare(struct usb_transfer *transfer, libusb_device_handle *handle, uint8_t endpoint, uint8_t *bytes,
                          size_t size);

/* A failure to submit is reported as the end of the transfer. */
void usb_transfer_submit(struct usb_transfer *transfer);
/* Waits for the end of a transfer, as wait_until() does. */
enum wait_result usb_transfer_await(const struct usb_waiting *waiting, const struct usb_transfer *transfer, int cancel,
                                    uint64_t deadline);
/* Cancels a transfer unless it has ended. Its data are kept. */
void usb_transfer_end(const struct usb_waiting *waiting, struct usb_transfer *transfer);

/* Clears an endpoint's halt after a failure; no transfer may be pending (USB 2.0, 9.4.5). Returns 0, or the failure to
 * report. */
int usb_clear_halt(libusb_device_handle *handle, uint8_t endpoint, int failure);
/* The text of a failure for the user. */
const char *usb_failure_text(int failure);

#endif
