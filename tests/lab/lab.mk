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

# What a firmware has in its RAM while it works.
build/lab/%.ram: build/lab/%.elf tests/lab/firmware.sh tests/lab/save.py tests/qemu/run.sh
	$(call say,RUN,$@)
	$Qtests/lab/firmware.sh build/lab/$*-ram $< sh -c \
		'/usr/bin/python3 tests/lab/save.py "$$LAB_QMP" "$$PWD/$@" 0x21000000 32768'

# A debug probe with CMSIS-DAP in front of it, plugged in by umockdev or by Linux.
LAB_PROBE := tests/lab/probe.c tests/lab/probe_usb.c tests/lab/cmsis_dap.c $(LAB_TARGET)
LAB_HEADERS := $(wildcard tests/lab/*.h) tests/usb/device.h tests/lab/lab.mk

build/lab/umockdev: tests/usb/umockdev.c $(LAB_PROBE) $(LAB_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(USB_RIG_FLAGS) $(USB_RIG_LIBRARIES) -o $@

build/lab/vhci: tests/usb/vhci.c $(LAB_PROBE) $(LAB_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@

RESULTS_lab := build/results/lab/packets build/results/lab/others
build/results/lab/packets: build/lab/umockdev tests/lab/packets.sh tests/lab/packets.py always
	@$(RECORD) $@ tests/lab/packets.sh $< build/lab/packets
build/results/lab/others: build/lab/umockdev tests/lab/others.sh tests/lab/readers.sh tests/lab/support.sh tests/lab/openocd.cfg \
		tests/lab/read.py always
	@$(RECORD) $@ tests/lab/others.sh $< build/lab/others

# The memory of a firmware is taken once it has worked. One mode is enough for the sanitizers.
RESULTS_lab += build/results/lab/faults build/results/lab/sanitize-faults
build/results/lab/faults: build/lab/umockdev build/bareprof build/lab/demo+LIVE-1.elf tests/lab/faults.sh \
		tests/lab/firmware.sh tests/lab/save.py tests/qemu/run.sh always
	@$(RECORD) $@ tests/lab/firmware.sh build/lab/faults-firmware build/lab/demo+LIVE-1.elf tests/lab/faults.sh $< build/bareprof \
		build/lab/faults v2-512 v2-64 v1
build/results/lab/sanitize-faults: build/lab/umockdev build/sanitize/bareprof build/lab/demo+LIVE-1.elf tests/lab/faults.sh \
		tests/lab/firmware.sh tests/lab/save.py tests/qemu/run.sh always
	@$(RECORD) $@ env $(USB_SANITIZE_ENVIRONMENT) tests/lab/firmware.sh build/lab/sanitize-faults-firmware \
		build/lab/demo+LIVE-1.elf tests/lab/faults.sh $< build/sanitize/bareprof build/lab/sanitize-faults v2-512

RESULTS_lab += build/results/lab/page
build/results/lab/page: tests/lab/page.sh tests/lab/clocks.sh build/bareprof build/lab/umockdev build/lab/demo+LIVE-1.elf always
	@$(RECORD) $@ $< build/lab/umockdev build/lab/demo+LIVE-1.elf

# What tests/bench/swd.sh runs.
SWD_BENCH := build/lab/umockdev build/lab/demo+LIVE-1.elf

# $(call lab_live,VARIANT)
define lab_live
build/lab/live-$1: $(call host_objects,$1,tests/lab/live.c tests/unit/lab/wire.c $(LAB_TARGET))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$($1_CC) $$($1_FLAGS) $$^ $$(UNIT_CC_LIBRARIES) -o $$@
-include build/$1/tests/lab/live.d
endef
$(foreach variant,host sanitize,$(eval $(call lab_live,$(variant))))

RESULTS_lab += build/results/lab/live build/results/lab/sanitize-live
build/results/lab/live build/results/lab/sanitize-live: build/results/lab/%live: build/lab/demo+LIVE-1.elf \
		build/lab/live-host build/lab/live-sanitize tests/lab/firmware.sh tests/qemu/run.sh always
	@$(RECORD) $@ env CMOCKA_MESSAGE_OUTPUT=TAP $(SANITIZE_ENVIRONMENT) tests/lab/firmware.sh build/lab/$*live $< \
		build/lab/live-$(or $(patsubst %-,%,$*),host)

RESULTS_lab += build/results/lab/running
build/results/lab/running: build/lab/umockdev build/lab/demo+LIVE-1.elf $(wildcard tests/lab/*.sh tests/lab/*.py) \
		tests/lab/openocd.cfg tests/qemu/run.sh always
	@$(RECORD) $@ tests/lab/firmware.sh build/lab/firmware build/lab/demo+LIVE-1.elf tests/lab/running.sh $< build/lab/running

RESULTS_lab += build/results/lab/options
build/results/lab/options: build/lab/umockdev build/bareprof build/lab/demo+LIVE-1.elf tests/lab/firmware.sh \
		tests/lab/options.sh tests/lab/support.sh tests/lab/save.py tests/qemu/run.sh always
	@$(RECORD) $@ tests/lab/firmware.sh build/lab/options-firmware build/lab/demo+LIVE-1.elf tests/lab/options.sh $< \
		build/lab/options build/bareprof

RESULTS_lab += build/results/lab/gdb
build/results/lab/gdb: build/lab/umockdev build/bareprof build/lab/demo+LIVE-1.elf tests/lab/firmware.sh tests/lab/gdb.sh \
		tests/lab/support.sh tests/lab/openocd.cfg tests/lab/gdbserver.py tests/qemu/run.sh always
	@$(RECORD) $@ tests/lab/firmware.sh build/lab/gdb-firmware build/lab/demo+LIVE-1.elf tests/lab/gdb.sh $< \
		build/lab/gdb build/bareprof

# The tool itself, as it is and sanitized, each beside a firmware of its own.
RESULTS_lab += $(foreach test,pull sample,build/results/lab/$(test) build/results/lab/sanitize-$(test))
LAB_TOOL_NEEDS := build/lab/umockdev build/lab/demo+LIVE-1.elf $(wildcard tests/lab/*.sh tests/lab/*.py tests/lab/*.pl) \
	tests/target/blocks.pl tests/lab/openocd.cfg tests/qemu/run.sh
build/results/lab/pull build/results/lab/sample: build/results/lab/%: build/bareprof $(LAB_TOOL_NEEDS) always
	@$(RECORD) $@ tests/lab/firmware.sh build/lab/$*-firmware build/lab/demo+LIVE-1.elf tests/lab/$*.sh build/lab/umockdev \
		build/lab/$* $<
build/results/lab/sanitize-pull build/results/lab/sanitize-sample: build/results/lab/sanitize-%: build/sanitize/bareprof \
		$(LAB_TOOL_NEEDS) always
	@$(RECORD) $@ env $(USB_SANITIZE_ENVIRONMENT) tests/lab/firmware.sh build/lab/sanitize-$*-firmware \
		build/lab/demo+LIVE-1.elf tests/lab/$*.sh build/lab/umockdev build/lab/sanitize-$* $<
