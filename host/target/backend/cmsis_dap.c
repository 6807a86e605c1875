/* SPDX-License-Identifier: MIT */
/* The backend for CMSIS-DAP debug probes, over USB. */
#include "target/dap/cmsis_dap.h"
#include "target/backend/dap_target.h"
#include "target/backend/target.h"
#include "target/usb/devices.h"
#include "target/usb/packets.h"

/* Version 2 is faster than version 1. A device with both offers the same target (Arm, "CMSIS-DAP", "USB Interface"). */
static const enum usb_interface_type types[] = {USB_BULK_ORDERED, USB_HID};

/* Keep in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x03eb, .product = 0x2111}, /* Atmel EDBG */
        {.vendor = 0x03eb, .product = 0x2140}, /* Atmel JTAGICE3 */
        {.vendor = 0x03eb, .product = 0x2141}, /* Atmel-ICE */
        {.vendor = 0x03eb, .product = 0x2144}, /* Microchip Power Debugger */
        {.vendor = 0x03eb, .product = 0x2145}, /* Microchip mEDBG */
        {.vendor = 0x03eb, .product = 0x216c}, /* Microchip EDBGC */
        {.vendor = 0x03eb, .product = 0x2175}, /* Microchip nEDBG */
        {.vendor = 0x04b4, .product = 0xf138}, /* Cypress KitProg */
        {.vendor = 0x04b4, .product = 0xf148}, /* Cypress KitProg2 */
        {.vendor = 0x04b4, .product = 0xf151}, /* Cypress MiniProg4 */
        {.vendor = 0x04b4, .product = 0xf152}, /* Cypress MiniProg4, HID */
        {.vendor = 0x04b4, .product = 0xf154}, /* Cypress KitProg3, HID */
        {.vendor = 0x04b4, .product = 0xf155}, /* Cypress KitProg3 */
        {.vendor = 0x04b4, .product = 0xf166}, /* Cypress KitProg3 with two serial ports */
        {.vendor = 0x0d28, .product = 0x0204}, /* Arm DAPLink */
        {.vendor = 0x1a86, .product = 0x8011}, /* WCH-Link */
        {.vendor = 0x1a86, .product = 0x8012}, /* WCH-LinkE; its product string does not name the protocol */
        {.vendor = 0x1fc9, .product = 0x0090}, /* NXP LPC-Link2 */
        {.vendor = 0x1fc9, .product = 0x0143}, /* NXP MCU-Link */
        /* Raspberry Pi Debug Probe: its firmware loses packets before 2.2.0. */
        {.vendor = 0x2e8a, .product = 0x000c, .fixed_in_release = 0x0220},
        {.vendor = 0xc251, .product = 0x2750}, /* Keil ULINKplus */
        {.vendor = 0},
};

const struct usb_kind cmsis_dap_usb = {
        .naming = {.scheme = "cmsis-dap", .by_serial = true},
        .name = "CMSIS-DAP",
        .may_be_part = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such probe is attached; is its cable plugged in? bareprof devices lists what is attached, and "
                   "cmsis-dap:VID:PID selects a probe that does not identify itself",
        .no_interface = "that has an interface of CMSIS-DAP: vendor-specific with bulk endpoints, or a HID",
};

static enum status list_probes(device_found found, void *context, struct error *error)
{
	return usb_devices_list(&cmsis_dap_usb, found, context, error);
}

static enum status open_probe(struct target *target, const struct source *source, const struct target_setup *setup,
                              struct error *error)
{
	struct target_setup probe;
	struct usb_address wanted;
	struct packets *packets;
	struct pins *pins;
	struct dap *dap;

	enum status status = dap_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &cmsis_dap_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = packets_open(&cmsis_dap_usb, &wanted, setup->cancel, &packets, error);
	if (status != STATUS_OK)
		return status;
	/* Leaves time to repeat a lost packet. */
	const unsigned for_answer = probe.timeout / 4 + 1;
	if (setup->transport == TARGET_JTAG) {
		status = cmsis_dap_open_jtag(packets, packets->source, for_answer, &pins, error);
		return status != STATUS_OK ? status : dap_target_open_pins(target, &probe, pins, error);
	}
	status = cmsis_dap_open(packets, packets->source, for_answer, &dap, error);
	return status != STATUS_OK ? status : dap_target_open(target, &probe, dap, error);
}

const struct target_ops backend_cmsis_dap = {
        .scheme = "cmsis-dap",
        .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary =
                "a debug probe that speaks CMSIS-DAP (DAPLink, Debug Probe, MCU-Link, ...): the target keeps running",
        .options = {"timeout"},
        .capabilities = DAP_TARGET_CAPABILITIES | TARGET_CAN_CHOOSE_TRANSPORT,
        .open = open_probe,
        .list = list_probes,
        DAP_TARGET_OPS,
};
