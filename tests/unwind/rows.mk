# SPDX-License-Identifier: MIT
# The rows that host/firmware/unwind/ reads from the ELFs of the suite `calls`, compared with objdump's.

build/tests/print_rows: $(call host_objects,host,tests/unwind/print_rows.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@

RESULTS_rows := $(CALLS_ELFS:build/%=build/results/calls/rows/%)
RESULTS_calls += $(RESULTS_rows)
$(RESULTS_rows): build/results/calls/rows/%: build/% build/tests/print_rows tests/unwind/rows.sh tests/unwind/rows.pl always
	@$(RECORD) $@ tests/unwind/rows.sh build/tests/print_rows $<
