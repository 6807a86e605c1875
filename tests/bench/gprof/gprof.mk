# SPDX-License-Identifier: MIT
# What tests/bench/gprof.sh and diff.sh run.
GPROF_BENCH := $(addprefix build/bench/gprof/,input measure)

build/bench/gprof/input: tests/bench/gprof/input.c $(addprefix tests/oracle/,bytes.c elf_file.c random.c)
build/bench/gprof/measure: tests/bench/gprof/measure.c
$(GPROF_BENCH): $(wildcard tests/oracle/*.h)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@
