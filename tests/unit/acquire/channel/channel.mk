# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/acquire/channel/test_,client.c client_end.c frame.c pace.c recording.c tcp_channel.c window.c)
UNIT_SUPPORT_acquire/channel += $(addprefix tests/unit/acquire/channel/,checks.c fake.c wire.c) tests/unit/target/link/wire.c
UNIT_TESTS_libserialport += tests/unit/acquire/channel/test_uart.c
