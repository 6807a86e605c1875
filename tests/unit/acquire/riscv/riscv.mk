# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/acquire/riscv/test_riscv.c
UNIT_SUPPORT_acquire/riscv += tests/unit/acquire/dap/bench.c tests/unit/acquire/dap/fake.c $(MODEL_TARGET)
