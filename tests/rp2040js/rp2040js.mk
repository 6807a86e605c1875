# SPDX-License-Identifier: MIT
# Suite `rp2040js`: the boards for the Raspberry Pi Pico, which QEMU does not support, in an emulator from the npm registry;
# package-lock.json has its version and hash. Without npm or the registry, a line states that the suite was skipped.
RP2040_FIRMWARE := $(addprefix build/firmware/,$(foreach word,calls demo+LIVE-1,pico/$(word).elf pico-systick/$(word).elf) \
	pico/demo+ROUNDS-2000+SAMPLE_PERIOD-1009.elf pico-systick/demo+ROUNDS-2000+SAMPLE_PERIOD-12109.elf)

build/rp2040js/installed: tests/check/npm.sh $(addprefix tests/rp2040js/,package.json package-lock.json run.mjs)
	$(call say,GET,rp2040js)
	$Q$< $(@D) $(filter-out $<,$^)

RESULTS_rp2040js := build/results/rp2040js/boards
build/results/rp2040js/boards: build/rp2040js/installed build/bareprof build/probe-model/umockdev $(RP2040_FIRMWARE) \
		tests/rp2040js/rp2040js.sh $(TARGET_TEST_SUPPORT) always
	@$(RECORD) $@ tests/rp2040js/rp2040js.sh $(<D)
