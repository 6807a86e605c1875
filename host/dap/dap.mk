HOST_SOURCES += $(addprefix host/dap/, cortex.c families.c)
