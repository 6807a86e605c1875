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

# The models alone, and what docs/PROBES.md tells to type.
LAB_SCRIPTS := $(wildcard tests/lab/*.sh tests/lab/*.py tests/lab/*.pl) tests/lab/openocd.cfg tests/check/split.sh \
	tests/qemu/run.sh tests/target/blocks.pl
RESULTS_lab := $(addprefix build/results/lab/,packets others page)
build/results/lab/packets build/results/lab/others: build/results/lab/%: build/lab/umockdev $(LAB_SCRIPTS) always
	@$(RECORD) $@ tests/lab/$*.sh $< build/lab/$*
build/results/lab/page: build/lab/umockdev build/lab/demo+LIVE-1.elf build/bareprof $(LAB_SCRIPTS) always
	@$(RECORD) $@ tests/lab/page.sh $(wordlist 1,2,$^)

# What tests/bench/swd.sh runs.
SWD_BENCH := build/lab/umockdev build/lab/demo+LIVE-1.elf

# Beside a firmware of its own each: the models, then the tool, as it is and sanitized.
LAB_NEEDS := build/lab/umockdev build/lab/demo+LIVE-1.elf $(LAB_SCRIPTS)
LAB_BESIDE = tests/lab/firmware.sh build/lab/$(@F)-firmware build/lab/demo+LIVE-1.elf

# $(call lab_live,VARIANT)
define lab_live
build/lab/live-$1: $(call host_objects,$1,tests/lab/live.c tests/unit/lab/wire.c $(LAB_TARGET))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$($1_CC) $$($1_FLAGS) $$^ $$(UNIT_CC_LIBRARIES) -o $$@
-include build/$1/tests/lab/live.d
endef
$(foreach variant,host sanitize,$(eval $(call lab_live,$(variant))))

RESULTS_lab += $(addprefix build/results/lab/,live running)
RESULTS_sanitize += $(addprefix build/results/lab/sanitize-,live faults pull sample)
build/results/lab/live build/results/lab/sanitize-live: build/results/lab/%live: build/lab/live-host build/lab/live-sanitize \
		$(LAB_NEEDS) always
	@$(RECORD) $@ env CMOCKA_MESSAGE_OUTPUT=TAP $(SANITIZE_ENVIRONMENT) $(LAB_BESIDE) build/lab/live-$(or $(patsubst %-,%,$*),host)
build/results/lab/running: $(LAB_NEEDS) always
	@$(RECORD) $@ $(LAB_BESIDE) tests/lab/$(@F).sh $< build/lab/$(@F)

# One mode is enough for the sanitizers.
RESULTS_lab += build/results/lab/faults
build/results/lab/faults: build/bareprof $(LAB_NEEDS) always
	@$(RECORD) $@ $(LAB_BESIDE) tests/lab/faults.sh build/lab/umockdev $< build/lab/$(@F) v2-512 v2-64 v1
build/results/lab/sanitize-faults: build/sanitize/bareprof $(LAB_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(LAB_BESIDE) tests/lab/faults.sh build/lab/umockdev $< build/lab/$(@F) v2-512

RESULTS_lab += $(addprefix build/results/lab/,options gdb pull sample)
$(addprefix build/results/lab/,options gdb pull sample): build/results/lab/%: build/bareprof $(LAB_NEEDS) always
	@$(RECORD) $@ $(LAB_BESIDE) tests/lab/$*.sh build/lab/umockdev build/lab/$(@F) $<
$(addprefix build/results/lab/,sanitize-pull sanitize-sample): build/results/lab/sanitize-%: build/sanitize/bareprof \
		$(LAB_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(LAB_BESIDE) tests/lab/$*.sh build/lab/umockdev build/lab/$(@F) $<
