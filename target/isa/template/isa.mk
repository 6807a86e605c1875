# SPDX-License-Identifier: MIT
# A template for another ISA. The folder's name is the ISA's name. Without changes it builds with the compiler of this
# computer. These are the cores that `make target` builds for, the prefix of the tools' names, and clang's option for
# the ISA.
TARGET_CPUS_template := any
TARGET_PREFIX_template :=
TARGET_CLANG_template = clang
TARGET_SOURCES_template := target/isa/template/entry.c
# Compiler options for the core $1; firmware is compiled with them too.
TARGET_MACHINE_template =
# Further options of the library. It must not use floating-point registers, for example, because the recorder runs
# inside prologues.
TARGET_FLAGS_template :=
# Options of firmware, so that its calls are recorded.
TARGET_PG_template := -pg
