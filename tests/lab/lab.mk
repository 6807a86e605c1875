# SPDX-License-Identifier: MIT
# A target behind two wires, to be linked with what moves them; and a firmware that it gives the memory of.
LAB_TARGET := $(addprefix tests/lab/,access_port.c core.c debug_port.c memory.c qemu.c setup.c swd.c)

# Any firmware, for a machine whose RAM is a file: tests/lab/memory.ld comes before that of the board.
LAB_BOARD := mps2-an385
build/lab/%.elf: $$(call firmware_objects,$(LAB_BOARD),$$*) $$(call board_objects,$(LAB_BOARD),gcc) \
		$$(call firmware_library,$(LAB_BOARD),$$*) $(wildcard linker/*.ld) tests/lab/memory.ld
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(subst -Lboards/mps2-v7m,-Ltests/lab,$(call board_link,$(LAB_BOARD))) \
		$(filter %.o %.a,$^) $(call board_libgcc,$(LAB_BOARD)) -o $@
