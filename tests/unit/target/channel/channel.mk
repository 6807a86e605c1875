# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/target/channel/test_,client.c client_end.c frame.c pace.c recording.c tcp_channel.c window.c)
UNIT_SUPPORT_target/channel += $(addprefix tests/unit/target/channel/,checks.c fake.c wire.c) tests/unit/library/link/wire.c
UNIT_TESTS_libserialport += tests/unit/target/channel/test_uart.c
