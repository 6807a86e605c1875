UNIT_TESTS += $(addprefix tests/unit/channel/test_,client.c client_end.c frame.c pace.c recording.c window.c)
UNIT_SUPPORT_channel += $(addprefix tests/unit/channel/,fake.c wire.c)

UNIT_TESTS += tests/unit/channel/test_tcp_channel.c
UNIT_TESTS_libserialport += $(addprefix tests/unit/channel/test_,uart.c uart_port.c)
UNIT_SUPPORT_channel += $(if $(filter libserialport,$(HOST_FOUND)),tests/unit/channel/pty.c)
