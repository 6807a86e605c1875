HOST_SOURCES_libusb-1.0 += $(addprefix host/usb/, address.c attached.c interface.c transfer.c)
