# SPDX-License-Identifier: MIT
UNIT_TESTS_libusb-1.0 += $(addprefix tests/unit/acquire/usb/test_,address.c interface.c)
