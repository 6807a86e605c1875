# SPDX-License-Identifier: MIT
# Firmware for boards. A board is a folder with a board.mk, a firmware is a folder of tests/firmware with a firmware.mk;
# both are found, and any firmware is built for any board: build/firmware/BOARD/FIRMWARE.elf.
#
# The name of a firmware may be followed by words joined by "+". Words in capitals are macros, with their values after a
# "-"; the others choose how the firmware's own code is compiled:
#   pg (default), hooks (-finstrument-functions), plain (none)   how calls are recorded
#   O0, O1, O2 (default), O3, Os, lto (GCC's)                    how it is optimised
#   sections                                                     each function in a section of its own
#   save_restore                                                 registers saved by functions of libgcc (RISC-V)
#   cxx11, cxx14, cxx17 (default), cxx20                        which C++
#   clang (all but the library), clang_library                   what clang compiles, GCC the rest
#   stacks                                                       slices: 64 of them, or as many as BAREPROF_STACKS-N says
#   filter                                                       with stacks: filtered, to 192 bytes or BAREPROF_STACK_FILTER-N
#   paths                                                        a path tree of 1,024 nodes, or of BAREPROF_PATHS-N
#   drop_in                                                      the recorder is compiled like the firmware, from the
#                                                                drop-in files; not from the library
# So demo+plain+ROUNDS-20.elf is the demo, without recording, with -DROUNDS=20.

BOARD ?= mps2-an385
FIRMWARE ?= demo
BOARDS := $(patsubst boards/%/board.mk,%,$(sort $(wildcard boards/*/board.mk)))
FIRMWARES := $(patsubst tests/firmware/%/firmware.mk,%,$(sort $(wildcard tests/firmware/*/firmware.mk)))

BOARD_COMPILE := -O2 -g -ffreestanding -fno-common -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
	-Iinclude -Iboards
BOARD_COMPILE_C := -std=c11
BOARD_COMPILE_C++ := -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics
# A memory function must not be compiled into a call of itself.
BOARD_COMPILE_gcc := -fno-tree-loop-distribute-patterns
BOARD_COMPILE_clang :=
# Functions are not inlined unless they are declared inline, so that reports have the same functions as the source.
FIRMWARE_COMPILE_gcc := -fno-inline-functions -fno-inline-small-functions -fno-inline-functions-called-once \
	-fno-partial-inlining
FIRMWARE_COMPILE_clang := -fno-inline-functions

# Each board.mk sets the same few variables; they are kept as BOARD_NAME_<board>: BOARD_CPU_microbit is cortex-m0.
# $(call read_board,microbit) clears the variables, so that a board does not inherit values of the previous board, and
# reads the file.
define read_board
BOARD_ISA :=
BOARD_CPU :=
BOARD_SOURCES :=
BOARD_FOLDERS :=
BOARD_LINKER_SCRIPT :=
BOARD_QEMU :=
BOARD_FOLDER := boards/$1
include boards/$1/board.mk
BOARD_ISA_$1 := $$(BOARD_ISA)
BOARD_CPU_$1 := $$(BOARD_CPU)
BOARD_SOURCES_$1 := $$(BOARD_SOURCES)
BOARD_FOLDERS_$1 := $$(BOARD_FOLDERS)
BOARD_LINKER_SCRIPT_$1 := $$(BOARD_LINKER_SCRIPT)
BOARD_QEMU_$1 := $$(BOARD_QEMU)
endef
$(foreach board,$(BOARDS),$(eval $(call read_board,$(board))))

# Reads the firmware.mk of a firmware in the same way. FIRMWARE_WITH names the features of the library that it is linked
# with: contexts, cores, stacks.
define read_firmware
FIRMWARE_SOURCES :=
FIRMWARE_FLAGS :=
FIRMWARE_WITH :=
FIRMWARE_LINK_FLAGS :=
include tests/firmware/$1/firmware.mk
FIRMWARE_SOURCES_$1 := $$(FIRMWARE_SOURCES)
FIRMWARE_FLAGS_$1 := $$(FIRMWARE_FLAGS)
FIRMWARE_WITH_$1 := $$(FIRMWARE_WITH)
FIRMWARE_LINK_FLAGS_$1 := $$(FIRMWARE_LINK_FLAGS)
endef
$(foreach firmware,$(FIRMWARES),$(eval $(call read_firmware,$(firmware))))

# The words of a firmware's name and their flags.
RECORDING_WORDS := pg hooks plain
OPTIMISATION_WORDS := O0 O1 O2 O3 Os lto sections save_restore
LANGUAGE_WORDS := cxx11 cxx14 cxx17 cxx20
FEATURE_WORDS := stacks filter paths
# Each takes the name as $1: for demo+O3+ROUNDS-20, firmware_name is demo, firmware_macros is ROUNDS-20.
firmware_words = $(subst +, ,$1)
firmware_name = $(firstword $(firmware_words))
firmware_macros = $(filter-out $(firmware_name) $(RECORDING_WORDS) $(OPTIMISATION_WORDS) $(LANGUAGE_WORDS) \
	$(FEATURE_WORDS) clang clang_library drop_in,$(firmware_words))
firmware_recording = $(firstword $(filter $(RECORDING_WORDS),$(firmware_words)) pg)
firmware_optimisation = $(patsubst O%,-O%,$(filter O%,$(firmware_words))) \
	$(patsubst lto,-flto,$(filter lto,$(firmware_words))) \
	$(patsubst sections,-ffunction-sections,$(filter sections,$(firmware_words))) \
	$(patsubst save_restore,-msave-restore,$(filter save_restore,$(firmware_words)))
firmware_language = $(patsubst cxx%,-std=c++%,$(filter $(LANGUAGE_WORDS),$(firmware_words)))
firmware_features = $(call target_with,$(FIRMWARE_WITH_$(firmware_name)) $(filter $(FEATURE_WORDS),$(firmware_words)))
# The sampling interrupt passes the same data for slices and for a tree, so the board's objects are the same for both.
firmware_paths = $(findstring +paths,$(firmware_features))
firmware_stacks = $(if $(or $(findstring +stacks,$(firmware_features)),$(firmware_paths)),+stacks)
paths_flags = -DBAREPROF_STACKS=1 $(if $(filter BAREPROF_PATHS-%,$(firmware_words)),,-DBAREPROF_PATHS=1024)
filter_flags = $(if $(filter BAREPROF_STACK_FILTER-%,$(firmware_words)),,-DBAREPROF_STACK_FILTER=192)
stacks_flags = $(if $(firmware_paths),$(paths_flags),$(if $(filter BAREPROF_STACKS-%,$(firmware_words)),,-DBAREPROF_STACKS=64)) \
	$(if $(filter filter,$(firmware_words)),$(filter_flags))
firmware_toolchain = $(firstword $(filter clang,$(firmware_words)) gcc)
recording_flags_gcc_pg = $(call target_pg,$(BOARD_ISA_$1),$(BOARD_CPU_$1))
recording_flags_gcc_hooks = -finstrument-functions
recording_flags_gcc_plain =
recording_flags_clang_pg = $(TARGET_CLANG_PG_$(BOARD_ISA_$1))
recording_flags_clang_hooks = -finstrument-functions-after-inlining
recording_flags_clang_plain =

# Commands. $(call board_compile,BOARD,TOOLCHAIN,SOURCE) compiles the board's code, $(call firmware_compile,BOARD,WORDS,
# SOURCE) the firmware's, with the options of its words. Functions without arguments of their own use $1 to $3 of their
# caller.
board_folders = $(BOARD_FOLDERS_$1) boards/families/isa/$(BOARD_ISA_$1)
board_language = $(if $(filter %.cpp,$1),C++,C)
board_cc = $(foreach TOOLCHAIN,$2,\
	$(call target_cc,$(BOARD_ISA_$1),$(BOARD_CPU_$1)) $(call target_machine,$(BOARD_ISA_$1),$(BOARD_CPU_$1)))
board_compile = $(call board_cc,$1,$2) $(BOARD_COMPILE) $(BOARD_COMPILE_$(call board_language,$3)) \
	$(addprefix -I,$(board_folders)) -MMD
firmware_compile = $(call board_compile,$1,$(call firmware_toolchain,$2),$3) $(firmware_flags)
firmware_recording_flags = $(recording_flags_$(call firmware_toolchain,$2)_$(call firmware_recording,$2))
firmware_flags = $(FIRMWARE_COMPILE_$(call firmware_toolchain,$2)) $(FIRMWARE_FLAGS_$(call firmware_name,$2)) \
	$(firmware_recording_flags) $(call firmware_optimisation,$2) \
	$(if $(call firmware_stacks,$2),$(call stacks_flags,$2)) \
	$(if $(filter-out build/drop-in/%,$3),$(if $(call firmware_drop_in,$2),-DBAREPROF_DROP_IN)) \
	$(if $(filter %.cpp,$3),$(call firmware_language,$2)) $(patsubst %,-D%,$(subst -,=,$(call firmware_macros,$2)))
# Clang's objects say that they need no executable stack, but GCC's library does not, so the linker is given the option.
board_link = $(call board_cc,$1,gcc) -nostdlib -static -Wl,--build-id -Wl,--fatal-warnings -Wl,-z,noexecstack \
	$(addprefix -L,$(board_folders)) -Llinker -T $(BOARD_LINKER_SCRIPT_$1)
# GCC 12 does not find its library if the core's name has zicsr.
board_libgcc = $(shell $(subst _zicsr,,$(call board_cc,$1,gcc)) -print-libgcc-file-name)
# With LTO, code is generated when linking, so the options that record calls are needed there, too.
firmware_link_flags = $(FIRMWARE_LINK_FLAGS_$(call firmware_name,$2)) \
	$(if $(filter lto,$(call firmware_words,$2)),-flto $(firmware_recording_flags)) \
	$(if $(call firmware_drop_in,$2),-Xlinker --gc-sections)

# Objects of a firmware are in a folder named for its words: objects/WORDS/SOURCE.o. Objects of the board depend only on
# the compiler and on whether there are slices. The demo's work reads no macros and not the library's headers, so all
# variants that are compiled alike share its objects.
DEMO_WORK := $(filter-out %/main.c %/selftest.c,$(wildcard tests/firmware/demo/*.c))
# $(call object_words,WORDS,SOURCE)
object_words = $(if $(filter $2,$(DEMO_WORK)),$(subst $() ,+,$(filter-out $(firmware_macros) $(FEATURE_WORDS) \
	clang_library drop_in,$(firmware_words))),$1)
board_sources = boards/console.c boards/memory.c $(sort $(wildcard $(patsubst %,boards/families/isa/$(BOARD_ISA_$1)/%,*.c *.S))) \
	$(BOARD_SOURCES_$1)
board_objects = $(patsubst %,build/firmware/$1/board-$2/%.o,$(board_sources))
firmware_drop_in = $(addprefix build/drop-in/,$(if $(filter drop_in,$(firmware_words)),bareprof.c bareprof_entry.S))
firmware_objects = $(foreach source,$(FIRMWARE_SOURCES_$(call firmware_name,$2)) $(call firmware_drop_in,$2),\
	build/firmware/$1/objects/$(call object_words,$2,$(source))/$(source).o)
words_of_object = $(firstword $(subst /, ,$1))
source_of_object = $(patsubst $(words_of_object)/%,%,$1)
firmware_library_folder = $(TARGET_FOLDER_$(if $(filter clang_library,$(call firmware_words,$2)),clang,gcc))
firmware_library = $(if $(call firmware_drop_in,$2),,\
	$(firmware_library_folder)/$(BOARD_ISA_$1)-$(BOARD_CPU_$1)$(call firmware_features,$2)/libbareprof.a)

# $(call put_unwind_table,BOARD,ELF): the second step of a link with a path tree.
put_unwind_table = $Q{ build/bareprof unwind-table -o $(2:.elf=.table) $2 >$(2:.elf=.table.txt) && \
	$(TARGET_PREFIX_$(BOARD_ISA_$1))objcopy --update-section .bareprof_unwind=$(2:.elf=.table) $2; } || { rm -f $2; false; }

# The prerequisites of a file follow from its name, "$*", which make knows only when it applies the rule. So they are
# expanded again at that time: "$" is expanded by $(call), "$$" when the rule is read (and in recipes, when they run),
# "$$$$" when it is applied. From the last rule below, $(call board_rules,microbit) makes
#
#   build/firmware/microbit/%.elf: $$(call firmware_objects,microbit,$$*) ...
#
# which is applied to build/firmware/microbit/demo+O3.elf with $* = demo+O3 and becomes
#
#   build/firmware/microbit/demo+O3.elf: build/firmware/microbit/objects/demo+O3/tests/firmware/demo/main.c.o ...

# $(call board_object_rule,BOARD,TOOLCHAIN,VARIANT), where the variant is +stacks or nothing.
define board_object_rule
build/firmware/$1/board-$2$3/%.o: % boards/boards.mk boards/$1/board.mk target/isa/$(BOARD_ISA_$1)/isa.mk \
		$$$$(call headers_of,$$$$@)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$(call board_compile,$1,$2,$$<) $(BOARD_COMPILE_$2) $(call target_with_flags,$3) -c $$< -o $$@
endef

define board_rules
.PRECIOUS: $(foreach toolchain,$(TOOLCHAINS),build/firmware/$1/board-$(toolchain)/%.o \
	build/firmware/$1/board-$(toolchain)+stacks/%.o) \
	build/firmware/$1/objects/%.o build/firmware/$1/%.elf

build/firmware/$1/objects/%.o: $$$$(call source_of_object,$$$$*) boards/boards.mk boards/$1/board.mk \
		target/isa/$(BOARD_ISA_$1)/isa.mk $(wildcard tests/firmware/*/firmware.mk) $$$$(call headers_of,$$$$@)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$(call firmware_compile,$1,$$(call words_of_object,$$*),$$<) -c $$< -o $$@

build/firmware/$1/%.elf: $$$$(call firmware_objects,$1,$$$$*) \
		$$$$(call board_objects,$1,$$$$(call firmware_toolchain,$$$$*)$$$$(call firmware_stacks,$$$$*)) \
		$$$$(call firmware_library,$1,$$$$*) $$$$(if $$$$(call firmware_paths,$$$$*),build/bareprof) \
		$(wildcard linker/*.ld $(addsuffix /memory.ld,$(BOARD_FOLDERS_$1)))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$(call board_link,$1) $$(call firmware_link_flags,$1,$$*) $$(filter %.o %.a,$$^) $$(call board_libgcc,$1) \
		-Wl,-Map=$$(@:.elf=.map) -o $$@
	$$(if $$(call firmware_paths,$$*),$$(call put_unwind_table,$1,$$@))
endef
$(foreach board,$(BOARDS),$(foreach toolchain,$(TOOLCHAINS),$(foreach variant,plain +stacks,\
	$(eval $(call board_object_rule,$(board),$(toolchain),$(variant:plain=))))))
$(foreach board,$(BOARDS),$(eval $(call board_rules,$(board))))

ifneq ($(filter firmware run,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(BOARDS)),)
$(error there is no board "$(BOARD)"; boards/ has $(BOARDS))
endif
ifeq ($(filter $(call firmware_name,$(FIRMWARE)),$(FIRMWARES)),)
$(error there is no firmware "$(FIRMWARE)"; tests/firmware/ has $(FIRMWARES))
endif
endif

.PHONY: firmware
firmware: build/firmware/$(BOARD)/$(FIRMWARE).elf ## Build FIRMWARE=demo, or demo+LIVE-1 to pull from, for BOARD=mps2-an385
	@echo $<

# QEMU plugins that count executed instructions and memory accesses, for tests that compare profiles with the counts.
build/qemu/%.so: tests/qemu/%.c tests/qemu/plugin.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(CC) -std=c11 -O2 $(WARNINGS) -shared -fPIC -fvisibility=hidden $< -o $@
