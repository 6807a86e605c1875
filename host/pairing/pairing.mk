# SPDX-License-Identifier: MIT
HOST_SOURCES += host/pairing/fill.c host/pairing/groups.c host/pairing/inlined.c host/pairing/match.c host/pairing/members.c \
	host/pairing/names.c host/pairing/pairing.c host/pairing/stages.c
