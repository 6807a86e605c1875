# SPDX-License-Identifier: MIT
# To copy for another ISA. The folder's name is the ISA's. As it is, it builds with the compiler of this computer.
# Which cores `make target` is tried with, how the tools' names begin, and how clang is told of the ISA.
TARGET_CPUS_template := any
TARGET_PREFIX_template :=
TARGET_CLANG_template = clang
TARGET_SOURCES_template := target/isa/template/entry.c
# What to tell the compiler of the core $1; firmware is compiled with it too.
TARGET_MACHINE_template =
# What else the library needs, such as not to use floating-point registers: the recorder runs inside prologues.
TARGET_FLAGS_template :=
# What firmware is compiled with so that its calls are recorded.
TARGET_PG_template := -pg
