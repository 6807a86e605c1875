# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/top/, test_filter.c test_header.c test_model.c test_rows.c)
UNIT_SUPPORT_top += tests/unit/profile/firmware.c tests/unit/profile/measured.c
