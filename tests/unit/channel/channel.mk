UNIT_TESTS += \
	tests/unit/channel/test_frame.c \
	tests/unit/channel/test_tcp_channel.c
UNIT_TESTS_libserialport += \
	tests/unit/channel/test_uart.c \
	tests/unit/channel/test_uart_port.c
UNIT_SUPPORT_channel += tests/unit/channel/pty.c tests/unit/channel/wire.c
