HOST_SOURCES += \
	host/capture/block.c \
	host/capture/capture.c \
	host/capture/header.c \
	host/capture/trailer.c
