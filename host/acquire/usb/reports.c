/* SPDX-License-Identifier: MIT */
/* Packets as HID reports, by hidapi over libusb, which detaches the kernel's driver and needs the same permission as
 * bulk endpoints. As in CMSIS-DAP, reports have no number, and the fixed size of the endpoint's packets. */
#include "acquire/usb/attached.h"
#include "acquire/usb/packets.h"
#include "base/clock.h"
#include "base/wait.h"

#include <hidapi.h>
#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds for each wait, because hidapi's waits cannot be cancelled. */
#define SLICE 50

struct reports {
	struct packets packets;
	hid_device *device;
	size_t report_size;
};

static enum status lose_device(struct reports *reports, struct error *error)
{
	reports->packets.is_lost = true;
	return status_fail(error, "%s: the device was unplugged, or refuses reports", reports->packets.source);
}

/* Ignores the deadline, because hidapi waits for at most a second. */
static enum status reports_send(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
                                struct error *error)
{
	struct reports *reports = (struct reports *)packets;
	uint8_t report[1 + USB_PACKET_MAX] = {0};

	(void)deadline;
	memcpy(report + 1, bytes, size);
	return hid_write(reports->device, report, 1 + reports->report_size) < 0 ? lose_device(reports, error)
	                                                                        : STATUS_OK;
}

static enum status reports_receive(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline,
                                   size_t *size, struct error *error)
{
	struct reports *reports = (struct reports *)packets;
	int left;

	*size = 0;
	do {
		if (!wait_pause(0, packets->cancel))
			return status_fail(error, "%s: interrupted", packets->source);
		left = clock_poll_timeout(deadline);
		int length = hid_read_timeout(reports->device, bytes, capacity, left < SLICE ? left : SLICE);
		if (length < 0)
			return lose_device(reports, error);
		*size = (size_t)length;
	} while (*size == 0 && left > 0);
	return *size > 0 ? STATUS_OK : status_fail(error, "%s: no answer came in time", packets->source);
}

static void reports_close(struct packets *packets)
{
	struct reports *reports = (struct reports *)packets;

	hid_close(reports->device);
	hid_exit();
	free(reports);
}

static const struct packets_ops reports_ops = {
        .send = reports_send, .receive = reports_receive, .close = reports_close};

/* hidapi gives no reason. */
static enum status open_failed(const struct usb_interface *interface, struct error *error)
{
	return usb_attached_refuse(interface, interface->is_refused ? LIBUSB_ERROR_ACCESS : LIBUSB_ERROR_BUSY, error);
}

enum status reports_open(struct usb_attached *attached, struct packets **packets, struct error *error)
{
	const struct usb_interface *interface = &attached->interface;

	struct reports *reports = calloc(1, sizeof *reports);
	usb_attached_close(attached);
	if (reports == NULL)
		return status_no_memory(error, interface->kind->naming.scheme);
	reports->device = hid_open_path(interface->place);
	if (reports->device == NULL) {
		hid_exit();
		free(reports);
		return open_failed(interface, error);
	}
	reports->report_size = interface->packet_size;
	reports->packets = (struct packets){
	        .ops = &reports_ops, .size_max = interface->packet_size, .in_flight_max = PACKETS_IN_FLIGHT_MAX};
	usb_interface_source(interface, reports->packets.source);
	*packets = &reports->packets;
	return STATUS_OK;
}
