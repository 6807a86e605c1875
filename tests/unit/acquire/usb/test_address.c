/* SPDX-License-Identifier: MIT */
/* USB devices named in a SOURCE: parsing and formatting. */
#include "acquire/usb/address.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const struct usb_naming by_ids = {.scheme = "usb"};
static const struct usb_naming by_serial = {.scheme = "cmsis-dap", .by_serial = true};

static struct usb_address parse(const struct usb_naming *naming, const char *text)
{
	struct usb_address address;
	struct error error;

	if (usb_address_parse(text, naming, &address, &error) != STATUS_OK)
		fail_msg("%s: %s", text, error.message);
	return address;
}

TEST(device_is_named_by_its_ids_or_its_serial_number)
{
	static const struct {
		const struct usb_naming *naming;
		const char *text;
		struct usb_address expected;
	} cases[] = {
	        {&by_ids, "", {false, 0, 0, ""}},
	        {&by_ids, "CAFE:10", {true, 0xcafe, 0x10, ""}},
	        {&by_ids, "cafe:4010:A:1,b", {true, 0xcafe, 0x4010, "A:1,b"}},
	        {&by_serial, "E6614", {false, 0, 0, "E6614"}},
	        {&by_serial, "cafe:4010", {true, 0xcafe, 0x4010, ""}},
	        {&by_serial, "cafe:4010:E6614", {true, 0xcafe, 0x4010, "E6614"}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct usb_address *expected = &cases[i].expected;
		struct usb_address address = parse(cases[i].naming, cases[i].text);

		assert_int_equal(address.names_device, expected->names_device);
		assert_string_equal(address.serial, expected->serial);
		if (expected->names_device) {
			assert_int_equal(address.vendor, expected->vendor);
			assert_int_equal(address.product, expected->product);
		}
	}
}

TEST(text_that_names_no_device_is_a_usage_error)
{
	static const char *const wrong[] = {"cafe",       "cafe:",       ":4010",     "cafe4:4010", "cafe:40100",
	                                    "cafe:4010:", "cafe:4010 1", "0xcafe:10", "cafe:-1",    "board"};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct usb_address address;
		struct error error;

		assert_int_equal(usb_address_parse(wrong[i], &by_ids, &address, &error), STATUS_USAGE);
		assert_non_null(strstr(error.message, wrong[i]));
		assert_non_null(strstr(error.message, "VID:PID"));
	}
}

TEST(serial_number_that_is_too_long_is_a_usage_error)
{
	struct usb_address address;
	struct error error;
	char text[160];

	snprintf(text, sizeof text, "cafe:4010:%0127d", 7);
	assert_int_equal(strlen(parse(&by_ids, text).serial), 127);
	snprintf(text, sizeof text, "cafe:4010:%0128d", 7);
	assert_int_equal(usb_address_parse(text, &by_ids, &address, &error), STATUS_USAGE);
	snprintf(text, sizeof text, "%0128d", 7);
	assert_int_equal(usb_address_parse(text, &by_serial, &address, &error), STATUS_USAGE);
	assert_non_null(strstr(error.message, "serial number alone"));
}

/* A serial number that looks like ids must come after them. */
TEST(formatted_source_can_be_typed)
{
	static const struct {
		const struct usb_naming *naming;
		uint16_t product;
		const char *serial, *source;
	} cases[] = {
	        {&by_ids, 0x10, "", "usb:cafe:0010"},
	        {&by_ids, 0x10, "A:1", "usb:cafe:0010:A:1"},
	        {&by_serial, 0x4010, "77", "cmsis-dap:77"},
	        {&by_serial, 0x4010, "", "cmsis-dap:cafe:4010"},
	        {&by_serial, 0x4010, "12:34", "cmsis-dap:cafe:4010:12:34"},
	};
	char source[USB_SOURCE_SIZE], serial[129];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		usb_address_format(cases[i].naming, 0xcafe, cases[i].product, cases[i].serial, source);
		assert_string_equal(source, cases[i].source);
	}
	snprintf(serial, sizeof serial, "%0127d", 7);
	usb_address_format(&by_ids, 0xcafe, 0x4010, serial, source);
	assert_string_equal(parse(&by_ids, source + strlen("usb:")).serial, serial);
}
