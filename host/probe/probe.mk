HOST_SOURCES += $(addprefix host/probe/, access.c debug_port.c dump.c gdb.c gdb_packet.c gdb_remote.c gdb_said.c \
	gdb_servers.c link.c openocd.c tcl_answer.c text_server.c)
HOST_SOURCES_jansson += $(addprefix host/probe/, qemu.c qmp_message.c)
HOST_SOURCES_libusb-1.0 += host/probe/cmsis_dap.c host/probe/cmsis_dap_usb.c
