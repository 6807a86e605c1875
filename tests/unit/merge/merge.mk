# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/merge/, test_merge.c test_reports.c test_tally.c)
UNIT_SUPPORT_merge += tests/unit/analysis/firmware.c tests/unit/merge/runs.c tests/block/build_block.c
