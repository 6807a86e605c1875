/* SPDX-License-Identifier: MIT */
/* The backend for J-Link debug probes, over USB. */
#include "target/dap/jlink.h"
#include "base/wait.h"
#include "target/backend/dap_target.h"
#include "target/backend/target.h"
#include "target/usb/devices.h"

/* A VTref too low for any target. */
#define MILLIVOLTS_MIN 1000u

static const enum usb_interface_type types[] = {USB_BULK_PAIR};

/* The ids that libjaylink 0.3.1 opens. Keep in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x1366, .product = 0x0101},
        {.vendor = 0x1366, .product = 0x0102},
        {.vendor = 0x1366, .product = 0x0103},
        {.vendor = 0x1366, .product = 0x0104},
        {.vendor = 0x1366, .product = 0x0105},
        {.vendor = 0x1366, .product = 0x0107},
        {.vendor = 0x1366, .product = 0x0108},
        {.vendor = 0x1366, .product = 0x1010},
        {.vendor = 0x1366, .product = 0x1011},
        {.vendor = 0x1366, .product = 0x1012},
        {.vendor = 0x1366, .product = 0x1013},
        {.vendor = 0x1366, .product = 0x1014},
        {.vendor = 0x1366, .product = 0x1015},
        {.vendor = 0x1366, .product = 0x1016},
        {.vendor = 0x1366, .product = 0x1017},
        {.vendor = 0x1366, .product = 0x1018},
        {.vendor = 0x1366, .product = 0x1020},
        {.vendor = 0x1366, .product = 0x1051},
        {.vendor = 0x1366, .product = 0x1055},
        {.vendor = 0x1366, .product = 0x1061},
        {.vendor = 0},
};

const struct usb_kind jlink_usb = {
        .naming = {.scheme = "jlink", .by_serial = true},
        .name = "J-Link",
        .owns_ids = true,
        .pads_serials = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such probe is attached; is its cable plugged in? bareprof devices lists what is attached",
        .no_interface = "that has the interface of a J-Link: vendor-specific, with bulk endpoints",
};

static enum status list_probes(device_found found, void *context, struct error *error)
{
	return usb_devices_list(&jlink_usb, found, context, error);
}

/* Adds a likely reason to a failure to connect. */
static enum status add_voltage(enum status status, unsigned millivolts, int cancel, struct error *error)
{
	struct error voltage = {.message = ""};

	if (status == STATUS_OK || millivolts >= MILLIVOLTS_MIN || !wait_pause(0, cancel))
		return status;
	status_fail(&voltage,
	            "the probe measures %u.%u V at VTref (pin 1): is the target powered, and that pin connected?",
	            millivolts / 1000, millivolts / 100 % 10);
	return status_add(status, error, &voltage);
}

static enum status open_probe(struct target *target, const struct source *source, const struct target_setup *setup,
                              struct error *error)
{
	struct target_setup probe;
	unsigned millivolts = 0;
	struct usb_address wanted;
	struct pins *pins;

	enum status status = dap_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &jlink_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = jlink_open(&jlink_usb, &wanted, setup->transport == TARGET_JTAG, setup->cancel, &pins,
		                    &millivolts, error);
	if (status != STATUS_OK)
		return status;
	status = dap_target_open_pins(target, &probe, pins, error);
	return add_voltage(status, millivolts, setup->cancel, error);
}

const struct target_ops backend_jlink = {
        .scheme = "jlink",
        .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "a J-Link, also on a board: the target keeps running",
        .options = {"timeout"},
        .capabilities = DAP_TARGET_CAPABILITIES | TARGET_CAN_CHOOSE_TRANSPORT,
        .open = open_probe,
        .list = list_probes,
        DAP_TARGET_OPS,
};
