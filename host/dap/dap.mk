HOST_SOURCES += $(addprefix host/dap/, access_ports.c adi.c memory_ap.c port.c stream.c swd.c trace.c)
