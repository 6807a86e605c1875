HOST_SOURCES += $(addprefix host/dap/, access_ports.c adi.c memory_ap.c memory_list.c port.c port_connect.c stream.c swd.c trace.c)
HOST_SOURCES_libusb-1.0 += $(addprefix host/dap/, cmsis_dap.c cmsis_dap_command.c cmsis_dap_packet.c)
HOST_SOURCES += $(addprefix host/dap/, cortex.c families.c)
