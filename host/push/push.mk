# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/push/, \
	api.c \
	client.c \
	ingest.c \
	labels.c \
	pusher.c \
	send.c)
HOST_SOURCES_libcurl += host/push/curl.c
