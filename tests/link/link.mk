# SPDX-License-Identifier: MIT
# A firmware that is a process (target.c), a faulty line to the host (proxy.c), and malicious peers (hostile.c).

LINK_COMPILE := -std=c11 -O2 -g -no-pie $(WARNINGS) -D_GNU_SOURCE -Iinclude
LINK_HEADERS := $(wildcard tests/link/*.h tests/random.h tests/options/options.h tests/unit/target/link/wire.h include/bareprof/*.h)
LINK_END := tests/link/end.c tests/link/line.c tests/options/options.c
LINK_TARGET := tests/link/target.c tests/link/memory.c $(LINK_END)

build/link/proxy: tests/link/proxy.c tests/link/faults.c $(LINK_END) $(LINK_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) $(LINK_COMPILE) $(filter %.c,$^) -o $@

build/link/hostile: tests/link/hostile.c tests/unit/target/link/wire.c $(LINK_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) $(LINK_COMPILE) $(filter %.c,$^) -lz -o $@

# -no-pie: the block is at the same address in each run, as in firmware.
build/link/target: $(LINK_TARGET) $(LINK_HEADERS) build/target/native-host/libbareprof.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) $(LINK_COMPILE) $(filter %.c %.a,$^) -o $@

build/link/target-sanitized: $(LINK_TARGET) $(LINK_HEADERS) build/target/native-sanitize/libbareprof.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(sanitize_CC) $(LINK_COMPILE) $(sanitize_FLAGS) $(filter %.c %.a,$^) -o $@

RESULTS_channel += build/results/channel/proxy
build/results/channel/proxy: tests/link/proxy.pl build/link/proxy always
	@rm -rf build/link/proxy-test && mkdir -p build/link/proxy-test
	@$(RECORD) $@ perl $< build/link/proxy build/link/proxy-test

LINK_HAS_UART := $(filter libserialport,$(HOST_FOUND))
LINK_GROUPS := tcp $(if $(LINK_HAS_UART),uart) mixed reset control sends hostile
LINK_FAULTS := env FAULTS_PIPES="tcp$(if $(LINK_HAS_UART), pty)" tests/link/faults.sh
LINK_NEEDS := tests/link/faults.sh $(addprefix build/link/,proxy hostile target target-sanitized) build/bareprof

RESULTS_channel += $(LINK_GROUPS:%=build/results/channel/%)
RESULTS_sanitize += build/results/channel/sanitized
$(LINK_GROUPS:%=build/results/channel/%): build/results/channel/%: $(LINK_NEEDS) always
	@$(RECORD) $@ $(LINK_FAULTS) build/bareprof build/link/target $*
build/results/channel/sanitized: $(LINK_NEEDS) build/sanitize/bareprof always
	@FAULTS_FOLDER=sanitized $(RECORD) $@ env $(SANITIZE_ENVIRONMENT) \
		$(LINK_FAULTS) build/sanitize/bareprof build/link/target-sanitized some

RESULTS_channel += $(if $(LINK_HAS_UART),build/results/channel/terminal)
build/results/channel/terminal: tests/link/terminal.sh $(addprefix build/link/,proxy hostile target) build/bareprof always
	@$(RECORD) $@ $< build/bareprof build/link/target build/link/terminal
