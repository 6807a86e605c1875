# SPDX-License-Identifier: MIT
# RISC-V. A CPU is an -march string; zicsr is added where it is missing. Its letters determine the ABI: d or g, f, e, or
# none of them. Any other CPU works too; without M the compiler may call its library to multiply.
TARGET_CPUS_riscv := rv32imac rv32imc rv64imac rv64imc
TARGET_PREFIX_riscv := riscv64-unknown-elf-
TARGET_CLANG_riscv = clang --target=$(if $(filter rv64%,$1),riscv64,riscv32)-unknown-elf
TARGET_CLANG_PG_riscv = $(error clang hands _mcount no return address on RISC-V: compile with \
	-finstrument-functions-after-inlining)
TARGET_SOURCES_riscv := $(addprefix target/isa/riscv/,entry.S layout.c mtimer_interrupt.S other_trap.c) \
	target/link/semihosting.c target/timer/mtimer.c
# medany: code and RAM may lie anywhere, as long as they are within 2 GB of each other.
TARGET_MACHINE_riscv = -march=$1$(riscv_zicsr) -mabi=$(if $(filter rv64%,$1),lp64,ilp32)$(riscv_abi) -mcmodel=medany
# GCC requires the name of the extension, clang 14 does not know it.
riscv_zicsr = $(if $(filter clang,$(TOOLCHAIN))$(findstring zicsr,$1),,_zicsr)
riscv_letters = $(firstword $(subst _, ,$(patsubst rv32%,%,$(patsubst rv64%,%,$1))))
riscv_abi = $(or $(if $(findstring d,$(riscv_letters))$(findstring g,$(riscv_letters)),d),$(findstring \
	f,$(riscv_letters)),$(findstring e,$(riscv_letters)))
TARGET_PG_riscv = -pg
