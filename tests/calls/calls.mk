# SPDX-License-Identifier: MIT
# The suite `calls`: compares the calls that host/firmware/calls/ finds in the output of real toolchains with objdump and
# with the relocations of the linker.

build/tests/print_calls: $(call host_objects,host,tests/calls/print_calls.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@

comma := ,

# --- sample.cpp, built in many ways. Its code is at addresses that numbers rarely equal, and .far is far from it.
CALLS_LINK := -nostdlib -static -Wl,--emit-relocs -Wl,--entry=start -Wl,-Ttext=0x6b001000 \
	-Wl,--section-start=.far=0x73001000 -Wl,--no-warnings -Wl,-z,noexecstack
CALLS_COMPILE := -x c++ -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
	-fno-stack-protector

# $(call calls_sample,NAME,COMPILER WITH ITS FLAGS,LINKER WITH ITS FLAGS,LIBRARIES)
define calls_sample
CALLS_ELFS += build/calls/$1.elf
build/calls/$1.elf: tests/calls/sample.cpp tests/calls/calls.mk
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$2 $(CALLS_COMPILE) -c $$< -o $$(@:.elf=.o)
	$$Q$3 $(CALLS_LINK) $$(@:.elf=.o) $4 -o $$@
endef

# $(call calls_samples,NAME,COMPILER WITH ITS FLAGS,LINKER WITH ITS FLAGS,LIBRARIES): at several optimisation levels.
calls_samples = $(foreach level,O0 O2 Os,$(eval $(call calls_sample,$1-$(level),$2 -$(level),$3,$4)))

ARM_GCC := $(TARGET_PREFIX_arm_m)gcc -mthumb
$(foreach core,cortex-m0 cortex-m3 cortex-m33 cortex-m55,$(call calls_samples,$(core),$(ARM_GCC) -mcpu=$(core),$(ARM_GCC) \
	-mcpu=$(core),-lgcc))
# Literal pools for each call; no literals at all, without which the linker generates no veneers for Armv6-M; clang.
$(foreach core,cortex-m0 cortex-m3,\
	$(call calls_samples,$(core)-long-calls,$(ARM_GCC) -mcpu=$(core) -mlong-calls,$(ARM_GCC) -mcpu=$(core),-lgcc) \
	$(call calls_samples,$(core)-pure-code,$(ARM_GCC) -mcpu=$(core) -mpure-code $(if $(filter cortex-m0,$(core)),-DNEAR),\
		$(ARM_GCC) -mcpu=$(core),-lgcc) \
	$(call calls_samples,$(core)-clang,clang --target=arm-none-eabi -mcpu=$(core) -fshort-enums,$(ARM_GCC) -mcpu=$(core),-lgcc))

RISCV_GCC := $(TARGET_PREFIX_riscv)gcc
riscv_rv32i := -march=rv32i -mabi=ilp32
riscv_rv32imac := -march=rv32imac -mabi=ilp32
riscv_rv64imac := -march=rv64imac -mabi=lp64 -mcmodel=medany
$(foreach isa,rv32i rv32imac rv64imac,$(call calls_samples,$(isa),$(RISCV_GCC) $(riscv_$(isa)) -msave-restore,$(RISCV_GCC) \
	$(riscv_$(isa)),-lgcc))
$(call calls_samples,rv32imac-norelax,$(RISCV_GCC) $(riscv_rv32imac) -mno-relax,$(RISCV_GCC) $(riscv_rv32imac) \
	-Wl$(comma)--no-relax,-lgcc)

# --- Whole libraries. They never run, so undefined symbols may stay undefined.
CALLS_LIBRARY_LINK := $(CALLS_LINK) -Wl,--unresolved-symbols=ignore-all -Wl,--allow-multiple-definition

# $(call calls_library,NAME,LINKER WITH ITS FLAGS,LIBRARIES)
define calls_library
CALLS_ELFS += build/calls/$1.elf
build/calls/$1.elf: tests/calls/calls.mk
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$2 $(CALLS_LIBRARY_LINK) -Wl,--whole-archive $$(foreach library,$3,$$(shell $2 -print-file-name=$$(library))) \
		-Wl,--no-whole-archive -o $$@
endef

CALLS_NEWLIB := libc.a libc_nano.a libm.a libgcc.a
$(foreach core,cortex-m0 cortex-m3 cortex-m33,$(eval $(call calls_library,newlib-$(core),$(ARM_GCC) -mcpu=$(core),\
	$(CALLS_NEWLIB))))
$(eval $(call calls_library,newlib-cortex-m55,$(ARM_GCC) -mcpu=cortex-m55 -mfloat-abi=hard,$(CALLS_NEWLIB)))
$(foreach isa,rv32i rv32imac rv64imac,$(eval $(call calls_library,libgcc-$(isa),$(RISCV_GCC) $(riscv_$(isa)),libgcc.a)))

# --- Programs that other suites also build, and similar ones.
CALLS_ELFS += $(foreach board,microbit mps2-an385 mps2-an505 mps3-an547 qemu-virt-rv32 qemu-virt-rv64,\
	$(foreach words,demo demo+O0 demo+Os demo+lto demo+clang+hooks,build/firmware/$(board)/$(words).elf))

RESULTS_calls := $(CALLS_ELFS:build/%=build/results/calls/%)
$(RESULTS_calls): build/results/calls/%: build/% build/tests/print_calls $(wildcard tests/calls/*.pl) always
	@$(RECORD) $@ tests/calls/check.sh build/tests/print_calls $<
