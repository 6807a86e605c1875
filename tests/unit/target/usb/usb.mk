# SPDX-License-Identifier: MIT
UNIT_TESTS_libusb-1.0 += $(addprefix tests/unit/target/usb/test_,address.c interface.c)
