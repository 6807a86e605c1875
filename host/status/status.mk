HOST_SOURCES += host/status/status.c
