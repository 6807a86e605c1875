# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/capture/merge/, test_merge.c test_merge_stacks.c test_reports.c)
UNIT_SUPPORT_capture/merge += tests/unit/profile/firmware.c tests/unit/capture/decode.c tests/unit/capture/merge/runs.c tests/block/build_block.c
