# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/acquire/dap/test_,access.c access_ports.c arm_debug.c memory_ap.c pause.c wires.c)
UNIT_SUPPORT_acquire/dap += tests/unit/acquire/dap/fake.c tests/unit/acquire/dap/bench.c $(MODEL_TARGET)
