# SPDX-License-Identifier: MIT
# The target's unwinding by a table that the host compiled, compared with the host's own.
UNIT_TESTS += $(addprefix tests/unit/target/unwind/test_,compile.c walk.c)
UNIT_SUPPORT_target/unwind := tests/unit/target/unwind/frames.c tests/unit/firmware/elf_writer.c
UNIT_LIBRARIES_target/unwind = build/target/native-$1/libbareprof.a
