# SPDX-License-Identifier: MIT
# Models of a debug probe and of a target, and the suites that pull and sample through them: `probe-model` in the usual mode of
# each kind of probe, `probe-modes` in all others. `probe-modes` also tests the models themselves.

# The target, to be linked with a program that drives its wires.
MODEL_TARGET := $(addprefix tests/probe-model/,access_port.c core.c debug_port.c hart.c jtag_dp.c memory.c qemu.c riscv.c rom_table.c setup.c swd.c \
	tap.c) \
	tests/options/options.c

# Any firmware, for a machine whose RAM is a file: tests/probe-model/memory.ld replaces that of the board.
MODEL_BOARD := mps2-an385
build/probe-model/%.elf: $$(call firmware_objects,$(MODEL_BOARD),$$*) $$(call board_objects,$(MODEL_BOARD),gcc) \
		$$(call firmware_library,$(MODEL_BOARD),$$*) $(wildcard linker/*.ld) tests/probe-model/memory.ld
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(subst -Lboards/families/mps2-v7m,-Ltests/probe-model,$(call board_link,$(MODEL_BOARD))) \
		$(filter %.o %.a,$^) $(call board_libgcc,$(MODEL_BOARD)) -o $@

# The RAM of a firmware at work.
build/probe-model/%.ram: build/probe-model/%.elf tests/probe-model/firmware.sh tests/probe-model/save.py tests/qemu/run.sh
	$(call say,RUN,$@)
	$Qtests/probe-model/firmware.sh build/probe-model/$*-ram $< sh -c \
		'/usr/bin/python3 tests/probe-model/save.py "$$MODEL_QMP" "$$PWD/$@" 0x21000000 32768'

# The probe and its target, plugged in by umockdev or by Linux.
MODEL_PROBE := $(addprefix tests/probe-model/,probe.c probe_usb.c cmsis_dap.c) tests/usb/device.c $(MODEL_TARGET)
MODEL_HEADERS := $(wildcard tests/probe-model/*.h tests/options/*.h) tests/usb/device.h tests/probe-model/probe-model.mk

build/probe-model/umockdev: tests/usb/umockdev.c $(MODEL_PROBE) $(MODEL_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(UMOCKDEV_FLAGS) $(UMOCKDEV_LIBRARIES) -o $@

build/probe-model/vhci: tests/usb/vhci.c $(MODEL_PROBE) $(MODEL_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@

# Other probes: NAME.mk lists the sources of NAME in PROBE_MODEL_NAME.
PROBE_MODEL_SOURCES = $(addprefix tests/probe-model/,$(PROBE_MODEL_$*)) tests/usb/device.c $(MODEL_TARGET)
build/probe-model/umockdev-%: tests/usb/umockdev.c $$(PROBE_MODEL_SOURCES) $$(MODEL_HEADERS) tests/probe-model/%.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(UMOCKDEV_FLAGS) $(UMOCKDEV_LIBRARIES) -o $@

build/probe-model/vhci-%: tests/usb/vhci.c $$(PROBE_MODEL_SOURCES) $$(MODEL_HEADERS) tests/probe-model/%.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@

# The target's JTAG pins, for programs that move them one by one.
build/probe-model/bitbang: tests/probe-model/bitbang.c $(MODEL_TARGET) $(MODEL_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@

# The models alone, and the commands of docs/PROBES.md.
MODEL_SCRIPTS := tests/hardware/run.sh $(wildcard tests/probe-model/*.sh tests/probe-model/*.py tests/probe-model/*.pl) tests/probe-model/openocd.cfg tests/probe-model/bitbang.cfg tests/probe-model/riscv.cfg tests/check/split.sh \
	tests/qemu/run.sh tests/emulated/blocks.pl
# The folder of a check's files.
MODEL_FOLDER = $(@:build/results/%=build/%)
RESULTS_probe-modes += $(addprefix build/results/probe-modes/,packets others jtag page)
build/results/probe-modes/jtag: build/probe-model/bitbang $(MODEL_SCRIPTS) always
	@$(RECORD) $@ tests/probe-model/$(@F).sh $< $(MODEL_FOLDER)
build/results/probe-modes/packets build/results/probe-modes/others: build/probe-model/umockdev $(MODEL_SCRIPTS) always
	@$(RECORD) $@ tests/probe-model/$(@F).sh $< $(MODEL_FOLDER)
build/results/probe-modes/page: build/probe-model/umockdev build/probe-model/demo+LIVE-1.elf build/bareprof \
		build/probe-model/umockdev-jlink $(MODEL_SCRIPTS) always
	@$(RECORD) $@ tests/probe-model/page.sh $(wordlist 1,2,$^)

# Programs of tests/bench/swd.sh.
SWD_BENCH := build/probe-model/umockdev build/probe-model/umockdev-jlink build/probe-model/umockdev-ftdi build/probe-model/demo+LIVE-1.elf build/firmware/qemu-virt-rv32/demo+LIVE-1.elf

# Tests that each run a firmware of their own: of the models, then of the tool, plain and sanitized.
MODEL_NEEDS := build/probe-model/umockdev build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS)
MODEL_FIRMWARE = tests/probe-model/firmware.sh $(MODEL_FOLDER)-firmware build/probe-model/demo+LIVE-1.elf

# A cmocka test has a parameter that most tests do not need.
%/tests/probe-model/live.o: HOST_FLAGS += -Wno-unused-parameter
# $(call live,VARIANT)
define live
build/probe-model/live-$1: $(call host_objects,$1,tests/probe-model/live.c tests/unit/main.c tests/unit/test.c tests/unit/probe-model/wire.c $(MODEL_TARGET))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$($1_CC) $$($1_FLAGS) $$^ $$(UNIT_CC_LIBRARIES) -o $$@
endef
$(foreach variant,host sanitize,$(eval $(call live,$(variant))))

RESULTS_probe-modes += $(addprefix build/results/probe-modes/,live running)
RESULTS_sanitize += $(addprefix build/results/probe-model/sanitize-,live faults pull sample)
build/results/probe-modes/live build/results/probe-model/sanitize-live: build/probe-model/live-host build/probe-model/live-sanitize \
		$(MODEL_NEEDS) always
	@$(RECORD) $@ env CMOCKA_MESSAGE_OUTPUT=TAP $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) build/probe-model/live-$(if $(filter sanitize-%,$(@F)),sanitize,host)
build/results/probe-modes/running: $(MODEL_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/$(@F).sh $< $(MODEL_FOLDER)

# The same for RISC-V.
MODEL_RISCV := build/firmware/qemu-virt-rv32/demo+LIVE-1.elf
MODEL_RISCV_FIRMWARE = tests/probe-model/firmware.sh $(MODEL_FOLDER)-firmware $(MODEL_RISCV)
RESULTS_probe-modes += build/results/probe-modes/riscv
RESULTS_sanitize += build/results/probe-model/sanitize-riscv
build/results/probe-modes/riscv: build/bareprof $(MODEL_RISCV) $(MODEL_NEEDS) always
	@$(RECORD) $@ $(MODEL_RISCV_FIRMWARE) tests/probe-model/riscv.sh build/probe-model/umockdev $(MODEL_FOLDER) $<
build/results/probe-model/sanitize-riscv: build/sanitize/bareprof $(MODEL_RISCV) $(MODEL_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_RISCV_FIRMWARE) tests/probe-model/riscv.sh build/probe-model/umockdev \
		build/probe-model/$(@F) $<

# One mode is enough for the sanitizers.
RESULTS_probe-modes += build/results/probe-modes/faults
build/results/probe-modes/faults: build/bareprof $(MODEL_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev $< $(MODEL_FOLDER) v2-512 v2-64 v1 jtag adiv6
build/results/probe-model/sanitize-faults: build/sanitize/bareprof $(MODEL_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev $< build/probe-model/$(@F) v2-512 adiv6

RESULTS_probe-model += $(addprefix build/results/probe-model/,pull sample)
$(addprefix build/results/probe-model/,pull sample): build/results/probe-model/%: build/bareprof $(MODEL_NEEDS) always
	@$(RECORD) $@ env MODEL_MODES=usual $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev $(MODEL_FOLDER) $<
RESULTS_probe-modes += $(addprefix build/results/probe-modes/,hardware options gdb pull sample)
$(addprefix build/results/probe-modes/,hardware options gdb pull sample): build/results/probe-modes/%: build/bareprof $(MODEL_NEEDS) always
	@$(RECORD) $@ env MODEL_MODES=other $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev $(MODEL_FOLDER) $<
$(addprefix build/results/probe-model/,sanitize-pull sanitize-sample): build/results/probe-model/sanitize-%: build/sanitize/bareprof \
		$(MODEL_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev build/probe-model/$(@F) $<
