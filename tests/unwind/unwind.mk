# SPDX-License-Identifier: MIT
# The suites `unwind` and `shadows`: unwound stacks and measured total times compared with a shadow call stack, which a QEMU
# plugin keeps.

SHADOW_SOURCES := $(addprefix tests/qemu/,shadow.c branches.c call_stack.c call_tree.c)
SHADOW_FLAGS := -std=c11 -O2 -shared -fPIC -fvisibility=hidden
build/qemu/shadow.so: $(SHADOW_SOURCES) $(addprefix tests/qemu/,branches.h call_stack.h call_tree.h plugin.h)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(CC) $(WARNINGS) $(SHADOW_FLAGS) $(SHADOW_SOURCES) -o $@

# --- The plugin is compared with a firmware that keeps its own call stack.
SHADOW_BOARDS := mps2-an385 qemu-virt-rv32
RESULTS_shadows += $(SHADOW_BOARDS:%=build/results/shadows/plugin/%)
build/results/shadows/plugin/%: tests/unwind/plugin.sh build/firmware/%/own_stack+hooks.elf build/qemu/shadow.so always
	@$(RECORD) $@ bash $< $*

# --- Paths that the host unwinds from slices are compared with the plugin's.
build/tests/print_paths: $(call host_objects,host,tests/unwind/print_paths.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@

# $(call unwind_rules,SUITE,BOARD,FIRMWARE,LIMITS)
define unwind_rules
RESULTS_$1 += build/results/$1/$2/$3
build/results/$1/$2/$3: tests/unwind/shadows.sh tests/unwind/paths.pl build/firmware/$2/$3.elf build/bareprof \
		build/tests/print_paths build/qemu/shadow.so always
	@$$(RECORD) $$@ bash $$< $2 $3 $4
endef
unwind_lines := $(shell awk '!/^(\#|$$)/ { gsub(/ +/, ":"); print }' tests/unwind/firmware.txt)
unwind_words = $(subst :, ,$1)
unwind_word = $(word $1,$(call unwind_words,$2))
$(foreach line,$(unwind_lines),$(eval $(call unwind_rules,$(call unwind_word,1,$(line)),$(call unwind_word,2,$(line)),$(call unwind_word,3,$(line)),$(wordlist 4,9,$(call unwind_words,$(line))))))

# --- Unwound paths are also compared with gdb's backtraces at the same ticks. The period is 2 ms, because halting takes time.
JUDGED_RUN := demo+plain+stacks+BAREPROF_STACKS-500+SAMPLE_PERIOD-
JUDGED_unwind := mps2-an385/$(JUDGED_RUN)50021 qemu-virt-rv32/$(JUDGED_RUN)20011
JUDGED_shadows := mps2-an385/$(JUDGED_RUN)50021+clang mps2-an386/$(JUDGED_RUN)50021 qemu-virt-rv32/$(JUDGED_RUN)20011+clang \
	qemu-virt-rv32/$(JUDGED_RUN)20011+Os+save_restore
# The percentage of ticks outside handlers in which gdb may be wrong, see judge.pl.
JUDGED_GDB_WRONG := 20
define judge_rules
RESULTS_$1 += $(JUDGED_$1:%=build/results/$1/judge/%)
$(JUDGED_$1:%=build/results/$1/judge/%): build/results/$1/judge/%: tests/unwind/judge.sh tests/unwind/judge.pl \
		tests/unwind/judge.py build/firmware/%.elf build/bareprof build/tests/print_paths always
	@$$(RECORD) $$@ bash $$< $$* gdb=$(JUDGED_GDB_WRONG)
endef
$(foreach suite,unwind shadows,$(eval $(call judge_rules,$(suite))))

# --- print_paths with defects of the unwinder: the file, and the edit that adds the defect.
UNWIND_MUTANTS := unreduced shifted swapped
UNWIND_FILE_unreduced := unwind
UNWIND_EDIT_unreduced := s/walk->is_leaf ? walk->pc : walk->pc - 1/walk->pc/
UNWIND_FILE_shifted := rows
UNWIND_EDIT_shifted := s/offsetof(struct frame_row, high), address)/offsetof(struct frame_row, high), address - 2)/
UNWIND_FILE_swapped := rows
UNWIND_EDIT_swapped := s/return index < rows->count \&\& rows->rows\[index\].low <= .*/if (index + 1 < rows->count \&\& index % 8 == 1 \&\& rows->rows[index].low <= address)\n\t\treturn \&rows->rows[index + 1];\n\t&/

define unwind_mutant
build/unwind/$1/$(UNWIND_FILE_$1).c: host/firmware/unwind/$(UNWIND_FILE_$1).c tests/unwind/unwind.mk
	@mkdir -p $$(@D)
	$$Qsed '$$(UNWIND_EDIT_$1)' $$< >$$@
	$$Q! cmp -s $$@ $$< || { echo "the edit of $$@ changes nothing"; exit 1; }

build/unwind/$1/print_paths: build/unwind/$1/$(UNWIND_FILE_$1).c build/host/tests/unwind/print_paths.o build/host/libhost.a
	$$(call say,LINK,$$@)
	$$Q$$(host_CC) $$(host_FLAGS) $$(HOST_FLAGS) $$^ $$(HOST_LIBRARIES) -o $$@
endef
$(foreach mutant,$(UNWIND_MUTANTS),$(eval $(call unwind_mutant,$(mutant))))

RESULTS_unwind += build/results/unwind/mutations
build/results/unwind/mutations: tests/unwind/mutations.sh tests/unwind/paths.pl build/tests/print_paths \
		$(UNWIND_MUTANTS:%=build/unwind/%/print_paths) $(filter-out %/mutations,$(filter build/results/unwind/mps2% \
		build/results/unwind/qemu%,$(RESULTS_unwind))) always
	@$(RECORD) $@ bash $<

# --- Measured total times are compared with executed instructions.
INCLUSIVE_RUNS := $(foreach board,mps2-an385 qemu-virt-rv32,$(board)/demo+plain+stacks+BAREPROF_STACKS-2000)
RESULTS_unwind += $(INCLUSIVE_RUNS:%=build/results/unwind/inclusive/%)
$(INCLUSIVE_RUNS:%=build/results/unwind/inclusive/%): build/results/unwind/inclusive/%: tests/unwind/inclusive.sh \
		tests/unwind/inclusive.pl build/results/unwind/% build/bareprof always
	@$(RECORD) $@ bash $< unwind/shadows/$* build/firmware/$*.elf selftest_step
