HOST_SOURCES += $(addprefix host/dap/, access_ports.c adi.c cmsis_dap.c cmsis_dap_command.c cmsis_dap_packet.c memory_ap.c \
	port.c stream.c swd.c trace.c)
