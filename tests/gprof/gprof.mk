# SPDX-License-Identifier: MIT
# `bareprof gprof` compared with GNU gprof on firmware with source lines, see compare.sh; tests/oracle compares them on
# profiles without lines. Firmware of tests/firmware is linked again, with all functions in .text.

# BOARD/WORDS of firmware. C++ is compared without lines: GNU gprof -l counts lines twice and fails on inlined C++, where
# the second count differs.
GPROF_C := mps2-an385/demo mps2-an385/demo+Os+plain qemu-virt-rv32/demo qemu-virt-rv64/demo+O0
GPROF_CXX := mps2-an385/cpp
GPROF_arm_m := arm-none-eabi-gprof
GPROF_riscv := riscv64-unknown-elf-gprof

# $(call gprof_firmware,BOARD,WORDS)
define gprof_firmware
build/gprof/$1/$2.elf: $(call firmware_objects,$1,$2) $(call board_objects,$1,gcc) $(call firmware_library,$1,$2) \
		tests/gprof/one_text.ld
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$(call board_cc,$1,gcc) -nostdlib -static -Wl,--unresolved-symbols=ignore-all -Wl,-z,noexecstack \
		-Wl,--no-warn-rwx-segments -T tests/gprof/one_text.ld $$(filter-out %/vectors.S.o,$$(filter %.o %.a,$$^)) $$(call board_libgcc,$1) -o $$@

$(foreach what,functions names lines,build/results/gprof/$1/$2.$(what)): build/results/gprof/$1/$2.%: \
		build/gprof/$1/$2.elf build/bareprof always
	@$$(RECORD) $$@ tests/gprof/compare.sh $$< $(GPROF_$(BOARD_ISA_$1)) build/bareprof $$*
endef

$(foreach firmware,$(GPROF_C) $(GPROF_CXX),\
	$(eval $(call gprof_firmware,$(patsubst %/,%,$(dir $(firmware))),$(notdir $(firmware)))))

RESULTS_gprof := $(foreach firmware,$(GPROF_C),$(addprefix build/results/gprof/$(firmware).,functions lines)) \
	$(GPROF_CXX:%=build/results/gprof/%.names)
