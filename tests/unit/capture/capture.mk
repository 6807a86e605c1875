# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/capture/, test_balance.c test_capture.c test_interval.c test_merged.c test_path_nodes.c test_repeat.c test_select.c test_slices.c test_sparse.c test_stacks.c test_tally.c)
UNIT_SUPPORT_capture += tests/block/build_block.c tests/unit/capture/decode.c
