# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/channel/test_usb_address.c
