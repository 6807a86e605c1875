# SPDX-License-Identifier: MIT
# Model of an ST-Link, and its tests.

PROBE_MODEL_stlink := stlink.c stlink_firmware.c

STLINK_NEEDS := build/probe-model/umockdev-stlink build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS) tests/probe-model/openocd-stlink.cfg
RESULTS_probe-model += $(addprefix build/results/probe-model/stlink-,pull sample)
$(addprefix build/results/probe-model/stlink-,pull sample): build/results/probe-model/stlink-%: build/bareprof $(STLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=stlink MODEL_MODES=usual $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-stlink \
		$(MODEL_FOLDER) $<

# Independent programs read through the model, then the tool does.
RESULTS_probe-modes += $(addprefix build/results/probe-modes/stlink-,others faults options pull sample)
build/results/probe-modes/stlink-others: $(STLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=stlink tests/probe-model/others-stlink.sh $< $(MODEL_FOLDER)
build/results/probe-modes/stlink-faults: build/bareprof $(STLINK_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-stlink $< $(MODEL_FOLDER) st-v2 st-v3
$(addprefix build/results/probe-modes/stlink-,options pull sample): build/results/probe-modes/stlink-%: build/bareprof $(STLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=stlink MODEL_MODES=other $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-stlink \
		$(MODEL_FOLDER) $<

# One kind is enough for the sanitizers.
RESULTS_sanitize += $(addprefix build/results/probe-model/sanitize-stlink-,faults pull sample)
build/results/probe-model/sanitize-stlink-faults: build/sanitize/bareprof $(STLINK_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-stlink $< build/probe-model/$(@F) st-v2-1
$(addprefix build/results/probe-model/sanitize-stlink-,pull sample): build/results/probe-model/sanitize-stlink-%: build/sanitize/bareprof \
		$(STLINK_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) MODEL_SCHEME=stlink $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-stlink \
		build/probe-model/$(@F) $<

# Commands of a long read, for tests/bench/.
build/bench/stlink: $(call host_objects,host,tests/bench/stlink.c tests/unit/acquire/probe/fake_stlink.c tests/probe-model/stlink_firmware.c \
		$(MODEL_TARGET)) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $(host_FLAGS) $^ $(HOST_LIBRARIES) -o $@

build/bench/stlink.figures: build/bench/stlink
	$(call say,RUN,$@)
	$Q$< >$@

