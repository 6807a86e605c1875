# SPDX-License-Identifier: MIT
UNIT_TESTS_libusb-1.0 += tests/unit/usb/test_address.c
