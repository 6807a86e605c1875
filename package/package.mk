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
