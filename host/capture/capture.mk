HOST_SOURCES += \
	host/capture/arcs.c \
	host/capture/balance.c \
	host/capture/block.c \
	host/capture/capture.c \
	host/capture/contexts.c \
	host/capture/counter.c \
	host/capture/header.c \
	host/capture/merged.c \
	host/capture/repeat.c \
	host/capture/samples.c \
	host/capture/sampling.c \
	host/capture/select.c \
	host/capture/state.c \
	host/capture/trailer.c \
	host/capture/write.c
