# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/file/test_read.c tests/unit/file/test_write.c
