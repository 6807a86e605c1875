# SPDX-License-Identifier: MIT
HOST_SOURCES += host/text/text.c
