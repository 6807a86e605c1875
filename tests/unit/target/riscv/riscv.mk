# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/target/riscv/test_riscv.c
UNIT_SUPPORT_target/riscv += tests/unit/target/dap/bench.c tests/unit/target/dap/fake.c $(MODEL_TARGET)
