/* SPDX-License-Identifier: MIT */
/* Transfers on bulk endpoints, many at a time, by libusb: putting them on their way, waiting for their end. Knows
 * nothing of what is in them. */
#ifndef TARGET_USB_TRANSFER_H
#define TARGET_USB_TRANSFER_H

#include "base/wait.h"

#include <libusb.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct usb_transfer {
	struct libusb_transfer *transfer;
	bool is_in_flight;
	int failure; /* of the one that ended, as libusb's functions would tell it; 0 = none */
	uint8_t *bytes;
};

/* What is waited for. */
struct usb_waiting {
	libusb_context *context;
	struct pollfd *descriptors; /* libusb's, and behind them room for what cancels */
	nfds_t count;               /* libusb's alone */
};

/* libusb's descriptors stay the same as long as no device is opened or closed: so it is prepared after that. False: no
 * memory. Zeros need not be freed. */
bool usb_waiting_prepare(struct usb_waiting *waiting, libusb_context *context);
void usb_waiting_free(struct usb_waiting *waiting);

/* False: no memory. Zeros need not be freed. */
bool usb_transfer_prepare(struct usb_transfer *transfer, libusb_device_handle *handle, uint8_t endpoint, uint8_t *bytes,
                          size_t size);
void usb_transfer_free(struct usb_transfer *transfer);

/* What it fails with is told as if it had ended by that. */
void usb_transfer_submit(struct usb_transfer *transfer);
/* Waits for the end of a transfer: WAIT_DONE, WAIT_TIMEOUT or WAIT_CANCELLED, as wait_until() does. */
enum wait_result usb_transfer_await(const struct usb_waiting *waiting, const struct usb_transfer *transfer, int cancel,
                                    uint64_t deadline);
/* Takes it back, if it has not ended. What it brought stays in it. */
void usb_transfer_end(const struct usb_waiting *waiting, struct usb_transfer *transfer);

/* Clears the halt that a failure left, which must find no transfers (USB 2.0, 9.4.5): 0, or the failure to tell. */
int usb_clear_halt(libusb_device_handle *handle, uint8_t endpoint, int failure);
/* What to tell the user of a failure. */
const char *usb_failure_text(int failure);

#endif
