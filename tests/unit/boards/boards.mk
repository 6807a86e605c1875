# SPDX-License-Identifier: MIT
# The console code that all boards share, over a UART of the test: settings.h and core.h replace those of a board.
UNIT_TESTS += tests/unit/boards/test_console.c
UNIT_SUPPORT_boards := boards/console.c
build/%/boards/console.o build/%/tests/unit/boards/test_console.o \
	build/%/lint/tests/unit/boards/test_console.c: HOST_FLAGS += -Iboards -Itests/unit/boards
