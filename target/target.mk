# SPDX-License-Identifier: MIT
# The library for firmware: build/target/ISA-CPU/libbareprof.a for any ISA that has a folder in target/isa/ and any CPU
# that its compiler knows. The isa.mk of the folder has the options. TOOLCHAIN=clang builds
# build/target-clang/ISA-CPU/libbareprof.a.
#
# WITH="contexts cores" builds a variant, build/target/ISA-CPU+contexts+cores/libbareprof.a. The number of contexts,
# cores and slices is not fixed here: bareprof_layout of the firmware states it.

TARGET_SOURCES := $(addprefix target/recorder/,arcs.c arm.c bins.c callers.c clear.c clock.c code_hash.c context_names.c contexts.c control.c cost.c counter.c \
	dither.c granules.c init.c instrument.c memory.c missed.c paths.c ranges.c sample.c slices.c tick.c wide_bins.c) \
	$(addprefix target/link/,checksum.c data.c frame.c poll.c request.c ring.c send.c)

TOOLCHAIN ?= gcc
# The folder that libraries are built in; set it if the sources are read-only.
OUTPUT := build
ifneq ($(words $(OUTPUT)),1)
$(error OUTPUT=$(OUTPUT): expected one path, without blanks)
endif
TARGET_ISAS := $(patsubst target/isa/%/isa.mk,%,$(sort $(wildcard target/isa/*/isa.mk)))
include $(TARGET_ISAS:%=target/isa/%/isa.mk)

# Everything that depends on the compiler reads TOOLCHAIN; the loop that makes the rules sets it to each of these.
TOOLCHAINS := gcc clang
TARGET_FOLDER_gcc := $(OUTPUT)/target
TARGET_FOLDER_clang := $(OUTPUT)/target-clang
TARGET_FOLDER = $(TARGET_FOLDER_$(TOOLCHAIN))

# $(call target_machine,ISA,CPU): compiler options for the core, also used for firmware. isa.mk may define
# them for a core, TARGET_MACHINE_arm_m-cortex-m4f, and for all others, TARGET_MACHINE_arm_m with the core as $1.
target_machine = $(if $(filter undefined,$(origin TARGET_MACHINE_$1-$2)),\
	$(call TARGET_MACHINE_$1,$2),\
	$(TARGET_MACHINE_$1-$2))
# $(call target_cc,ISA,CPU): the compiler: one for this core, if isa.mk names it, otherwise clang or GCC for the ISA.
target_clang_or_gcc = $(if $(filter clang,$(TOOLCHAIN)),$(call TARGET_CLANG_$1,$2),$(TARGET_PREFIX_$1)gcc)
target_cc = $(or $(TARGET_CC_$1-$2),$(target_clang_or_gcc))
# $(call target_refuses,ISA,CPU): yes, if the compiler does not know the core. Empty if there is no compiler, whose first
# use then fails.
target_refuses = $(shell command -v $(firstword $(call target_cc,$1,$2)) >/dev/null && \
	! $(call target_cc,$1,$2) $(call target_machine,$1,$2) -fsyntax-only -x c /dev/null 2>/dev/null && echo yes)
# $(call target_flags,ISA): further options of the library.
target_flags = $(if $(filter clang,$(TOOLCHAIN)),$(TARGET_CLANG_FLAGS_$1),$(TARGET_FLAGS_$1))
# $(call target_pg,ISA,CPU): options that make GCC record the calls of firmware.
target_pg = $(call TARGET_PG_$1,$2)

# $(call headers_of,OBJECT): the source of an object and the files that it includes, by the compiler's list of the last
# time. Read when make considers the object, so only those of the goals are.
headers_of = $(call headers_or_changed,$(filter-out %:,$(subst \,,$(file <$(1:.o=.d)))))
# A header that no longer exists counts as changed.
headers_or_changed = $(call headers_found,$1,$(wildcard $1))
headers_found = $2 $(if $(filter $(words $1),$(words $2)),,header-is-missing)
.PHONY: header-is-missing

TARGET_FEATURES := contexts cores stacks filter paths
TARGET_FEATURE_contexts := -DBAREPROF_CONTEXTS=1
TARGET_FEATURE_cores := -DBAREPROF_CORES=2
TARGET_FEATURE_stacks := -DBAREPROF_STACKS=1
TARGET_FEATURE_filter := -DBAREPROF_STACK_FILTER=64
# The smallest tree. A tree is a stack store as well.
TARGET_FEATURE_paths := -DBAREPROF_STACKS=1 -DBAREPROF_PATHS=16
# $(call target_with,WITH): "+contexts+cores", the features in a fixed order.
target_with = $(subst $() ,,$(foreach feature,$(TARGET_FEATURES),$(if $(filter $(feature),$1),+$(feature))))
# $(call target_with_flags,+contexts+cores)
target_with_flags = $(foreach feature,$(subst +, ,$1),$(TARGET_FEATURE_$(feature)))

TARGET_COMPILE := -std=c11 -Os -g -ffreestanding -fno-common -fno-unwind-tables -fno-asynchronous-unwind-tables \
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -Itarget

# The parts of the name of a library, such as arm_m-cortex-m3+contexts, which is $1. The name of a core may have a "+".
library_features = $(call target_with,$(subst +, ,$1))
library_isa = $(firstword $(subst -, ,$1))
library_cpu = $(patsubst $(library_isa)-%,%,$(patsubst %$(library_features),%,$1))
# $(call library_objects,FOLDER,NAME)
library_objects = $(patsubst target/%,$1/$2/%.o,$(basename $(TARGET_SOURCES) $(TARGET_SOURCES_$(call library_isa,$2))))
# The library and the source of an object, whose path below the folder is $1, without ".o".
library_of_object = $(firstword $(subst /, ,$1))
library_source = $(or $(wildcard $(addprefix $(patsubst $(library_of_object)/%,target/%,$1),.c .S)),$1.c)
# $(call library_compile,NAME,SOURCE)
library_compile = $(call target_cc,$(library_isa),$(library_cpu)) $(call target_machine,$(library_isa),$(library_cpu)) \
	$(if $(filter %.S,$2),$(library_macros) -Iinclude -Itarget,\
		$(TARGET_COMPILE) $(call target_flags,$(library_isa)) $(library_macros) -Itarget/isa/$(library_isa)) -MMD -c $2
library_macros = $(call target_with_flags,$(library_features))

# The prerequisites depend on the name, so they are expanded when make applies the rule (boards/boards.mk explains
# "$$$$"). All code goes into one section, so that samples in the recorder are known as such and a linker script can place
# it. For arm_m-cortex-m3+contexts and gcc, the first rule is
#
#   build/target/arm_m-cortex-m3+contexts/recorder/arcs.o: target/recorder/arcs.c target/target.mk target/isa/arm_m/isa.mk ...
#   	arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -std=c11 -Os ... -DBAREPROF_CONTEXTS=1 ... -c $< -o $@
.SECONDEXPANSION:
define target_rules
.PRECIOUS: $(TARGET_FOLDER)/%.o $(TARGET_FOLDER)/%/libbareprof.a

$(TARGET_FOLDER)/%.o: $$$$(call library_source,$$$$*) target/target.mk \
		target/isa/$$$$(call library_isa,$$$$*)/isa.mk $$$$(call headers_of,$$$$@)
	@mkdir -p $$(@D)
	$$(call say,$$(if $$(filter %.S,$$<),AS,CC),$$@)
	$$Q$$(foreach TOOLCHAIN,$(TOOLCHAIN),$$(call library_compile,$$(call library_of_object,$$*),$$<)) -o $$@

$(TARGET_FOLDER)/%/libbareprof.a: $$$$(call library_objects,$(TARGET_FOLDER),$$$$*)
	$$(call say,AR,$$@)
	@rm -f $$@
	$$Q$$(TARGET_PREFIX_$$(call library_isa,$$*))ar crs $$@ $$^

# target_pg, for builds outside this tree.
$(TARGET_FOLDER)/%/libbareprof.options: target/isa/$$$$(call library_isa,$$$$*)/isa.mk
	@mkdir -p $$(@D)
	@echo '$$(call target_pg,$$(call library_isa,$$*),$$(call library_cpu,$$*))' >$$@
endef
$(foreach TOOLCHAIN,$(TOOLCHAINS),$(eval $(target_rules)))

TARGET_VARIANTS := $(foreach stacks,+stacks +stacks+filter +paths,$(stacks) +contexts$(stacks) +cores$(stacks) \
	+contexts+cores$(stacks)) +contexts +cores +contexts+cores
# The libraries of all cores, and the variants of the first core of each ISA, to check that they compile.
target_names = $(TARGET_CPUS_$1) $(addprefix $(firstword $(TARGET_CPUS_$1)),$(TARGET_VARIANTS))
TARGET_LIBRARIES = $(foreach isa,$(TARGET_ISAS),\
	$(patsubst %,$(TARGET_FOLDER)/$(isa)-%/libbareprof.a,$(call target_names,$(isa))))

ifneq ($(filter target install-target,$(MAKECMDGOALS)),)
ifeq ($(filter $(TOOLCHAINS),$(TOOLCHAIN)),)
$(error TOOLCHAIN= takes $(TOOLCHAINS), not $(TOOLCHAIN))
endif
ifeq ($(and $(filter $(TARGET_ISAS),$(ISA)),$(CPU)),)
$(error make $(filter target install-target,$(MAKECMDGOALS)) needs ISA=arm_m and CPU=, one of \
	$(TARGET_CPUS_arm_m); or ISA=riscv and CPU=, one of $(TARGET_CPUS_riscv); or another that the compiler knows)
endif
ifeq ($(call target_refuses,$(ISA),$(CPU)),yes)
$(error $(firstword $(call target_cc,$(ISA),$(CPU))) knows no core "$(CPU)"; CPU= is one of $(TARGET_CPUS_$(ISA)), or another that it knows)
endif
ifeq ($(words $(sort $(filter stacks paths,$(WITH)))),2)
$(error WITH= takes stacks or paths, not both)
endif
ifeq ($(filter filter,$(WITH))$(filter stacks,$(WITH)),filter)
$(error WITH= takes filter with stacks only)
endif
ifneq ($(filter-out $(TARGET_FEATURES),$(WITH)),)
$(error WITH= takes $(TARGET_FEATURES), not $(filter-out $(TARGET_FEATURES),$(WITH)))
endif
endif

# The library for ISA, CPU and WITH.
TARGET_LIBRARY := $(TARGET_FOLDER)/$(ISA)-$(CPU)$(call target_with,$(WITH))/libbareprof.a

.PHONY: target target-all
target: $(TARGET_LIBRARY) $(TARGET_LIBRARY:.a=.options) ## Build libbareprof.a for ISA=... CPU=...
	@echo $<

target-all: $(TARGET_LIBRARIES) ## Build libbareprof.a for every ISA and CPU that is named in target/isa/
