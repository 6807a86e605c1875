# SPDX-License-Identifier: MIT
# Real programs from Debian's source packages, profiled in QEMU and compared with the instructions that
# were executed. Suite `real` downloads the sources into build/real/sources/ and builds them with their own warnings off;
# a program is a folder with a program.mk and our main file. docs/REAL-FIRMWARE.md has the results.

REAL_BOARDS := mps2-an385 mps2-an386 qemu-virt-rv32
REAL_PROGRAMS := $(patsubst tests/real/%/program.mk,%,$(sort $(wildcard tests/real/*/program.mk)))
# Those in which much time is in cycles of the call graph.
REAL_RECURSIVE := lua mujs

# Each program.mk sets these.
REAL_SETTINGS := PACKAGE SOURCES FLAGS PORTING STACKS
define read_real_program
$(foreach setting,$(REAL_SETTINGS),REAL_$(setting) :=
)include tests/real/$1/program.mk
$(foreach setting,$(REAL_SETTINGS),REAL_$(setting)_$1 := $$(REAL_$(setting))
)
endef
$(foreach program,$(REAL_PROGRAMS),$(eval $(call read_real_program,$(program))))

# The C library: newlib for Arm, picolibc for RISC-V, which Debian has no newlib for.
REAL_LIBC_arm_m :=
REAL_LIBC_riscv := --specs=picolibc.specs
REAL_COMPILE := -O2 -g -w -ffunction-sections -fdata-sections -Iinclude -Itests/real

build/real/sources/%/unpacked: tests/real/download.sh
	$(call say,GET,$*)
	$Q$< $* $(@D)

# A program is built as in its name: PROGRAM with -pg, PROGRAM+stacks and PROGRAM+paths without, for slices and for a tree. These
# two share the objects of the package, PROGRAM+plain, which knows nothing of the library. The target takes longer to unwind a
# path of tens of functions than the board's period.
REAL_VARIANTS := +stacks +paths
real_flags_+plain :=
real_flags = $(real_flags_$(or $3,pg))
real_flags_pg = $(call target_pg,$(BOARD_ISA_$1),$(BOARD_CPU_$1)) -DPERIODS=1
real_flags_+stacks = $(or $(REAL_STACKS_$2),-DBAREPROF_STACKS=1200 -DBAREPROF_STACK_BYTES=2560 -DPERIODS=1)
real_flags_+paths = -DBAREPROF_STACKS=1 -DBAREPROF_PATHS=32768 -DPERIODS=5

# A program with REAL_PORTING is built into the firmware of docs/PORTING.md for the machine, others into the board's.
REAL_MACHINE_arm_m := build/real/porting/mps2
REAL_MACHINE_riscv := build/real/porting/virt
real_machine = $(if $(REAL_PORTING_$2),$(REAL_MACHINE_$(BOARD_ISA_$1)))
real_sources = tests/real/$2/main.c tests/real/libc.c $(REAL_SOURCES_$2) $(if $(real_machine),tests/real/porting/profiling.c \
	$(addprefix $(real_machine)/,board.c sampling.c),tests/real/profiling.c)
real_include = $(addprefix -I,$(or $(real_machine),boards $(board_folders)) tests/real/$2 build/real/sources/$(REAL_PACKAGE_$2))
real_board_objects = $(if $(real_machine),,$(filter-out %/boards/memory.c.o,$(call board_objects,$1,gcc$(if $3,+stacks))))
real_porting_link = $(call board_cc,$1,gcc) -nostdlib -Wl,--build-id -Llinker -T $(real_machine)/link.ld
real_link = $(if $(real_machine),$(real_porting_link),$(board_link))

build/real/porting/%/project: tests/real/porting/project.sh tests/porting/support.sh docs/PORTING.md $(wildcard tests/porting/*/*)
	$Q$< $* $(@D)
	@touch $@

real_object_variant = $(if $(filter tests/% build/%,$(source)),$3,$(3:+%=+plain))
real_objects = $(foreach source,$(real_sources),build/real/$1/$2$(real_object_variant)/$(source:.c=.o))

# $(call real_compilation,BOARD,PROGRAM,VARIANT)
define real_compilation
build/real/$1/$2$3/%.o: build/real/sources/$(REAL_PACKAGE_$2)/unpacked tests/real/real.mk tests/real/$2/program.mk \
		$(addsuffix /project,$(real_machine)) $$$$(call headers_of,$$$$@)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$(call board_cc,$1,gcc) $(REAL_LIBC_$(BOARD_ISA_$1)) $(REAL_COMPILE) $(real_include) \
		$(patsubst -I%,-Ibuild/real/sources/$(REAL_PACKAGE_$2)/%,$(REAL_FLAGS_$2)) $(real_flags) \
		-MMD -c $$(if $$(filter tests/% build/%,$$*),,build/real/sources/$(REAL_PACKAGE_$2)/)$$*.c -o $$@

.PRECIOUS: build/real/$1/$2$3/%.o
endef
$(foreach board,$(REAL_BOARDS),$(foreach program,$(REAL_PROGRAMS),$(foreach variant,pg +plain $(REAL_VARIANTS),$(eval \
	$(call real_compilation,$(board),$(program),$(variant:pg=))))))

# $(call real_program,BOARD,PROGRAM,VARIANT)
define real_program
build/real/$1/$2$3.elf: $(real_objects) $(real_board_objects) \
		$(call firmware_library,$1,demo$3) $(if $(filter +paths,$3),build/bareprof) $(wildcard linker/*.ld)
	$$(call say,LINK,$$@)
	$$Q$(subst _zicsr,,$(real_link)) $(REAL_LIBC_$(BOARD_ISA_$1)) -Wl,--gc-sections -Wl,--no-warn-rwx-segments \
		$$(filter %.o %.a,$$^) -Wl,--start-group -lc -lm $$(call board_libgcc,$1) -Wl,--end-group -o $$@
	$(if $(filter +paths,$3),$$(call put_unwind_table,$1,$$@))

.PRECIOUS: build/real/sources/%/unpacked build/real/porting/%/project build/real/$1/$2$3.elf
endef
$(foreach board,$(REAL_BOARDS),$(foreach program,$(REAL_PROGRAMS),$(foreach variant,pg $(REAL_VARIANTS),$(eval \
	$(call real_program,$(board),$(program),$(variant:pg=))))))

define real_result
build/results/real/$1/$2: build/real/$1/$2.elf build/bareprof build/qemu/count.so tests/real/real.sh tests/emulated/truth.pl tests/emulated/Executed.pm always
	@$$(RECORD) $$@ bash tests/real/real.sh $1 $2

build/results/real/paths/$1/$2: tests/real/paths.sh $(REAL_VARIANTS:%=build/real/$1/$2%.elf) build/bareprof build/qemu/shadow.so \
		build/tests/print_paths $(addprefix tests/,unwind/shadow.sh unwind/paths.pl unwind/inclusive.pl emulated/paths.pl) always
	@$$(RECORD) $$@ bash $$< $1 $2

build/results/real/cycles/$1/$2: tests/real/cycle_entries.pl build/results/real/$1/$2 build/results/real/paths/$1/$2 always
	@$$(RECORD) $$@ perl $$< build/target-tests/real/real/$1/$2/run.json build/target-tests/unwind/shadows/$1/real/$2+stacks/run.counts
endef
$(foreach board,$(REAL_BOARDS),$(foreach program,$(REAL_PROGRAMS),$(eval $(call real_result,$(board),$(program)))))

RESULTS_real := $(foreach board,$(REAL_BOARDS),$(REAL_PROGRAMS:%=build/results/real/$(board)/%) \
	$(REAL_PROGRAMS:%=build/results/real/paths/$(board)/%) $(REAL_RECURSIVE:%=build/results/real/cycles/$(board)/%))
