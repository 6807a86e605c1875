# SPDX-License-Identifier: MIT
# The recorder's figures for `make bench`: lines `FIGURE WHERE NUMBER` in build/bench/*.figures, which judge.pl checks
# against tests/bench/budgets.txt. Figures that are exact and quick to measure are also a suite of `make check`.

PATH_BOARDS := microbit mps2-an385 mps2-an505 qemu-virt-rv32 qemu-virt-rv64
PATH_BOARDS_MTIMER := qemu-virt-rv32 qemu-virt-rv64
# With slices: ticks that copy 256 and 512 bytes, ticks that filter them, and ticks that copy nothing; on RISC-V by the
# library's handler.
PATH_BOARDS_STACKS := mps2-an385 mps2-an505 qemu-virt-rv32 qemu-virt-rv64
PATH_STACKS := slice-256 slice-512 filter-256 filter-512 no-slice
PATH_WORDS_slice-256 := +BAREPROF_STACKS-512+BAREPROF_STACK_BYTES-256
PATH_WORDS_slice-512 := +BAREPROF_STACKS-512+BAREPROF_STACK_BYTES-512
PATH_WORDS_filter-256 := +filter+BAREPROF_STACKS-512+BAREPROF_STACK_BYTES-256
PATH_WORDS_filter-512 := +filter+BAREPROF_STACKS-512+BAREPROF_STACK_BYTES-512
PATH_WORDS_no-slice := +BAREPROF_STACKS-512+SETTLED-1
path_timer = $(if $(filter qemu-virt-%,$1),+MTIMER)

build/bench/contexts/%/hits.elf: build/firmware/%/hits_contexts.elf
	@mkdir -p $(@D)
	@cp $< $@

build/bench/mtimer/%/hits.elf: build/firmware/%/hits+MTIMER.elf
	@mkdir -p $(@D)
	@cp $< $@

# The drop-in files, compiled like the project.
PATH_BOARDS_DROP_IN := microbit mps2-an385 qemu-virt-rv32
build/bench/drop_in/%/hits.elf: build/firmware/%/hits+drop_in.elf
	@mkdir -p $(@D)
	@cp $< $@

define path_of_stacks
build/bench/$2/$1/hits.elf: build/firmware/$1/hits+stacks$(call path_timer,$1)$(PATH_WORDS_$2).elf
	@mkdir -p $$(@D)
	@cp $$< $$@
endef
$(foreach board,$(PATH_BOARDS_STACKS),$(foreach case,$(PATH_STACKS),$(eval $(call path_of_stacks,$(board),$(case)))))

build/bench/stacks.figures: build/qemu/count.so \
		$(foreach case,$(PATH_STACKS),$(PATH_BOARDS_STACKS:%=build/bench/$(case)/%/hits.elf)) \
		$(addprefix tests/bench/paths/,paths.sh paths.pl)
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Q: >$@.part
	$Q$(foreach case,$(PATH_STACKS),HITS_FOLDER=build/bench/$(case) bash tests/bench/paths/paths.sh $(PATH_BOARDS_STACKS) | \
		sed -n 's,^instructions-tick \(.*\) \([0-9]*\)$$,instructions-$(case) \1 \2,p' >>$@.part &&) mv $@.part $@

# With a path tree: a tick, for each function of its path.
FRAME_BOARDS := mps2-an385 qemu-virt-rv32
FRAME_FIRMWARE := demo+plain+paths+BAREPROF_PATHS-8192+ROUNDS-500
FRAME_FIRMWARE_microbit := demo+plain+paths+ROUNDS-200+BAREPROF_PATHS-512+SAMPLE_PERIOD-16007+ARCS-8+GRANULES-64
build/bench/frames.figures: build/bareprof build/qemu/count.so $(FRAME_BOARDS:%=build/firmware/%/$(FRAME_FIRMWARE).elf) \
		build/firmware/microbit/$(FRAME_FIRMWARE_microbit).elf tests/bench/paths/frames.sh tests/bench/paths/frames.pl
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qbash tests/bench/paths/frames.sh $(FRAME_FIRMWARE) $(FRAME_BOARDS) >$@.part && \
		bash tests/bench/paths/frames.sh $(FRAME_FIRMWARE_microbit) microbit >>$@.part && mv $@.part $@

build/bench/paths.figures: build/qemu/count.so $(PATH_BOARDS:%=build/firmware/%/hits.elf) \
		$(PATH_BOARDS:%=build/bench/contexts/%/hits.elf) $(PATH_BOARDS_MTIMER:%=build/bench/mtimer/%/hits.elf) \
		$(PATH_BOARDS_DROP_IN:%=build/bench/drop_in/%/hits.elf) \
		$(addprefix tests/bench/paths/,paths.sh paths.pl)
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qbash tests/bench/paths/paths.sh $(PATH_BOARDS) >$@
	$QHITS_FOLDER=build/bench/drop_in bash tests/bench/paths/paths.sh $(PATH_BOARDS_DROP_IN) | sed 's, \([0-9]*\)$$,/drop_in \1,' >>$@
	$QHITS_FOLDER=build/bench/contexts bash tests/bench/paths/paths.sh $(PATH_BOARDS) | sed 's, \([0-9]*\)$$,/contexts \1,' >>$@
	$QHITS_FOLDER=build/bench/mtimer bash tests/bench/paths/paths.sh $(PATH_BOARDS_MTIMER) | sed 's, \([0-9]*\)$$,/mtimer \1,' >>$@

# --- Probes per stored arc: the recorder's C code, built for this computer and observed, over the calls of real code.

PROBE_TABLES := 64 256 1024 4096
# The compiler calls a function of ours before each access to memory.
OBSERVED := -fsanitize=kernel-address --param asan-instrumentation-with-call-threshold=0 --param asan-stack=0 \
	--param asan-globals=0

build/bench/probes/arcs.o: target/recorder/arcs.c \
		$(wildcard target/recorder/*.h include/bareprof/*.h target/isa/native/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$Qgcc $(filter-out -Os,$(TARGET_COMPILE)) -O1 $(OBSERVED) -Itarget/isa/native -c $< -o $@

$(PROBE_TABLES:%=build/bench/probes/recorder-%): build/bench/probes/recorder-%: tests/bench/probes/probes.c \
		build/bench/probes/arcs.o build/target/native-host/libbareprof.a
	$(call say,LINK,$@)
	$Qgcc -std=c11 -O2 -no-pie $(WARNINGS) -Iinclude -DTABLE=$* $(filter %.c %.o %.a,$^) -o $@

# All of the C library for Cortex-M, twice: once as it is and once optimised for size. Nothing is run, so what it misses
# may stay missing.
NEWLIB_CORES := cortex-m0 cortex-m3
newlib_gcc = $(TARGET_PREFIX_arm_m)gcc $(call target_machine,arm_m,$1)
$(NEWLIB_CORES:%=build/bench/probes/newlib-%.elf): build/bench/probes/newlib-%.elf: tests/bench/bench.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(call newlib_gcc,$*) -nostdlib -Wl,--entry=printf -Wl,--whole-archive \
		$(foreach library,libc.a libc_nano.a libm.a,$(shell $(call newlib_gcc,$*) -print-file-name=$(library))) \
		-Wl,--no-whole-archive -lgcc -Wl,--unresolved-symbols=ignore-all -Wl,--allow-multiple-definition \
		-Wl,--no-warnings -o $@

# The arcs of code that is here in any case. -pg says where the hook of each of the demo's functions returns to.
PROBE_CODE := newlib-cortex-m0 newlib-cortex-m3 demo-arm_m demo-riscv host
$(NEWLIB_CORES:%=build/bench/probes/newlib-%.arcs): build/bench/probes/%.arcs: build/bench/probes/%.elf
build/bench/probes/demo-arm_m.arcs: build/firmware/mps2-an385/demo.elf
build/bench/probes/demo-riscv.arcs: build/firmware/qemu-virt-rv32/demo.elf
build/bench/probes/host.arcs: build/bareprof
$(PROBE_CODE:%=build/bench/probes/%.arcs): tests/bench/probes/arcs.pl
	@mkdir -p $(@D)
	$Qperl tests/bench/probes/arcs.pl $(if $(filter %/host.arcs,$@),objdump,$(TARGET_PREFIX_$(if $(filter \
		%-riscv.arcs,$@),riscv,arm_m))objdump) $(filter-out %.pl,$^) >$@

build/bench/probes.figures: tests/bench/probes/probes.pl $(PROBE_TABLES:%=build/bench/probes/recorder-%) \
		$(PROBE_CODE:%=build/bench/probes/%.arcs)
	$(call say,RUN,$@)
	$Qperl tests/bench/probes/probes.pl $(filter-out %.pl,$^) >$@

BENCH_FIGURES := $(addprefix build/bench/,frames.figures paths.figures probes.figures relink.figures stacks.figures stlink.figures)

RESULTS_budgets += build/results/budgets/budgets
build/results/budgets/budgets: $(BENCH_FIGURES) build/size/figures always
	@$(RECORD) $@ perl tests/bench/judge.pl tests/bench/budgets.txt $(BENCH_FIGURES) build/size/figures

.PHONY: print-budgets
print-budgets: $(BENCH_FIGURES) build/size/figures
	@echo
	@cat $(BENCH_FIGURES)
	@echo
	@perl tests/size/compare.pl tests/size/baseline.txt build/size/figures; compared=$$?; echo; \
		perl tests/bench/judge.pl tests/bench/budgets.txt $^ && [ $$compared = 0 ]

# --- Unwinding on this computer, by the calls of all of newlib.

UNWIND_BENCH := build/bench/unwind build/calls/newlib-cortex-m3.elf
build/bench/unwind: $(call host_objects,host,tests/bench/unwind.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@

include tests/bench/relink/relink.mk tests/bench/gprof/gprof.mk tests/bench/channel/channel.mk
