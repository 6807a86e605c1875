HOST_SOURCES += $(addprefix host/channel/, frame.c source.c tcp.c)
