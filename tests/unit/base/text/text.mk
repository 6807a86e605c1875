# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/base/text/test_console.c tests/unit/base/text/test_demangle.c tests/unit/base/text/test_escape.c
UNIT_TESTS_jansson += tests/unit/base/text/test_json.c
