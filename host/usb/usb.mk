HOST_SOURCES_libusb-1.0 += $(addprefix host/usb/, address.c attached.c bulk.c interface.c packets.c transfer.c)
HOST_SOURCES_hidapi-libusb += host/usb/reports.c
