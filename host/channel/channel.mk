HOST_SOURCES += $(addprefix host/channel/, channel.c source.c tcp.c tcp_channel.c wait.c)
HOST_SOURCES_libserialport += $(addprefix host/channel/, uart.c uart_open.c uart_ports.c)
