# SPDX-License-Identifier: MIT
# Flash, RAM and stack of the target library: lines `FIGURE WHERE NUMBER` in build/size/figures, compared with those of
# tests/size/baseline.txt. Text and RAM are measured in a linked firmware by footprint.pl, the stack in a run of
# tests/firmware/registers.

SIZE_BOARDS := microbit mps2-an385 mps2-an505 qemu-virt-rv32 qemu-virt-rv64
SIZE_STORES := granules bins wide_bins
# The sizes of the tables, and twice these.
SIZE_TABLES_granules := GRANULES-8+COARSE-4
SIZE_DOUBLE_granules := GRANULES-16+COARSE-8
SIZE_TABLES_bins := BINS-16
SIZE_DOUBLE_bins := BINS-32
SIZE_TABLES_wide_bins := WIDE_BINS-16
SIZE_DOUBLE_wide_bins := WIDE_BINS-32

# $(call size_elf,BOARD,ARCS,TABLES)
size_elf = build/firmware/$1/footprint+ARCS-$2+$3.elf

# $(call size_of_store,BOARD,STORE): the rule of build/size/microbit-bins, from footprint+ARCS-8+BINS-16.elf, the same with
# all tables doubled, and with only the arcs doubled.
define size_of_store
build/size/$1-$2: $(call size_elf,$1,8,$(SIZE_TABLES_$2)) $(call size_elf,$1,16,$(SIZE_DOUBLE_$2)) \
		$(call size_elf,$1,16,$(SIZE_TABLES_$2)) \
		$(if $(filter granules,$2),$(call size_elf,$1,8,$(SIZE_TABLES_$2)+LINK-128) \
			$(call size_elf,$1,8,$(SIZE_TABLES_$2)+stacks+BAREPROF_STACKS-8) \
			$(call size_elf,$1,8,$(SIZE_TABLES_$2)+paths+BAREPROF_PATHS-16)) \
		tests/size/footprint.pl
	@mkdir -p $$(@D)
	$$Qperl tests/size/footprint.pl $1/$2 $$(filter %.elf,$$^) >$$@
endef

define size_of_stack
build/size/$1-stack: build/firmware/$1/registers+plain.elf tests/size/stack.sh
	@mkdir -p $$(@D)
	$$Qtests/size/stack.sh $1 $$< >$$@
endef

# The drop-in files, compiled for size.
SIZE_DROP_IN_BOARDS := microbit mps2-an385 qemu-virt-rv32
$(SIZE_DROP_IN_BOARDS:%=build/size/%-drop_in): build/size/%-drop_in: \
		build/firmware/%/footprint+Os+ARCS-8+$(SIZE_TABLES_granules)+drop_in.elf tests/size/footprint.pl
	@mkdir -p $(@D)
	$Qperl tests/size/footprint.pl $*/drop_in $< $< $< | sed -n '/^text /p' >$@

$(foreach board,$(SIZE_BOARDS),$(eval $(call size_of_stack,$(board))))
$(foreach board,$(SIZE_BOARDS),$(foreach store,$(SIZE_STORES),$(eval $(call size_of_store,$(board),$(store)))))

size_compilers = $(sort $(foreach board,$(SIZE_BOARDS),$(firstword $(call board_cc,$(board),gcc))))

build/size/figures: $(foreach board,$(SIZE_BOARDS),build/size/$(board)-stack $(SIZE_STORES:%=build/size/$(board)-%)) \
		$(SIZE_DROP_IN_BOARDS:%=build/size/%-drop_in)
	@echo "# compilers:$(foreach gcc,$(size_compilers), $(gcc) $(shell $(gcc) -dumpfullversion))" | tr -s ' ' >$@.part
	@cat $(sort $^) >>$@.part
	@mv $@.part $@

# The archives that `make size` prints object by object.
SIZE_ARCHIVES := $(foreach core,arm_m-cortex-m0 arm_m-cortex-m3 arm_m-cortex-m33 riscv-rv32imac riscv-rv64imac,\
	build/target/$(core)/libbareprof.a)

RESULTS_budgets += build/results/budgets/size
build/results/budgets/size: build/size/figures always
	@$(RECORD) $@ perl tests/size/compare.pl tests/size/baseline.txt $<

.PHONY: print-sizes accept-sizes
print-sizes: build/size/figures $(SIZE_ARCHIVES)
	@tests/size/objects.sh $(SIZE_ARCHIVES)
	@tests/size/report.sh

accept-sizes: build/size/figures
	@cp $< tests/size/baseline.txt
	@git diff --stat tests/size
