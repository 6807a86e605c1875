# SPDX-License-Identifier: MIT
# Model of a board with an FTDI chip, and its tests.

PROBE_MODEL_ftdi := ftdi.c ftdi_chip.c

FTDI_NEEDS = build/probe-model/umockdev-ftdi build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS)
RESULTS_probe-model += $(addprefix build/results/probe-model/ftdi-,pull sample)
$(addprefix build/results/probe-model/ftdi-,pull sample): build/results/probe-model/ftdi-%: build/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi MODEL_MODES=usual $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-ftdi \
		$(MODEL_FOLDER) $<

# OpenOCD reads through the model, then the tool does.
RESULTS_probe-modes += $(addprefix build/results/probe-modes/ftdi-,others faults options pull sample riscv)
build/results/probe-modes/ftdi-others: $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi tests/probe-model/others-ftdi.sh $< $(MODEL_FOLDER)
build/results/probe-modes/ftdi-faults: build/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-ftdi $< $(MODEL_FOLDER) ft-swd ft-resistor ft-jtag
$(addprefix build/results/probe-modes/ftdi-,options pull sample): build/results/probe-modes/ftdi-%: build/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi MODEL_MODES=other $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-ftdi \
		$(MODEL_FOLDER) $<
build/results/probe-modes/ftdi-riscv: build/bareprof $$(MODEL_RISCV) $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi $(MODEL_RISCV_FIRMWARE) tests/probe-model/riscv.sh build/probe-model/umockdev-ftdi $(MODEL_FOLDER) $<

RESULTS_sanitize += $(addprefix build/results/probe-model/sanitize-ftdi-,faults pull sample)
build/results/probe-model/sanitize-ftdi-faults: build/sanitize/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-ftdi $< \
		build/probe-model/$(@F) ft-swd
$(addprefix build/results/probe-model/sanitize-ftdi-,pull sample): build/results/probe-model/sanitize-ftdi-%: build/sanitize/bareprof \
		$$(FTDI_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) MODEL_SCHEME=ftdi $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-ftdi \
		build/probe-model/$(@F) $<
