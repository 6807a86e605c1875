# SPDX-License-Identifier: MIT
# The library for firmware: build/target/ISA-CPU/libbareprof.a for any ISA that has a folder in target/isa/ and any CPU
# that its compiler knows. The isa.mk of the folder has the options. TOOLCHAIN=clang builds
# build/target-clang/ISA-CPU/libbareprof.a.
#
# WITH="contexts cores" builds a variant, build/target/ISA-CPU+contexts+cores/libbareprof.a. The number of contexts,
# cores and slices is not fixed here: bareprof_layout of the firmware states it.

TARGET_SOURCES := $(addprefix target/recorder/,arcs.c arm.c bins.c callers.c clear.c clock.c context_names.c contexts.c control.c cost.c counter.c \
	dither.c granules.c init.c instrument.c memory.c missed.c paths.c ranges.c sample.c slices.c tick.c wide_bins.c) \
	$(addprefix target/link/,checksum.c data.c frame.c poll.c request.c ring.c send.c)

TOOLCHAIN ?= gcc
# The folder that libraries are built below; set it to build from sources that are read-only.
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
# $(call target_cc,ISA,CPU): the compiler: the core's own, if isa.mk names one, or clang's or GCC's for the ISA.
target_clang_or_gcc = $(if $(filter clang,$(TOOLCHAIN)),$(call TARGET_CLANG_$1,$2),$(TARGET_PREFIX_$1)gcc)
target_cc = $(or $(TARGET_CC_$1-$2),$(target_clang_or_gcc))
# For TARGET_FLAGS_<isa> of cores where bytes count. Even with -Os, GCC moves values out of loops and across branches. In
# short functions this costs registers and the instructions to save them, 1 % of the text. Conditional instructions in
# place of branches, and moves that hide the latency of a load, cost 2 %.
TARGET_SMALL := -fno-gcse -fno-move-loop-invariants -fno-tree-loop-im -fno-if-conversion -fno-tree-tail-merge \
	-fno-caller-saves -fno-schedule-insns2
# $(call target_refuses,ISA,CPU): yes, if the compiler does not know the core. Empty if there is no compiler, whose first
# use then fails.
target_refuses = $(shell command -v $(firstword $(call target_cc,$1,$2)) >/dev/null && \
	! $(call target_cc,$1,$2) $(call target_machine,$1,$2) -fsyntax-only -x c /dev/null 2>/dev/null && echo yes)
# $(call target_flags,ISA): further options of the library.
target_flags = $(if $(filter clang,$(TOOLCHAIN)),$(TARGET_CLANG_FLAGS_$1),$(TARGET_FLAGS_$1))
# $(call target_pg,ISA,CPU): options that make GCC record the calls of firmware.
target_pg = $(call TARGET_PG_$1,$2)

TARGET_FEATURES := contexts cores stacks filter paths
TARGET_FEATURE_contexts := -DBAREPROF_CONTEXTS=1
TARGET_FEATURE_cores := -DBAREPROF_CORES=2
TARGET_FEATURE_stacks := -DBAREPROF_STACKS=1
TARGET_FEATURE_filter := -DBAREPROF_STACK_FILTER=64
# The smallest tree. It is a store of stacks as well.
TARGET_FEATURE_paths := -DBAREPROF_STACKS=1 -DBAREPROF_PATHS=16
# $(call target_with,WITH): "+contexts+cores", the features in a fixed order.
target_with = $(subst $() ,,$(foreach feature,$(TARGET_FEATURES),$(if $(filter $(feature),$1),+$(feature))))
# $(call target_with_flags,+contexts+cores)
target_with_flags = $(foreach feature,$(subst +, ,$1),$(TARGET_FEATURE_$(feature)))

# The flags of the firmware are not used, because the recorder must never record itself. There are no jump tables, because
# on v6-M they call a function of the compiler's library, outside the section of the recorder.
TARGET_COMPILE := -std=c11 -Os -g -ffreestanding -fno-strict-aliasing -fno-common -fno-unwind-tables \
	-fno-asynchronous-unwind-tables -fno-stack-protector -fno-jump-tables \
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -Itarget

# $(call target_library,ISA,CPU,+FEATURE...): the rules of one library. All code goes into one section, so that samples in
# the recorder are known as such and a linker script can place it. For arm_m,cortex-m3,+contexts and gcc, the first rule is
#
#   build/target/arm_m-cortex-m3+contexts/%.o: target/%.c target/target.mk target/isa/arm_m/isa.mk
#   	arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -std=c11 -Os ... -DBAREPROF_CONTEXTS=1 -Itarget/isa/arm_m -c $< -o $@
#   	arm-none-eabi-objcopy --rename-section .text=.text.bareprof $@
#
# "$$" is for what make expands when it runs the rule, "$" for what is fixed now.
define target_library
$(TARGET_FOLDER)/$1-$2$3/%.o: target/%.c target/target.mk target/isa/$1/isa.mk
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$(call target_cc,$1,$2) $(call target_machine,$1,$2) $(TARGET_COMPILE) $(call target_flags,$1) \
		$(call target_with_flags,$3) -Itarget/isa/$1 -MMD -MP -c $$< -o $$@
	$$Q$(TARGET_PREFIX_$1)objcopy --rename-section .text=.text.bareprof $$@

$(TARGET_FOLDER)/$1-$2$3/%.o: target/%.S target/target.mk target/isa/$1/isa.mk
	@mkdir -p $$(@D)
	$$(call say,AS,$$@)
	$$Q$(call target_cc,$1,$2) $(call target_machine,$1,$2) $(call target_with_flags,$3) \
		-Iinclude -Itarget -MMD -MP -c $$< -o $$@

$(TARGET_FOLDER)/$1-$2$3/libbareprof.a: $(patsubst target/%,$(TARGET_FOLDER)/$1-$2$3/%.o,$(basename $(TARGET_SOURCES) \
	$(TARGET_SOURCES_$1)))
	$$(call say,AR,$$@)
	@rm -f $$@
	$$Q$(TARGET_PREFIX_$1)ar crs $$@ $$^

# target_pg, for builds outside this tree.
$(TARGET_FOLDER)/$1-$2$3/libbareprof.options: target/isa/$1/isa.mk
	@mkdir -p $$(@D)
	@echo '$(call target_pg,$1,$2)' >$$@

-include $(patsubst target/%,$(TARGET_FOLDER)/$1-$2$3/%.d,$(basename $(TARGET_SOURCES) $(TARGET_SOURCES_$1)))
endef

TARGET_VARIANTS := $(foreach stacks,+stacks +stacks+filter +paths,$(stacks) +contexts$(stacks) +cores$(stacks) \
	+contexts+cores$(stacks)) +contexts +cores +contexts+cores
$(foreach TOOLCHAIN,$(TOOLCHAINS),\
  $(foreach isa,$(TARGET_ISAS),\
    $(foreach cpu,$(TARGET_CPUS_$(isa)),\
      $(foreach variant,plain $(TARGET_VARIANTS),\
        $(eval $(call target_library,$(isa),$(cpu),$(variant:plain=)))))))
# A core that no isa.mk lists, for `make target`.
ifdef ISA
ifeq ($(filter $(CPU),$(TARGET_CPUS_$(ISA))),)
$(eval $(call target_library,$(ISA),$(CPU),$(call target_with,$(WITH))))
endif
endif

# The libraries of all cores, and the variants of the first core of each ISA, to check that they compile.
target_names = $(TARGET_CPUS_$1) $(addprefix $(firstword $(TARGET_CPUS_$1)),$(TARGET_VARIANTS))
TARGET_LIBRARIES = $(foreach isa,$(TARGET_ISAS),\
	$(patsubst %,$(TARGET_FOLDER)/$(isa)-%/libbareprof.a,$(call target_names,$(isa))))

ifneq ($(filter target install-target,$(MAKECMDGOALS)),)
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
