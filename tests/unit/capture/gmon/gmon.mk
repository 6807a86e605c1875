# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/capture/gmon/, test_add_up.c test_captures.c test_read.c test_read_bsd.c test_write.c)
UNIT_SUPPORT_capture/gmon += tests/unit/capture/gmon/records.c tests/unit/capture/decode.c tests/block/build_block.c
