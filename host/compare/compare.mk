# SPDX-License-Identifier: MIT
HOST_SOURCES += host/compare/arcs.c host/compare/compare.c host/compare/inputs.c host/compare/order.c host/compare/quantity.c host/compare/rows.c \
	host/compare/tally.c host/compare/test.c host/compare/unit.c
