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
