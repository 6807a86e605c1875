# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/text/test_console.c tests/unit/text/test_demangle.c
