# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/channel/test_,client.c client_end.c foreign.c frame.c pace.c recording.c tcp_channel.c window.c)
UNIT_SUPPORT_channel += $(addprefix tests/unit/channel/,checks.c fake.c wire.c)
UNIT_TESTS_libserialport += $(addprefix tests/unit/channel/test_,uart.c uart_port.c)
UNIT_SUPPORT_channel += $(if $(filter libserialport,$(HOST_FOUND)),tests/unit/channel/pty.c)
