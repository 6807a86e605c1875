/* SPDX-License-Identifier: MIT */
/* Which device a SOURCE means: what is taken, and what is told to be wrong. */
#include "target/usb/address.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const struct usb_naming naming = {.scheme = "usb"};
static const struct usb_naming by_serial = {.scheme = "cmsis-dap", .by_serial = true};

static struct usb_address parse(const struct usb_naming *by, const char *text)
{
	struct usb_address address;
	struct error error = {.message = ""};

	if (usb_address_parse(text, by, &address, &error) != STATUS_OK)
		fail_msg("%s: %s", text, error.message);
	return address;
}

TEST(nothing_means_any_device)
{
	struct usb_address address = parse(&naming, "");
	assert_false(address.names_device);
	assert_string_equal(address.serial, "");
}

TEST(a_device_is_named_by_its_ids)
{
	struct usb_address address = parse(&naming, "CAFE:10");
	assert_true(address.names_device);
	assert_int_equal(address.vendor, 0xcafe);
	assert_int_equal(address.product, 0x10);
	assert_string_equal(address.serial, "");
}

TEST(a_serial_number_may_hold_colons_and_commas)
{
	assert_string_equal(parse(&naming, "cafe:4010:A:1,b").serial, "A:1,b");
}

TEST(a_serial_number_alone_names_a_probe)
{
	struct usb_address address = parse(&by_serial, "E6614");
	assert_false(address.names_device);
	assert_string_equal(address.serial, "E6614");
	address = parse(&by_serial, "cafe:4010");
	assert_true(address.names_device);
	assert_string_equal(address.serial, "");
	address = parse(&by_serial, "cafe:4010:E6614");
	assert_true(address.names_device);
	assert_string_equal(address.serial, "E6614");
}

TEST(what_is_no_device_is_told)
{
	static const char *const wrong[] = {"cafe",       "cafe:",       ":4010",     "cafe4:4010", "cafe:40100",
	                                    "cafe:4010:", "cafe:4010 1", "0xcafe:10", "cafe:-1",    "board"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct usb_address address;
		struct error error = {.message = ""};
		assert_int_equal(usb_address_parse(wrong[i], &naming, &address, &error), STATUS_USAGE);
		assert_non_null(strstr(error.message, wrong[i]));
		assert_non_null(strstr(error.message, "VID:PID"));
	}
}

TEST(a_serial_number_that_is_too_long_is_told)
{
	struct usb_address address;
	struct error error;
	char text[160], longest[160];

	snprintf(longest, sizeof longest, "cafe:4010:%0127d", 7);
	assert_int_equal(strlen(parse(&naming, longest).serial), 127);
	snprintf(text, sizeof text, "cafe:4010:%0128d", 7);
	assert_int_equal(usb_address_parse(text, &naming, &address, &error), STATUS_USAGE);
	snprintf(text, sizeof text, "%0128d", 7);
	assert_int_equal(usb_address_parse(text, &by_serial, &address, &error), STATUS_USAGE);
	assert_non_null(strstr(error.message, "serial number alone"));
}

TEST(a_source_is_what_can_be_typed)
{
	char source[USB_SOURCE_SIZE], serial[129];

	usb_address_format(&naming, 0xcafe, 0x10, "", source);
	assert_string_equal(source, "usb:cafe:0010");
	usb_address_format(&naming, 0xcafe, 0x10, "A:1", source);
	assert_string_equal(source, "usb:cafe:0010:A:1");
	snprintf(serial, sizeof serial, "%0127d", 7);
	usb_address_format(&naming, 0xcafe, 0x4010, serial, source);
	assert_string_equal(parse(&naming, source + strlen("usb:")).serial, serial);
	usb_address_format(&by_serial, 0xcafe, 0x4010, "77", source);
	assert_string_equal(source, "cmsis-dap:77");
	usb_address_format(&by_serial, 0xcafe, 0x4010, "", source);
	assert_string_equal(source, "cmsis-dap:cafe:4010");
}

TEST(a_serial_number_that_looks_like_ids_stands_behind_them)
{
	char source[USB_SOURCE_SIZE];

	usb_address_format(&by_serial, 0xcafe, 0x4010, "12:34", source);
	assert_string_equal(source, "cmsis-dap:cafe:4010:12:34");
}
