/* SPDX-License-Identifier: MIT */
/* The choice among several interfaces, its messages, and probes that lose packets. */
#include "acquire/usb/interface.h"
#include "acquire/usb/packets.h"
#include "test.h"

#include <string.h>

extern const struct usb_kind cmsis_dap_usb;

static struct usb_interface items[] = {
        {.kind = &cmsis_dap_usb, .vendor = 0x0d28, .product = 0x0204, .serial = "A1", .mark = USB_NAMED},
        {.kind = &cmsis_dap_usb,
         .vendor = 0x2e8a,
         .product = 0x000c,
         .serial = "B2",
         .mark = USB_NAMED,
         .release = 0x0219},
        {.kind = &cmsis_dap_usb, .vendor = 0xcafe, .product = 0x4010, .serial = "C3", .mark = USB_UNMARKED},
};

static struct usb_address address_of(const char *text)
{
	struct usb_address address;
	struct error error;

	assert_int_equal(usb_address_parse(text, &cmsis_dap_usb.naming, &address, &error), STATUS_OK);
	return address;
}

/* The serial number of the interface chosen among count items, or the message. */
static const char *choose(size_t first, size_t count, const char *text)
{
	static struct error error;
	struct usb_interfaces interfaces = {.items = items + first, .count = count};
	struct usb_address wanted = address_of(text);
	const struct usb_interface *chosen;

	if (usb_interfaces_choose(&interfaces, &cmsis_dap_usb, &wanted, &chosen, &error) != STATUS_OK)
		return error.message;
	return chosen->serial;
}

TEST(single_device_needs_no_name)
{
	assert_string_equal(choose(0, 1, ""), "A1");
}

TEST(several_devices_are_listed)
{
	assert_string_equal(choose(0, 3, ""), "cmsis-dap: 2 devices fit; name one of them, or unplug the others: "
	                                      "cmsis-dap:A1, cmsis-dap:B2");
	assert_string_equal(choose(0, 3, "B2"), "B2");
}

TEST(unrecognised_device_must_be_named_by_its_ids)
{
	char source[USB_SOURCE_SIZE];

	assert_non_null(strstr(choose(0, 3, "C3"), "no such device"));
	assert_string_equal(choose(2, 1, "cafe:4010"), "C3");
	usb_interface_source(&items[2], source);
	assert_string_equal(source, "cmsis-dap:cafe:4010:C3");
}

TEST(wrong_serial_number_is_reported_with_those_attached)
{
	assert_string_equal(choose(0, 2, "Z9"),
	                    "cmsis-dap:Z9: no such device is attached; there is cmsis-dap:A1, cmsis-dap:B2");
}

TEST(wrong_ids_are_reported_with_the_attached_devices)
{
	assert_string_equal(choose(0, 2, "0d28:0204:B2"),
	                    "cmsis-dap:0d28:0204:B2: no such device is attached; there is cmsis-dap:A1");
	assert_string_equal(
	        choose(0, 3, "cafe:4012"),
	        "cmsis-dap:cafe:4012: no such device is attached that has an interface of "
	        "CMSIS-DAP: vendor-specific with bulk endpoints, or a HID; there is cmsis-dap:A1, cmsis-dap:B2");
}

TEST(debug_probe_loses_packets_before_release_2_20)
{
	struct usb_interface probe = items[1];

	assert_true(usb_interface_loses_packets(&probe));
	probe.release = 0x0220;
	assert_false(usb_interface_loses_packets(&probe));
	assert_false(usb_interface_loses_packets(&items[0]));
	assert_false(usb_interface_loses_packets(&items[2]));
}
