UNIT_TESTS += $(addprefix tests/unit/channel/test_,client.c frame.c tcp_channel.c)
UNIT_TESTS_libserialport += $(addprefix tests/unit/channel/test_,uart.c uart_port.c)
UNIT_SUPPORT_channel += $(addprefix tests/unit/channel/,fake.c pty.c wire.c)
