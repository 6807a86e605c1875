# SPDX-License-Identifier: MIT
# Model of a J-Link, and its tests.

PROBE_MODEL_jlink := jlink.c jlink_firmware.c

JLINK_NEEDS = build/probe-model/umockdev-jlink build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS)
RESULTS_probe-model += $(addprefix build/results/probe-model/jlink-,pull sample)
$(addprefix build/results/probe-model/jlink-,pull sample): build/results/probe-model/jlink-%: build/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink MODEL_MODES=usual $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-jlink \
		$(MODEL_FOLDER) $<

# The model alone, then read by OpenOCD, then by the tool.
RESULTS_probe-modes += $(addprefix build/results/probe-modes/jlink-,packets others faults options pull sample riscv)
build/results/probe-modes/jlink-packets: $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink tests/probe-model/packets.sh $< $(MODEL_FOLDER)
build/results/probe-modes/jlink-others: $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink tests/probe-model/others-jlink.sh $< $(MODEL_FOLDER)
build/results/probe-modes/jlink-faults: build/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-jlink $< $(MODEL_FOLDER) jl-ob jl-small jl-jtag
$(addprefix build/results/probe-modes/jlink-,options pull sample): build/results/probe-modes/jlink-%: build/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink MODEL_MODES=other $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-jlink \
		$(MODEL_FOLDER) $<
build/results/probe-modes/jlink-riscv: build/bareprof $$(MODEL_RISCV) $$(JLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=jlink $(MODEL_RISCV_FIRMWARE) tests/probe-model/riscv.sh build/probe-model/umockdev-jlink $(MODEL_FOLDER) $<

# One kind is enough for the sanitizers.
RESULTS_sanitize += $(addprefix build/results/probe-model/sanitize-jlink-,faults pull sample)
build/results/probe-model/sanitize-jlink-faults: build/sanitize/bareprof $$(JLINK_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-jlink $< \
		build/probe-model/$(@F) jl-ob
$(addprefix build/results/probe-model/sanitize-jlink-,pull sample): build/results/probe-model/sanitize-jlink-%: build/sanitize/bareprof \
		$$(JLINK_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) MODEL_SCHEME=jlink $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-jlink \
		build/probe-model/$(@F) $<
