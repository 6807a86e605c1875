# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/base/file/, test_inputs.c test_read.c test_write.c test_write_directly.c test_write_errors.c)
UNIT_SUPPORT_base/file += tests/unit/base/file/output.c
