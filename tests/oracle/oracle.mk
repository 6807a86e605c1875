# SPDX-License-Identifier: MIT
# Random profiles, printed by GNU gprofs and by `bareprof gprof`, see oracle.c. `make check` compares the first ones
# of one seed; `make oracle N=20000 SEED=7` compares others.

N ?= 5000
SEED ?= 1

ORACLE_SOURCES := $(wildcard tests/oracle/*.c)

build/oracle/oracle: $(ORACLE_SOURCES) $(wildcard tests/oracle/*.h)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(ORACLE_SOURCES) -o $@

RESULTS_oracle += build/results/oracle/profiles
build/results/oracle/profiles: build/oracle/oracle build/bareprof always
	@rm -rf build/oracle/profiles
	@$(RECORD) $@ $< build/bareprof build/oracle/profiles 1500 1

.PHONY: compare-profiles
compare-profiles: build/oracle/oracle build/bareprof
	@rm -rf build/oracle/more
	$< build/bareprof build/oracle/more $(N) $(SEED)
