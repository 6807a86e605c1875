# SPDX-License-Identifier: MIT
# What all boards share, with a UART that is the test's. settings.h and core.h stand for those of a board.
UNIT_TESTS += tests/unit/boards/test_console.c
UNIT_SUPPORT_boards := boards/console.c
build/%/boards/console.o build/%/tests/unit/boards/test_console.o \
	build/%/lint/tests/unit/boards/test_console.c: HOST_FLAGS += -Iboards -Itests/unit/boards
