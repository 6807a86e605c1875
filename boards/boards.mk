# SPDX-License-Identifier: MIT
# Firmware for boards. A board is a folder with a board.mk, a firmware is a folder of tests/firmware with a firmware.mk;
# both are found, and any firmware is built for any board: build/firmware/BOARD/FIRMWARE.elf.
#
# The name of a firmware may go on with words joined by "+". Upper-case words are macros with their values behind a "-",
# a lower-case word says how calls are recorded: pg (the default), hooks (-finstrument-functions) or plain (not at all).
# So demo+plain+ROUNDS-20.elf is the demo, without recording, with -DROUNDS=20.

BOARD ?= mps2-an385
BOARDS := $(patsubst boards/%/board.mk,%,$(sort $(wildcard boards/*/board.mk)))
FIRMWARES := $(patsubst tests/firmware/%/firmware.mk,%,$(sort $(wildcard tests/firmware/*/firmware.mk)))

BOARD_COMPILE := -std=c11 -O2 -g -ffreestanding -fno-common -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
	-Iinclude -Iboards
# Functions stay functions unless they are declared inline, so that reports name what the source names.
FIRMWARE_COMPILE := -fno-inline-functions -fno-inline-small-functions -fno-inline-functions-called-once \
	-fno-partial-inlining

# Each board.mk sets the same few names; they are kept here as BOARD_<NAME>_<board>.
BOARD_SETTINGS := ISA CPU SOURCES FOLDERS LINKER_SCRIPT PG_FLAGS
define read_board
$(foreach setting,$(BOARD_SETTINGS),BOARD_$(setting) :=
)BOARD_FOLDER := boards/$1
include boards/$1/board.mk
$(foreach setting,$(BOARD_SETTINGS),BOARD_$(setting)_$1 := $$(BOARD_$(setting))
)
endef
$(foreach board,$(BOARDS),$(eval $(call read_board,$(board))))

# FIRMWARE_WITH names the features of the library that it is linked with: contexts, cores.
define read_firmware
FIRMWARE_WITH :=
FIRMWARE_LINK_FLAGS :=
include tests/firmware/$1/firmware.mk
FIRMWARE_SOURCES_$1 := $$(FIRMWARE_SOURCES)
FIRMWARE_FLAGS_$1 := $$(FIRMWARE_FLAGS)
FIRMWARE_WITH_$1 := $$(call target_with,$$(FIRMWARE_WITH))
FIRMWARE_LINK_FLAGS_$1 := $$(FIRMWARE_LINK_FLAGS)
endef
$(foreach firmware,$(FIRMWARES),$(eval $(call read_firmware,$(firmware))))

# What the words of a firmware's name say.
firmware_words = $(subst +, ,$1)
firmware_name = $(firstword $(firmware_words))
firmware_macros = $(filter-out $(firmware_name) pg hooks plain,$(firmware_words))
firmware_recording = $(firstword $(filter pg hooks plain,$(firmware_words)) pg)
recording_flags_pg = -pg $(BOARD_PG_FLAGS_$1)
recording_flags_hooks = -finstrument-functions
recording_flags_plain =

# $(call board_compile,BOARD) and $(call firmware_flags,BOARD,WORDS): the commands of all code and of the firmware's.
board_gcc = $(TARGET_PREFIX_$(BOARD_ISA_$1))gcc
board_machine = $(call target_machine,$(BOARD_ISA_$1),$(BOARD_CPU_$1))
board_folders = $(BOARD_FOLDERS_$1) boards/isa/$(BOARD_ISA_$1)
board_compile = $(board_gcc) $(board_machine) $(BOARD_COMPILE) $(addprefix -I,$(board_folders)) -MMD -MP
firmware_flags = $(FIRMWARE_COMPILE) $(FIRMWARE_FLAGS_$(call firmware_name,$2)) \
	$(recording_flags_$(call firmware_recording,$2)) $(patsubst %,-D%,$(subst -,=,$(call firmware_macros,$2)))
# Without zicsr: GCC 12 does not find the libgcc of a core whose name has it.
board_link = $(board_gcc) $(subst _zicsr,,$(board_machine)) -nostdlib -static -Wl,--build-id -Wl,--fatal-warnings \
	$(addprefix -L,$(board_folders)) -Llinker -T $(BOARD_LINKER_SCRIPT_$1)

# Objects of a firmware are named for its words: objects/WORDS/SOURCE.o. Those of the board are the same for all.
board_sources = boards/memory.c $(sort $(wildcard $(patsubst %,boards/isa/$(BOARD_ISA_$1)/%,*.c *.S))) \
	$(BOARD_SOURCES_$1)
board_objects = $(patsubst %,build/firmware/$1/board/%.o,$(board_sources))
firmware_objects = $(patsubst %,build/firmware/$1/objects/$2/%.o,$(FIRMWARE_SOURCES_$(call firmware_name,$2)))
words_of_object = $(firstword $(subst /, ,$1))
source_of_object = $(patsubst $(words_of_object)/%,%,$1)
firmware_library = $(TARGET_FOLDER)/$(BOARD_ISA_$1)-$(BOARD_CPU_$1)$(FIRMWARE_WITH_$(call \
	firmware_name,$2))/libbareprof.a

# The prerequisites of firmware follow from its name.
.SECONDEXPANSION:

define board_rules
.PRECIOUS: build/firmware/$1/board/%.o build/firmware/$1/objects/%.o build/firmware/$1/%.elf

build/firmware/$1/board/%.o: % boards/boards.mk boards/$1/board.mk
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$(call board_compile,$1) -fno-tree-loop-distribute-patterns -c $$< -o $$@

build/firmware/$1/objects/%.o: $$$$(call source_of_object,$$$$*) boards/boards.mk boards/$1/board.mk \
		$(wildcard tests/firmware/*/firmware.mk)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$(call board_compile,$1) $$(call firmware_flags,$1,$$(call words_of_object,$$*)) -c $$< -o $$@

build/firmware/$1/%.elf: $$$$(call firmware_objects,$1,$$$$*) $(call board_objects,$1) \
		$$$$(call firmware_library,$1,$$$$*) \
		$(wildcard linker/*.ld $(addsuffix /memory.ld,$(BOARD_FOLDERS_$1)))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$(call board_link,$1) $$(FIRMWARE_LINK_FLAGS_$$(call firmware_name,$$*)) $$(filter %.o %.a,$$^) -lgcc \
		-Wl,-Map=$$(@:.elf=.map) -o $$@
endef
$(foreach board,$(BOARDS),$(eval $(call board_rules,$(board))))

-include $(shell find build/firmware -name '*.d' 2>/dev/null)

ifneq ($(filter firmware run,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(BOARDS)),)
$(error there is no board "$(BOARD)"; boards/ has $(BOARDS))
endif
endif

.PHONY: firmware run
firmware: build/firmware/$(BOARD)/demo.elf ## Build the demo firmware for BOARD=mps2-an385, a folder of boards/
	@echo $<

run: build/firmware/$(BOARD)/demo.elf ## Run it in QEMU, its console on the terminal
	@tests/qemu/run.sh --console - $(BOARD) $<

# A QEMU plugin that counts what was executed, for tests that hold profiles against the truth.
build/qemu/count.so: tests/qemu/count.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(CC) -std=c11 -O2 $(WARNINGS) -shared -fPIC -fvisibility=hidden $< -o $@
