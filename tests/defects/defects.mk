# SPDX-License-Identifier: MIT
# GNU gprof bugs and their rows in docs/GPROF.md, see defects.sh.

DEFECTS := $(patsubst tests/defects/%/profile,%,$(sort $(wildcard tests/defects/*/profile)))

build/defects/assemble: tests/defects/assemble.c tests/oracle/elf_file.c tests/oracle/bytes.c $(wildcard tests/oracle/*.h)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@

RESULTS_defects := $(DEFECTS:%=build/results/oracle/defects/%)
$(RESULTS_defects): build/results/oracle/defects/%: build/defects/assemble build/bareprof always
	@$(RECORD) $@ tests/defects/defects.sh run $* $(filter build/defects/assemble build/bareprof,$^)

build/results/oracle/page: build/bareprof docs/GPROF.md always
	@$(RECORD) $@ perl tests/defects/page.pl docs/GPROF.md tests/defects $<

RESULTS_oracle += $(RESULTS_defects) build/results/oracle/page

.PHONY: accept-defects
accept-defects: build/defects/assemble build/bareprof
	@$(foreach defect,$(DEFECTS),tests/defects/defects.sh accept $(defect) $^ && ) git diff --stat tests/defects
