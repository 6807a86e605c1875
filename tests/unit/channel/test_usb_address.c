/* SPDX-License-Identifier: MIT */
/* Which device a SOURCE means: what is taken, and what is told to be wrong. */
#include "channel/usb_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct usb_address parse(const char *text)
{
	struct usb_address address;
	struct error error = {""};

	if (usb_address_parse(text, &address, &error))
		fail_msg("%s: %s", text, error.message);
	return address;
}

static void nothing_means_any_device(void **state)
{
	(void)state;
	struct usb_address address = parse("");
	assert_false(address.names_device);
	assert_int_equal(address.timeout, 5000);
}

static void options_go_without_a_device(void **state)
{
	(void)state;
	struct usb_address address = parse(",timeout=1.5");
	assert_false(address.names_device);
	assert_int_equal(address.timeout, 1500);
}

static void a_device_is_named_by_its_ids(void **state)
{
	(void)state;
	struct usb_address address = parse("CAFE:10,timeout=2");
	assert_true(address.names_device);
	assert_int_equal(address.vendor, 0xcafe);
	assert_int_equal(address.product, 0x10);
	assert_string_equal(address.serial, "");
	assert_int_equal(address.timeout, 2000);
}

static void a_serial_number_may_hold_colons_and_commas(void **state)
{
	(void)state;
	assert_string_equal(parse("cafe:4010:A:1,b,timeout=2").serial, "A:1,b");
}

static void what_is_no_device_is_told(void **state)
{
	(void)state;
	static const char *const wrong[] = {"cafe",       "cafe:",       ":4010",     "cafe4:4010", "cafe:40100",
	                                    "cafe:4010:", "cafe:4010 1", "0xcafe:10", "cafe:-1",    "board"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct usb_address address;
		struct error error = {""};
		assert_int_equal(usb_address_parse(wrong[i], &address, &error), STATUS_USAGE);
		assert_non_null(strstr(error.message, wrong[i]));
		assert_non_null(strstr(error.message, "VID:PID"));
	}
}

static void a_serial_number_that_is_too_long_is_told(void **state)
{
	(void)state;
	struct usb_address address;
	struct error error;
	char text[160], longest[160];

	snprintf(longest, sizeof longest, "cafe:4010:%0127d", 7);
	assert_int_equal(strlen(parse(longest).serial), 127);
	snprintf(text, sizeof text, "cafe:4010:%0128d", 7);
	assert_int_equal(usb_address_parse(text, &address, &error), STATUS_USAGE);
}

static void unknown_options_are_told(void **state)
{
	(void)state;
	struct usb_address address;
	struct error error;

	assert_int_equal(usb_address_parse("cafe:4010,baud=9600", &address, &error), STATUS_USAGE);
	assert_non_null(strstr(error.message, "timeout"));
}

static void a_source_is_what_can_be_typed(void **state)
{
	(void)state;
	char source[USB_SOURCE_SIZE], serial[129];

	usb_source_format(0xcafe, 0x10, "", source);
	assert_string_equal(source, "usb:cafe:0010");
	usb_source_format(0xcafe, 0x10, "A:1", source);
	assert_string_equal(source, "usb:cafe:0010:A:1");
	snprintf(serial, sizeof serial, "%0127d", 7);
	usb_source_format(0xcafe, 0x4010, serial, source);
	assert_string_equal(parse(source + strlen("usb:")).serial, serial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nothing_means_any_device),
	        cmocka_unit_test(options_go_without_a_device),
	        cmocka_unit_test(a_device_is_named_by_its_ids),
	        cmocka_unit_test(a_serial_number_may_hold_colons_and_commas),
	        cmocka_unit_test(what_is_no_device_is_told),
	        cmocka_unit_test(a_serial_number_that_is_too_long_is_told),
	        cmocka_unit_test(unknown_options_are_told),
	        cmocka_unit_test(a_source_is_what_can_be_typed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
