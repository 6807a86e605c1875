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
RESULTS_unwind += $(SHADOW_BOARDS:%=build/results/unwind/plugin/%)
build/results/unwind/plugin/%: tests/unwind/plugin.sh build/firmware/%/own_stack+hooks.elf build/qemu/shadow.so always
	@$(RECORD) $@ bash $< $*

# --- Paths that the host unwinds from slices are compared with the plugin's.
build/tests/print_paths: $(call host_objects,host,tests/unwind/print_paths.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@

-include build/host/tests/unwind/print_paths.d

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
