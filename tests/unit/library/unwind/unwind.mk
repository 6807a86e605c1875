# SPDX-License-Identifier: MIT
# The target's unwinding by a table that the host compiled, compared with the host's own.
UNIT_TESTS += $(addprefix tests/unit/library/unwind/test_,compile.c walk.c)
UNIT_SUPPORT_library/unwind := tests/unit/library/unwind/frames.c tests/unit/firmware/elf_writer.c
UNIT_LIBRARIES_library/unwind = build/target/native-$1/libbareprof.a
