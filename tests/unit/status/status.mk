# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/status/test_status.c
