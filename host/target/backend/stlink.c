/* SPDX-License-Identifier: MIT */
/* The backend for ST-Link debug probes, over USB. */
#include "target/dap/stlink.h"
#include "base/wait.h"
#include "target/backend/dap_target.h"
#include "target/backend/target.h"
#include "target/usb/devices.h"

#include <string.h>

/* Milliseconds for the probe to come back in another mode, and between attempts to find it. */
#define RETURN_TIME  5000
#define RETURN_PAUSE 100u

static const enum usb_interface_type types[] = {USB_BULK_PAIR, USB_STORAGE};

/* Keep in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x0483,
         .product = 0x3744,
         .refusal = "an ST-Link/V1 is not supported: use a debug server, st-util or OpenOCD"},
        {.vendor = 0x0483, .product = 0x3742}, /* V2-1 */
        {.vendor = 0x0483, .product = 0x3748}, /* V2; also others waiting for new firmware */
        {.vendor = 0x0483, .product = 0x374a}, /* V2-1 with audio */
        {.vendor = 0x0483, .product = 0x374b}, /* V2-1 with mass storage */
        {.vendor = 0x0483, .product = 0x374d}, /* V3 waiting for new firmware */
        {.vendor = 0x0483, .product = 0x374e}, /* V3E */
        {.vendor = 0x0483, .product = 0x374f}, /* V3SET */
        {.vendor = 0x0483, .product = 0x3752}, /* V2-1 without mass storage */
        {.vendor = 0x0483, .product = 0x3753}, /* V3 with two serial ports */
        {.vendor = 0x0483, .product = 0x3754}, /* V3 without mass storage */
        {.vendor = 0x0483, .product = 0x3755}, /* V3PWR waiting for new firmware */
        {.vendor = 0x0483, .product = 0x3757}, /* V3PWR */
        {.vendor = 0},
};

const struct usb_kind stlink_usb = {
        .naming = {.scheme = "stlink", .by_serial = true},
        .name = "ST-Link Debug",
        .owns_ids = true,
        .has_raw_serials = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such probe is attached; is its cable plugged in? bareprof devices lists what is attached",
        .no_interface = "that has the interface of an ST-Link: vendor-specific, with bulk endpoints",
};

static enum status list_probes(device_found found, void *context, struct error *error)
{
	return usb_devices_list(&stlink_usb, found, context, error);
}

/* Reopens a probe that has disconnected; its ids differ in another mode. */
static enum status await_return(const char *serial, int cancel, uint64_t deadline, struct exchange **exchange,
                                struct error *error)
{
	struct usb_address wanted = {.names_device = false};

	memcpy(wanted.serial, serial, sizeof wanted.serial);
	for (;;) {
		bool was_interrupted = !wait_pause(RETURN_PAUSE, cancel);
		enum status status = exchange_open(&stlink_usb, &wanted, cancel, exchange, error);

		if (status == STATUS_OK || was_interrupted || clock_now() >= deadline)
			return status;
	}
}

/* Opens the probe and takes it out of DFU. It may still be found before it disconnects. */
static enum status open_exchange(const struct usb_address *wanted, int cancel, struct exchange **exchange,
                                 struct error *error)
{
	const uint64_t deadline = clock_now() + RETURN_TIME;
	char serial[sizeof wanted->serial];
	bool comes_back = false;

	enum status status = exchange_open(&stlink_usb, wanted, cancel, exchange, error);
	while (status == STATUS_OK) {
		const bool was_left = comes_back, is_late = clock_now() >= deadline;

		status = stlink_leave_dfu(*exchange, &comes_back, error);
		if (status == STATUS_OK && (!comes_back || is_late))
			break;
		memcpy(serial, (*exchange)->serial, sizeof serial);
		(*exchange)->ops->close(*exchange);
		if (status != STATUS_OK && (!was_left || is_late || !wait_pause(0, cancel)))
			break;
		comes_back = true;
		status = await_return(serial, cancel, deadline, exchange, error);
	}
	return status;
}

static enum status open_probe(struct target *target, const struct source *source, const struct target_setup *setup,
                              struct error *error)
{
	struct target_setup probe;
	struct usb_address wanted;
	struct exchange *exchange;

	enum status status = dap_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &stlink_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = open_exchange(&wanted, setup->cancel, &exchange, error);
	if (status != STATUS_OK)
		return status;
	probe.speed = setup->speed;
	return stlink_open(exchange, &probe, &((struct dap_target *)target)->access, error);
}

const struct target_ops backend_stlink = {
        .scheme = "stlink",
        .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "an ST-Link, version 2, 2-1 or 3 (Nucleo and Discovery boards): the target keeps running",
        .options = {"timeout"},
        .capabilities = DAP_TARGET_CAPABILITIES,
        .open = open_probe,
        .list = list_probes,
        DAP_TARGET_OPS,
};
