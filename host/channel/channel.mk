HOST_SOURCES += $(addprefix host/channel/, answers.c breaks.c channel.c client.c foreign.c frame.c identity.c local.c \
	pace.c recording.c requests.c resolve.c sending.c session.c silence.c source.c tcp.c tcp_channel.c translation.c \
	window.c)
HOST_SOURCES_libserialport += $(addprefix host/channel/, uart.c uart_found.c uart_open.c uart_ports.c)
HOST_SOURCES_libusb-1.0 += $(addprefix host/channel/, usb.c usb_devices.c)
