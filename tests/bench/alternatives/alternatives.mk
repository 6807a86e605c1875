# SPDX-License-Identifier: MIT
# Tables of arcs that could take the place of the library's, on v7-M: each is linked into firmware in place of it, and
# measured as it is. measure.sh says what of.

ALTERNATIVES := main c_entry first_slot packed call_site buckets gmon
ALTERNATIVE_SOURCES_main :=
ALTERNATIVE_SOURCES_c_entry := c_entry.S
ALTERNATIVE_SOURCES_first_slot := first_slot.S
ALTERNATIVE_SOURCES_packed := packed.S packed.c arc.c
ALTERNATIVE_SOURCES_call_site := call_site.S call_site.c arc.c
ALTERNATIVE_SOURCES_buckets := buckets.S buckets.c arc.c
ALTERNATIVE_SOURCES_gmon := c_entry.S gmon.c
# How tests/firmware/hits and tests/bench/probes find what is in the table, where it is not as in the library.
ALTERNATIVE_SLOTS_packed := -DSLOT_SIZE=8 -DCOUNT_OFFSET=4
ALTERNATIVE_PLACES_buckets := -DARCS_PER_PLACE=4
ALTERNATIVE_PLACES_gmon := -DGMON

# Bytes of an arc.
ALTERNATIVE_BYTES_main := 12
ALTERNATIVE_BYTES_c_entry := 12
ALTERNATIVE_BYTES_first_slot := 12
ALTERNATIVE_BYTES_packed := 8
ALTERNATIVE_BYTES_call_site := 12
ALTERNATIVE_BYTES_buckets := 12
ALTERNATIVE_BYTES_gmon := 12+
ALTERNATIVE_LIMITS_packed := reach beyond 128 KB of text, or into RAM or ROM
ALTERNATIVE_LIMITS_call_site := count two callees of one call site
ALTERNATIVE_LIMITS_gmon := count in interrupts of itself; bytes: and half of the text

ALTERNATIVE_BOARD := mps2-an385
ALTERNATIVE_LIBRARY := build/target/arm_m-$(BOARD_CPU_$(ALTERNATIVE_BOARD))
ALTERNATIVE_COMPILE = $(call target_cc,arm_m,$(BOARD_CPU_$(ALTERNATIVE_BOARD))) \
	$(call target_machine,arm_m,$(BOARD_CPU_$(ALTERNATIVE_BOARD))) $(TARGET_COMPILE) $(call target_flags,arm_m) -Itarget/isa/arm_m \
	-Itarget/recorder -DTABLE=256
ALTERNATIVE_HEADERS := $(wildcard target/recorder/*.h include/bareprof/*.h target/isa/*/isa.h \
	tests/bench/alternatives/*.inc tests/bench/alternatives/*.h)
ALTERNATIVE_TABLES := 256 1024

build/bench/alternatives/%.c.o: tests/bench/alternatives/%.c $(ALTERNATIVE_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$Q$(ALTERNATIVE_COMPILE) -c $< -o $@
	$Q$(TARGET_PREFIX_arm_m)objcopy --rename-section .text=.text.bareprof $@

build/bench/alternatives/%.S.o: tests/bench/alternatives/%.S $(ALTERNATIVE_HEADERS)
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$Q$(ALTERNATIVE_COMPILE) -c $< -o $@

build/bench/alternatives/%.observed.o: tests/bench/alternatives/%.c $(ALTERNATIVE_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$Qgcc $(filter-out -Os,$(TARGET_COMPILE)) -O1 $(OBSERVED) -Itarget/isa/native -Itarget/recorder \
		-DTABLE=4096 -c $< -o $@

# $(call alternative_text,NAME): the objects of its hook and of its table, where not its own then the library's.
alternative_own = $(ALTERNATIVE_SOURCES_$1:%=build/bench/alternatives/%.o)
alternative_text = $(call alternative_own,$1) $(if $(filter %.S.o,$(call \
	alternative_own,$1)),,$(ALTERNATIVE_LIBRARY)/isa/arm_m/entry.o) $(if $(filter %.c.o,$(call \
	alternative_own,$1)),,$(ALTERNATIVE_LIBRARY)/recorder/arcs.o)

# $(call alternative,NAME)
define alternative
build/bench/alternatives/$1/greatest.o: tests/firmware/hits/greatest.c $(wildcard tests/firmware/hits/*.h)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$(call board_compile,$(ALTERNATIVE_BOARD),gcc) $(ALTERNATIVE_SLOTS_$1) -c $$< -o $$@

build/bench/alternatives/$1/$(ALTERNATIVE_BOARD)/hits.elf: \
		build/firmware/$(ALTERNATIVE_BOARD)/objects/hits/tests/firmware/hits/hits.c.o \
		$(if $(filter gmon,$1),,build/bench/alternatives/$1/greatest.o) $(call board_objects,$(ALTERNATIVE_BOARD),gcc) \
		$(ALTERNATIVE_SOURCES_$1:%=build/bench/alternatives/%.o) $(ALTERNATIVE_LIBRARY)/libbareprof.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$(call board_link,$(ALTERNATIVE_BOARD)) $$(filter %.o %.a,$$^) -lgcc -o $$@

$(foreach load,70 85,build/bench/alternatives/$1/loaded-$(load).elf): build/bench/alternatives/$1/loaded-%.elf: \
		build/bench/alternatives/loaded-%.o build/bench/alternatives/enter_hook.S.o \
		$(call board_objects,$(ALTERNATIVE_BOARD),gcc) $(ALTERNATIVE_SOURCES_$1:%=build/bench/alternatives/%.o) \
		$(ALTERNATIVE_LIBRARY)/libbareprof.a
	$$(call say,LINK,$$@)
	$$Q$$(call board_link,$(ALTERNATIVE_BOARD)) $$(filter %.o %.a,$$^) -lgcc -o $$@

ALTERNATIVE_FILES += $(foreach load,70 85,build/bench/alternatives/$1/loaded-$(load).elf) \
	build/bench/alternatives/$1/$(ALTERNATIVE_BOARD)/hits.elf \
	$(ALTERNATIVE_TABLES:%=build/bench/alternatives/$1/probes-%)
endef

# $(call alternative_probes,NAME,TABLE)
define alternative_probes
build/bench/alternatives/$1/probes-$2: tests/bench/probes/probes.c tests/bench/probes/recorder.c \
		tests/bench/probes/observed.h $(or $(patsubst %.c,build/bench/alternatives/%.observed.o,$(filter \
		%.c,$(ALTERNATIVE_SOURCES_$1))),build/bench/probes/arcs.o) \
		build/target/native-host/libbareprof.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Qgcc -std=c11 -O2 -no-pie $$(WARNINGS) -Iinclude -Itests/bench/probes -DTABLE=$2 $(ALTERNATIVE_SLOTS_$1) \
		$(ALTERNATIVE_PLACES_$1) $$(filter %.c %.o %.a,$$^) -o $$@
endef

$(foreach name,$(ALTERNATIVES),$(eval $(call alternative,$(name)))$(foreach table,$(ALTERNATIVE_TABLES),$(eval \
	$(call alternative_probes,$(name),$(table)))))

# A C library, as much of it as those with the shortest offsets reach, from 0x8000 on.
build/bench/alternatives/nano.elf: tests/bench/alternatives/alternatives.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(call newlib_gcc,cortex-m3) -nostdlib -Wl,--entry=printf -Wl,--whole-archive \
		$(shell $(call newlib_gcc,cortex-m3) -print-file-name=libc_nano.a) -Wl,--no-whole-archive -lgcc \
		-Wl,--unresolved-symbols=ignore-all -Wl,--no-warnings -o $@
build/bench/alternatives/nano.arcs: build/bench/alternatives/nano.elf tests/bench/probes/arcs.pl
	$Qperl tests/bench/probes/arcs.pl $(TARGET_PREFIX_arm_m)objdump $< | \
		perl -ane 'print unless grep { hex $$_ >= 0x20000 } @F' >$@

build/bench/alternatives/calls.inc: build/bench/alternatives/nano.arcs tests/bench/alternatives/calls.pl
	$Qperl tests/bench/alternatives/calls.pl $< 256 >$@
build/bench/alternatives/loaded-%.o: tests/bench/alternatives/loaded.c build/bench/alternatives/calls.inc
	$(call say,CC,$@)
	$Q$(call board_compile,$(ALTERNATIVE_BOARD),gcc) -Ibuild/bench/alternatives -DLOAD=$* -c $< -o $@

.PHONY: bench-alternatives
bench-alternatives: ## Measure other tables of arcs in place of the library's
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) print-alternatives

.PHONY: print-alternatives
print-alternatives: $(ALTERNATIVE_FILES) build/bench/alternatives/nano.arcs build/qemu/count.so
	@printf '%s|%s|%s|%s\n' $(foreach name,$(ALTERNATIVES),$(name) '$(call alternative_text,$(name))' \
		'$(ALTERNATIVE_BYTES_$(name))' '$(ALTERNATIVE_LIMITS_$(name))') | tests/bench/alternatives/measure.sh
