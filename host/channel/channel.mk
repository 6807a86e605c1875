HOST_SOURCES += $(addprefix host/channel/, source.c tcp.c)
