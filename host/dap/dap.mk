HOST_SOURCES += $(addprefix host/dap/, cmsis_dap.c cmsis_dap_command.c cmsis_dap_packet.c)
