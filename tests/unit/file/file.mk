# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/file/, test_inputs.c test_read.c test_write.c test_write_directly.c test_write_errors.c)
UNIT_SUPPORT_file += tests/unit/file/output.c
