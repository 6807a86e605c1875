HOST_SOURCES += $(addprefix host/channel/, source.c tcp.c usb.c usb_address.c usb_interface.c)
