# SPDX-License-Identifier: MIT
HOST_SOURCES += host/calls/call_sites.c host/calls/calls.c host/calls/code_map.c host/calls/code_unit.c host/calls/decoder.c \
	host/calls/fingerprint.c host/calls/jump_tables.c host/calls/riscv.c host/calls/segments.c host/calls/thumb.c \
	host/calls/thumb_narrow.c host/calls/thumb_wide.c host/calls/veneers.c host/calls/x86.c host/calls/x86_length.c
