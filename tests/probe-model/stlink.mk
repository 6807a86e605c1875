# SPDX-License-Identifier: MIT
# Model of an ST-Link, and its tests in the suite probe-model.

PROBE_MODEL_stlink := stlink.c stlink_firmware.c

# Independent programs read through the model, then the tool does.
STLINK_NEEDS := build/probe-model/umockdev-stlink build/probe-model/demo+LIVE-1.elf $(MODEL_SCRIPTS) tests/probe-model/openocd-stlink.cfg
RESULTS_probe-model += $(addprefix build/results/probe-model/stlink-,others options pull sample)
build/results/probe-model/stlink-others: $(STLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=stlink tests/probe-model/others-stlink.sh $< build/probe-model/$(@F)
RESULTS_probe-faults += build/results/probe-faults/stlink
build/results/probe-faults/stlink: build/bareprof $(STLINK_NEEDS) always
	@$(RECORD) $@ $(MODEL_FIRMWARE) tests/probe-model/faults.sh build/probe-model/umockdev-stlink $< build/probe-model/$(@F) st-v2 st-v3
$(addprefix build/results/probe-model/stlink-,options pull sample): build/results/probe-model/stlink-%: build/bareprof $(STLINK_NEEDS) always
	@$(RECORD) $@ env MODEL_SCHEME=stlink $(MODEL_FIRMWARE) tests/probe-model/$*.sh build/probe-model/umockdev-stlink build/probe-model/$(@F) $<

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

