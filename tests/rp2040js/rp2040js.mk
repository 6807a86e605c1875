# SPDX-License-Identifier: MIT
# Suite `rp2040js`: the boards for the Raspberry Pi Pico, which QEMU does not support, in an emulator from the npm registry;
# package-lock.json has its version and hash. Without npm or the registry, a line states that the suite was skipped.
RP2040JS_SAMPLING_pico         := demo+ROUNDS-2000+SAMPLE_PERIOD-1009
RP2040JS_SAMPLING_pico-systick := demo+ROUNDS-2000+SAMPLE_PERIOD-12109
RP2040JS_BOARDS                := pico pico-systick

build/rp2040js/installed: tests/check/npm.sh $(addprefix tests/rp2040js/,package.json package-lock.json run.mjs)
	$(call say,GET,rp2040js)
	$Q$< $(@D) $(filter-out $<,$^)

define RP2040JS_RULES
build/results/rp2040js/$1: $(foreach firmware,calls demo+LIVE-1 $(RP2040JS_SAMPLING_$1),build/firmware/$1/$(firmware).elf) \
		build/rp2040js/installed build/bareprof build/probe-model/umockdev tests/rp2040js/rp2040js.sh \
		$(EMULATED_TEST_SUPPORT) always
	@$$(RECORD) $$@ tests/rp2040js/rp2040js.sh build/rp2040js $1 $(RP2040JS_SAMPLING_$1)
endef
$(foreach board,$(RP2040JS_BOARDS),$(eval $(call RP2040JS_RULES,$(board))))

RESULTS_rp2040js := $(RP2040JS_BOARDS:%=build/results/rp2040js/%)
