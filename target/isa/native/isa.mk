# SPDX-License-Identifier: MIT
# The build machine, for tests: `host` without sanitizers, `sanitize` under ASan and UBSan, `fuzz` for libFuzzer. -pg
# needs no entry.S, because the C library defines its hook; arcs come from -finstrument-functions and bareprof_arc().
# Programs that link the library define bareprof_text_start and bareprof_text_end.
TARGET_CPUS_native := host sanitize fuzz
TARGET_PREFIX_native :=
TARGET_CLANG_native = clang
TARGET_MACHINE_native-host :=
TARGET_MACHINE_native-sanitize := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
TARGET_CC_native-sanitize := clang
TARGET_MACHINE_native-fuzz := $(TARGET_MACHINE_native-sanitize) -fsanitize=fuzzer-no-link
TARGET_CC_native-fuzz := clang
# The machine timer is two words of memory, so tests can emulate it.
TARGET_SOURCES_native := target/link/semihosting.c target/timer/mtimer.c
