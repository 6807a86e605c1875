# SPDX-License-Identifier: MIT
# `bareprof diff` of firmware that runs in QEMU: with planted changes, with other flags and compilers, and the same build
# twice. The firmware is `ports`, which samples at random intervals: the rounds of the demo, compiled by clang, can keep in
# step with fixed ones.

DIFF_GCC := $(foreach level,O2 Os,mps2-an385/%+$(level)+ROUNDS-8000+SAMPLE_PERIOD-5897)
DIFF_CLANG := $(foreach level,O2 Os,mps2-an385/%+clang+$(level)+ROUNDS-8000+SAMPLE_PERIOD-5897)
DIFF_RISCV := $(foreach level,O2 Os,qemu-virt-rv32/%+$(level)+ROUNDS-8000+SAMPLE_PERIOD-2699)

# Runs to compare, old and new in turn.
DIFF_PLANTED := $(foreach run,$(DIFF_GCC) $(DIFF_CLANG) $(DIFF_RISCV),\
	$(subst %,ports,$(run)) $(subst %,changed,$(run)))
DIFF_BUILDS := $(subst %,ports,$(DIFF_GCC) $(DIFF_CLANG) $(DIFF_RISCV) \
	$(foreach level,1 2,$(word $(level),$(DIFF_GCC)) $(word $(level),$(DIFF_CLANG))))

# GCC's own inlining. Nothing removes the symbols of functions that are inlined everywhere.
DIFF_INLINING := $(foreach board,mps2-an385 qemu-virt-rv32,$(foreach level,O2 O3 Os O3,\
	$(board)/inlining+$(level)+ROUNDS-4000+SAMPLE_PERIOD-$(if $(filter mps2-%,$(board)),5897,2699)))

DIFF_RUNS := $(sort $(DIFF_PLANTED) $(DIFF_INLINING))
$(DIFF_RUNS:%=build/diff/%.counts): build/diff/%.counts: build/firmware/%.elf \
		build/qemu/count.so tests/diff/run.sh | build/bareprof
	$(call say,RUN,$@)
	$Qbash tests/diff/run.sh $(*D) $(*F) $(@:.counts=)

RESULTS_diff += $(addprefix build/results/diff/,planted builds inlining same)
build/results/diff/planted: $(DIFF_PLANTED:%=build/diff/%.counts) build/bareprof always
	@$(RECORD) $@ perl tests/diff/planted.pl $(DIFF_PLANTED)
build/results/diff/builds: $(DIFF_BUILDS:%=build/diff/%.counts) build/bareprof always
	@$(RECORD) $@ perl tests/diff/builds.pl $(DIFF_BUILDS)
build/results/diff/inlining: $(DIFF_INLINING:%=build/diff/%.counts) build/bareprof always
	@$(RECORD) $@ perl tests/diff/builds.pl $(DIFF_INLINING)
build/results/diff/same: build/firmware/mps2-an385/ports+LIVE-1.elf build/bareprof always
	@$(RECORD) $@ bash tests/diff/same.sh

# print_comparison: prints comparisons that golden tests and the pages of tests/browser/ describe.
GOLDEN_NEEDS += build/tests/print_comparison
build/tests/print_comparison: build/host/tests/print_comparison
	@mkdir -p $(@D)
	$Qcp $< $@
build/host/tests/print_comparison build/sanitize/tests/print_comparison: build/%/tests/print_comparison: \
		build/%/tests/diff/print_comparison.o build/%/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$($*_CC) $($*_FLAGS) $^ $(HOST_LIBRARIES) -o $@

PRINTED_GOLDEN := diff-text diff-notes diff-graph diff-markdown diff-junit diff-json diff-html diff-folded diff-folded-limits
$(PRINTED_GOLDEN:%=build/results/sanitize/golden/%): build/sanitize/tests/print_comparison
