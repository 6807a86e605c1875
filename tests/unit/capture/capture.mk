# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/capture/test_capture.c
UNIT_SUPPORT_capture += tests/block/build_block.c
