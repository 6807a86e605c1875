# SPDX-License-Identifier: MIT
HOST_SOURCES += host/file/inputs.c host/file/read.c host/file/resolve.c host/file/write.c
