# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/text/test_console.c tests/unit/text/test_demangle.c
UNIT_TESTS_jansson += tests/unit/text/test_json.c
