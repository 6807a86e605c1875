# SPDX-License-Identifier: MIT
# Comparisons of captures that are drawn from known distributions, see simulate.c, which prints the
# tables of docs/DIFF.md, "What it finds". `make simulate` prints them for other numbers of pairs.

SIMULATE_SOURCES := $(addprefix tests/diff/,power.c runs.c simulate.c) tests/unit/profile/firmware.c tests/unit/test.c
SIMULATE_TABLES := alarms power runs
SIMULATE_PAIRS_alarms := 1000
SIMULATE_PAIRS_power := 1000
SIMULATE_PAIRS_runs := 200

build/diff/simulate: $(call host_objects,host,$(SIMULATE_SOURCES)) build/host/libhost.a
	@mkdir -p $(@D)/unit
	$(call say,LINK,$@)
	$Q$(host_CC) $(host_FLAGS) $^ $(UNIT_CC_LIBRARIES) $(HOST_LIBRARIES) -lpthread -o $@

RESULTS_simulations := $(SIMULATE_TABLES:%=build/results/diff/%)
$(SIMULATE_TABLES:%=build/results/diff/%): build/results/diff/%: build/diff/simulate tests/diff/simulate.sh always
	@$(RECORD) $@ env BUILD=build/diff bash tests/diff/simulate.sh $< $* $(SIMULATE_PAIRS_$*)

.PHONY: print-simulations
print-simulations: build/diff/simulate
	$Qfor table in $(SIMULATE_TABLES); do BUILD=build/diff $< $$table $(N) || exit; done
