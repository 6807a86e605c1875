# SPDX-License-Identifier: MIT
HOST_SOURCES += host/baseline/find.c host/baseline/folder.c host/baseline/keep.c host/baseline/last.c
