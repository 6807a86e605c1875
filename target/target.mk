# SPDX-License-Identifier: MIT
# The library for firmware: build/target/ISA-CPU/libbareprof.a for any ISA that has a folder in target/isa/ and any CPU
# that its compiler knows. The folder's isa.mk says how. TOOLCHAIN=clang builds build/target-clang/ISA-CPU/libbareprof.a.
#
# WITH="contexts cores" builds a variant, build/target/ISA-CPU+contexts+cores/libbareprof.a. The library only has to know
# which of them it is built for: how many contexts and cores there are, bareprof_layout of the firmware says.

TARGET_SOURCES := $(addprefix target/recorder/,arcs.c arm.c bins.c clear.c clock.c context_names.c contexts.c control.c cost.c counter.c \
	dither.c granules.c init.c instrument.c memory.c missed.c ranges.c sample.c tick.c wide_bins.c) \
	$(addprefix target/link/,checksum.c data.c frame.c poll.c request.c ring.c send.c)

TOOLCHAIN ?= gcc
TARGET_ISAS := $(patsubst target/isa/%/isa.mk,%,$(sort $(wildcard target/isa/*/isa.mk)))
include $(TARGET_ISAS:%=target/isa/%/isa.mk)

# What depends on the compiler reads TOOLCHAIN, which is bound to each of these in turn while rules are made.
TOOLCHAINS := gcc clang
TARGET_FOLDER_gcc := build/target
TARGET_FOLDER_clang := build/target-clang
TARGET_FOLDER = $(TARGET_FOLDER_$(TOOLCHAIN))

# $(call target_machine,ISA,CPU): what to tell the compiler of the core; firmware for it is compiled with this too.
target_machine = $(if $(filter undefined,$(origin TARGET_MACHINE_$1-$2)),$(call \
	TARGET_MACHINE_$1,$2),$(TARGET_MACHINE_$1-$2))
# $(call target_cc,ISA,CPU)
target_cc = $(or $(TARGET_CC_$1-$2),$(if $(filter clang,$(TOOLCHAIN)),$(call \
	TARGET_CLANG_$1,$2),$(TARGET_PREFIX_$1)gcc))
# For TARGET_FLAGS_<isa> of cores where bytes count: GCC carries values out of loops and across branches even for size. In
# functions as short as these that costs registers, and the instructions to save them: 1 % of the text. Conditional
# instructions in place of branches, and moves that hide the latency of a load, cost 2 %.
TARGET_SMALL := -fno-gcse -fno-move-loop-invariants -fno-tree-loop-im -fno-if-conversion -fno-tree-tail-merge \
	-fno-caller-saves -fno-schedule-insns2
# $(call target_refuses,ISA,CPU): yes, if the compiler does not know the core. That there is none its first use tells.
target_refuses = $(shell command -v $(firstword $(call target_cc,$1,$2)) >/dev/null && \
	! $(call target_cc,$1,$2) $(call target_machine,$1,$2) -fsyntax-only -x c /dev/null 2>/dev/null && echo yes)
# $(call target_flags,ISA): what the library needs on this ISA beside that.
target_flags = $(if $(filter clang,$(TOOLCHAIN)),$(TARGET_CLANG_FLAGS_$1),$(TARGET_FLAGS_$1))
# $(call target_pg,ISA,CPU): what firmware is compiled with so that GCC has its calls recorded.
target_pg = $(call TARGET_PG_$1,$2)

TARGET_FEATURES := contexts cores
TARGET_FEATURE_contexts := -DBAREPROF_CONTEXTS=1
TARGET_FEATURE_cores := -DBAREPROF_CORES=2
# $(call target_with,WITH): "+contexts+cores", the features in one order, whatever the order they are asked for in.
target_with = $(subst $() ,,$(foreach feature,$(TARGET_FEATURES),$(if $(filter $(feature),$1),+$(feature))))
# $(call target_with_flags,+contexts+cores)
target_with_flags = $(foreach feature,$(subst +, ,$1),$(TARGET_FEATURE_$(feature)))

# Nothing of the firmware's flags is used: the recorder must never record itself. No jump tables, because on v6-M these
# are a function of the compiler's library, outside the recorder's section.
TARGET_COMPILE := -std=c11 -Os -g -ffreestanding -fno-strict-aliasing -fno-common -fno-unwind-tables \
	-fno-asynchronous-unwind-tables -fno-stack-protector -fno-jump-tables \
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -Itarget

# $(call target_library,ISA,CPU,+FEATURE...). All code goes into one section, so that samples in the recorder are known as
# such and a linker script can place it.
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

# target_pg, for builds that are not ours.
$(TARGET_FOLDER)/$1-$2$3/libbareprof.options: target/isa/$1/isa.mk
	@mkdir -p $$(@D)
	@echo '$(call target_pg,$1,$2)' >$$@

-include $(patsubst target/%,$(TARGET_FOLDER)/$1-$2$3/%.d,$(basename $(TARGET_SOURCES) $(TARGET_SOURCES_$1)))
endef

TARGET_VARIANTS := +contexts +cores +contexts+cores
$(foreach TOOLCHAIN,$(TOOLCHAINS),$(foreach isa,$(TARGET_ISAS),$(foreach cpu,$(TARGET_CPUS_$(isa)),$(eval $(call \
	target_library,$(isa),$(cpu),))$(foreach variant,$(TARGET_VARIANTS),$(eval $(call \
	target_library,$(isa),$(cpu),$(variant)))))))
ifdef ISA
ifeq ($(filter $(CPU),$(TARGET_CPUS_$(ISA))),)
$(eval $(call target_library,$(ISA),$(CPU),$(call target_with,$(WITH))))
endif
endif

# Variants of one core per ISA, to see that they compile.
TARGET_LIBRARIES = $(foreach isa,$(TARGET_ISAS),$(foreach name,$(TARGET_CPUS_$(isa)) $(addprefix $(firstword \
	$(TARGET_CPUS_$(isa))),$(TARGET_VARIANTS)),$(TARGET_FOLDER)/$(isa)-$(name)/libbareprof.a))

ifneq ($(filter target install-target,$(MAKECMDGOALS)),)
ifeq ($(and $(filter $(TARGET_ISAS),$(ISA)),$(CPU)),)
$(error make $(filter target install-target,$(MAKECMDGOALS)) needs ISA=arm_m and CPU=, one of \
	$(TARGET_CPUS_arm_m); or ISA=riscv and CPU=, one of $(TARGET_CPUS_riscv); or another that the compiler knows)
endif
ifeq ($(call target_refuses,$(ISA),$(CPU)),yes)
$(error $(firstword $(call target_cc,$(ISA),$(CPU))) knows no core "$(CPU)"; CPU= is one of $(TARGET_CPUS_$(ISA)), or another that it knows)
endif
ifneq ($(filter-out $(TARGET_FEATURES),$(WITH)),)
$(error WITH= takes $(TARGET_FEATURES), not $(filter-out $(TARGET_FEATURES),$(WITH)))
endif
endif

# The one that ISA, CPU and WITH name.
TARGET_LIBRARY := $(TARGET_FOLDER)/$(ISA)-$(CPU)$(call target_with,$(WITH))/libbareprof.a

.PHONY: target target-all
target: $(TARGET_LIBRARY) $(TARGET_LIBRARY:.a=.options) ## Build libbareprof.a for ISA=... CPU=...
	@echo $<

target-all: $(TARGET_LIBRARIES) ## Build libbareprof.a for every ISA and CPU that is named in target/isa/
