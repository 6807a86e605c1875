/* SPDX-License-Identifier: MIT */
/* The backend for FTDI chips as debug probes, over USB. */
#include "target/dap/ftdi.h"
#include "target/backend/dap_target.h"
#include "target/backend/target.h"
#include "target/usb/devices.h"

#include <string.h>

#define LAYOUTS "ft232h, ft2232h, ft4232h, tigard, minimodule, esp-prog, hifive1, olimex, olimex-swd"

static const enum usb_interface_type types[] = {USB_BULK_PAIR};

/* The ids of the layouts. Keep in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x0403, .product = 0x6010},
        {.vendor = 0x0403, .product = 0x6011},
        {.vendor = 0x0403, .product = 0x6014},
        {.vendor = 0x15ba, .product = 0x002b},
        {.vendor = 0},
};

const struct usb_kind ftdi_usb = {
        .naming = {.scheme = "ftdi", .by_serial = true},
        .name = "FTDI",
        .owns_ids = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such chip is attached; is its cable plugged in? bareprof devices lists what is attached",
        .no_interface = "that has the interface of an FTDI chip: vendor-specific, with bulk endpoints",
        .no_serial = "; if a layout was meant, name one of " LAYOUTS,
};

static enum status list_probes(device_found found, void *context, struct error *error)
{
	return usb_devices_list(&ftdi_usb, found, context, error);
}

/* Parses the address, which may begin with a LAYOUT. A layout implies the ids of its chip. */
static enum status parse(const char *address, const struct ftdi_layout **layout, struct usb_address *wanted,
                         struct error *error)
{
	const unsigned length = (unsigned)strcspn(address, ":");

	*layout = ftdi_layout_find(address, length);
	if (*layout != NULL)
		address += length + (address[length] == ':');
	enum status status = usb_address_parse(address, &ftdi_usb.naming, wanted, error);
	if (status == STATUS_OK && *layout != NULL && !wanted->names_device) {
		wanted->names_device = true;
		wanted->vendor = (*layout)->vendor;
		wanted->product = (*layout)->product;
	}
	return status;
}

static enum status open_probe(struct target *target, const struct source *source, const struct target_setup *setup,
                              struct error *error)
{
	struct target_setup probe;
	const struct ftdi_layout *layout;
	struct usb_address wanted;
	struct pins *pins;

	enum status status = dap_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = parse(source->address, &layout, &wanted, error);
	if (status == STATUS_OK)
		status = ftdi_open_pins(&ftdi_usb, &wanted, layout, setup->cancel, &pins, error);
	return status != STATUS_OK ? status : dap_target_open_pins(target, &probe, pins, error);
}

const struct target_ops backend_ftdi = {
        .scheme = "ftdi",
        .synopsis = "[:LAYOUT][:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "an FTDI chip; LAYOUT is " LAYOUTS,
        .options = {"timeout"},
        .capabilities = DAP_TARGET_CAPABILITIES | TARGET_CAN_CHOOSE_TRANSPORT,
        .open = open_probe,
        .list = list_probes,
        DAP_TARGET_OPS,
};
