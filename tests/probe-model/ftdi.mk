# SPDX-License-Identifier: MIT
# Model of a board with an FTDI chip, and its tests in the suite probe-model.

PROBE_MODEL_ftdi := ftdi.c ftdi_chip.c

# OpenOCD reads through the model, then the tool does.
FTDI_NEEDS = build/probe-model/umockdev-ftdi build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS)
RESULTS_probe-model += $(addprefix build/results/probe-model/ftdi-,others options pull sample riscv)
build/results/probe-model/ftdi-others: $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi tests/probe-model/others-ftdi.sh $< build/probe-model/$(@F)
RESULTS_probe-faults += build/results/probe-faults/ftdi
build/results/probe-faults/ftdi: build/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-ftdi $< build/probe-model/$(@F) ft-swd ft-resistor ft-jtag
$(addprefix build/results/probe-model/ftdi-,options pull sample): build/results/probe-model/ftdi-%: build/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-ftdi build/probe-model/$(@F) $<
build/results/probe-model/ftdi-riscv: build/bareprof $$(MODEL_RISCV) $$(FTDI_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=ftdi $(MODEL_RISCV_FIRMWARE) tests/probe-model/riscv.sh build/probe-model/umockdev-ftdi build/probe-model/$(@F) $<

RESULTS_sanitize += $(addprefix build/results/probe-model/sanitize-ftdi-,faults pull sample)
build/results/probe-model/sanitize-ftdi-faults: build/sanitize/bareprof $$(FTDI_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-ftdi $< \
		build/probe-model/$(@F) ft-swd
$(addprefix build/results/probe-model/sanitize-ftdi-,pull sample): build/results/probe-model/sanitize-ftdi-%: build/sanitize/bareprof \
		$$(FTDI_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) MODEL_SCHEME=ftdi $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-ftdi \
		build/probe-model/$(@F) $<
