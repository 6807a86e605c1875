# SPDX-License-Identifier: MIT
# Installation: the tool, and for firmware headers, linker fragment, sources, libraries, pkg-config files and a CMake
# package. By GNU's conventions, DESTDIR is put before each path and does not appear in the installed files, and
# `prefix` is another name of PREFIX. None of the installed files names PREFIX, so the folder may be moved.

PREFIX ?= /usr/local
prefix := $(PREFIX)
DESTDIR ?=

# The library's name in the package: arm_m-cortex-m4f.
PACKAGE_NAME = $(notdir $(patsubst %/,%,$(dir $(TARGET_LIBRARY))))

# Paths reach the script through the environment, because they may contain blanks.
INSTALL_GOALS := install install-strip install-target uninstall
.PHONY: $(INSTALL_GOALS)
$(INSTALL_GOALS): export DESTDIR := $(DESTDIR)
$(INSTALL_GOALS): export PREFIX := $(prefix)

install: build/bareprof ## Install the tool, and all that firmware is built from, under DESTDIR and PREFIX=/usr/local
	@package/install.sh tool build/bareprof
	@package/install.sh sources $(VERSION)

install-strip: export INSTALL_PROGRAM := install -m 755 -s
install-strip: install ## Install likewise, the program without its debug information

install-target: $(TARGET_LIBRARY) $(TARGET_LIBRARY:.a=.options) ## Install libbareprof.a for ISA=... CPU=... and what it needs
	@package/install.sh sources $(VERSION)
	@package/install.sh library $(PACKAGE_NAME) $(<D) $(VERSION) '$(call target_pg,$(ISA),$(CPU))'

uninstall: ## Remove everything that was installed under DESTDIR and PREFIX
	@package/install.sh remove

# --- The drop-in files: three files and a header for each kind of timer, to copy into a project with another build.

DROP_IN_AWK = awk -v NOTE='bareprof, written by `make drop-in`: change its sources, not this file.' \
	-v ISAS='arm_m:__ARM_ARCH_PROFILE==77 riscv:defined(__riscv)' -f package/drop_in.awk
DROP_IN_HEADERS := $(addprefix include/bareprof/,bareprof.h link.h ring.h semihosting.h)
DROP_IN_TIMERS := $(filter-out %/timer_isr.h,$(wildcard include/bareprof/timer_*.h))
# An RTOS's glue: bareprof_RTOS.h and bareprof_RTOS.c.
DROP_IN_RTOSES := $(notdir $(basename $(wildcard target/rtos/*.c)))
DROP_IN_EXTRAS := $(DROP_IN_TIMERS) $(DROP_IN_RTOSES:%=include/bareprof/%.h)
DROP_IN_GLUE := $(DROP_IN_RTOSES:%=build/drop-in/bareprof_%.c)
DROP_IN := $(addprefix build/drop-in/,bareprof.h bareprof.c bareprof_entry.S \
	$(DROP_IN_EXTRAS:include/bareprof/%=bareprof_%)) $(DROP_IN_GLUE)
DROP_IN_SOURCES := $(wildcard include/bareprof/*.h include/bareprof/isa/*.h target/*.h target/*/*.[ch] target/isa/*/*.[chS])
# Headers that bareprof.h contains already, as arguments for drop_in.awk.
DROP_IN_KNOWN = $$(sed -n 's|^/\* ---- \(.*\) ---- \*/$$|!\1|p' build/drop-in/bareprof.h) '@\#include "bareprof.h"'
# $(call drop_in_isa,SUFFIX): the sources of each ISA.
drop_in_isa = $(foreach isa,arm_m riscv,$(addprefix $(isa)=,$(filter target/isa/%$1 target/timer/%$1,$(TARGET_SOURCES_$(isa)))))

.PHONY: drop-in
drop-in: $(DROP_IN) ## Write the files to copy into a project of your own, into build/drop-in/

build/drop-in/bareprof.h: $(DROP_IN_SOURCES) package/drop_in.awk
	@mkdir -p $(@D)
	$(call say,WRITE,$@)
	$Q$(DROP_IN_AWK) '@#ifndef BAREPROF_DROP_IN' '@#define BAREPROF_DROP_IN' $(addprefix include/bareprof/,options.h code.h block.h) \
		'@#ifndef __ASSEMBLER__' $(DROP_IN_HEADERS) '@#endif' '@#endif' >$@

build/drop-in/bareprof.c: build/drop-in/bareprof.h
	$(call say,WRITE,$@)
	$Q$(DROP_IN_AWK) $(DROP_IN_KNOWN) target/compiler.h $(TARGET_SOURCES) target/link/semihosting.c $(call drop_in_isa,.c) >$@

build/drop-in/bareprof_entry.S: build/drop-in/bareprof.h
	$(call say,WRITE,$@)
	$Q$(DROP_IN_AWK) $(DROP_IN_KNOWN) $(call drop_in_isa,.S) >$@

$(DROP_IN_EXTRAS:include/bareprof/%=build/drop-in/bareprof_%): build/drop-in/bareprof_%: include/bareprof/% build/drop-in/bareprof.h
	$(call say,WRITE,$@)
	$Q$(DROP_IN_AWK) $(DROP_IN_KNOWN) $< >$@

$(DROP_IN_GLUE): build/drop-in/bareprof_%.c: target/rtos/%.c build/drop-in/bareprof.h
	$(call say,WRITE,$@)
	$Q$(DROP_IN_AWK) $(DROP_IN_KNOWN) $< >$@

# --- The tree for package registries: package/release/ with the drop-in files, the version, and RELEASE_URL, where the
# tree is published. Files that need the headers of an RTOS are in extras/, because some environments compile all of
# src/. Examples share main.c, and take their startup code and linker script from a project of the tests.

RELEASE_URL ?= https://bareprof.invalid
RELEASE_STM32 := $(addprefix tests/drop-in/cubemx/,Core/Src/startup_stm32f405.c Core/Src/system_stm32f4xx.c STM32F405RGTX_FLASH.ld)

RELEASE_TREE := build/release-tree

# The tree is written next to its place, and moved when it is complete; until then the one before stays. Copies of
# read-only files are writable.
.PHONY: release-tree
release-tree: export RELEASE_URL := $(RELEASE_URL)
release-tree: $(DROP_IN) ## Write the tree for PlatformIO, Arduino, ESP-IDF, Zephyr, CMake and others to build/; RELEASE_URL= is its home
	$(call say,WRITE,$(RELEASE_TREE))
	$Qcase $$RELEASE_URL in *[!A-Za-z0-9:/.~_-]*) echo "RELEASE_URL has characters other than letters, digits and :/.~_-" >&2; exit 1;; esac
	$Qnew=$(RELEASE_TREE).$$$$; trap '[ -e $(RELEASE_TREE) ] || mv -T $$new.old $(RELEASE_TREE) 2>/dev/null; rm -rf $$new $$new.old' EXIT; trap 'exit 1' HUP INT TERM; set -e; mkdir -p $$new/src; \
	cp -r package/release/. LICENSE $$new; chmod -R u+w $$new; \
	cp $(filter-out $(DROP_IN_GLUE),$(DROP_IN)) $$new/src; \
	mkdir $$new/extras; cp $(DROP_IN_GLUE) $$new/extras; \
	cp $(RELEASE_STM32) $$new/examples/stm32; \
	cp $$new/examples/stm32/sampling.c $$new/examples/arduino; \
	for example in stm32 zephyr esp-idf/main pico-sdk; do cp package/release/examples/main.c $$new/examples/$$example; done; \
	rm $$new/examples/main.c; \
	chmod -R u+w $$new; \
	grep -rlE '@(VERSION|URL)@' $$new | xargs sed -i "s|@VERSION@|$(VERSION)|g; s|@URL@|$$RELEASE_URL|g"; \
	if [ -e $(RELEASE_TREE) ]; then mv -T $(RELEASE_TREE) $$new.old; fi; \
	mv -T $$new $(RELEASE_TREE)
