# SPDX-License-Identifier: MIT
HOST_SOURCES += host/pairing/by_code.c host/pairing/by_name.c host/pairing/by_place.c host/pairing/fill.c host/pairing/groups.c \
	host/pairing/inlined.c host/pairing/match.c host/pairing/members.c host/pairing/names.c host/pairing/pairing.c
