# SPDX-License-Identifier: MIT
# Model of a J-Link, and its tests in the suite probe-model.

PROBE_MODEL_jlink := jlink.c jlink_firmware.c

# The model alone, then read by OpenOCD, then by the tool.
JLINK_NEEDS = build/probe-model/umockdev-jlink build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS)
RESULTS_probe-model += $(addprefix build/results/probe-model/jlink-,packets others options pull sample)
build/results/probe-model/jlink-packets: $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink tests/probe-model/packets.sh $< build/probe-model/$(@F)
build/results/probe-model/jlink-others: $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink tests/probe-model/others-jlink.sh $< build/probe-model/$(@F)
RESULTS_probe-faults += build/results/probe-faults/jlink
build/results/probe-faults/jlink: build/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-jlink $< build/probe-model/$(@F) jl-ob jl-small jl-jtag
$(addprefix build/results/probe-model/jlink-,options pull sample): build/results/probe-model/jlink-%: build/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-jlink build/probe-model/$(@F) $<
# The same for RISC-V.
RESULTS_probe-model += build/results/probe-model/jlink-riscv
build/results/probe-model/jlink-riscv: build/bareprof $$(MODEL_RISCV) $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink $(MODEL_RISCV_FIRMWARE) tests/probe-model/riscv.sh build/probe-model/umockdev-jlink build/probe-model/$(@F) $<

# One kind is enough for the sanitizers.
RESULTS_sanitize += $(addprefix build/results/probe-model/sanitize-jlink-,faults pull sample)
build/results/probe-model/sanitize-jlink-faults: build/sanitize/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-jlink $< \
		build/probe-model/$(@F) jl-ob
$(addprefix build/results/probe-model/sanitize-jlink-,pull sample): build/results/probe-model/sanitize-jlink-%: build/sanitize/bareprof \
		$$(JLINK_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) MODEL_SCHEME=jlink $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-jlink \
		build/probe-model/$(@F) $<
