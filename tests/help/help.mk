# SPDX-License-Identifier: MIT
# Suite `help`: the man pages, and completion in each shell, as `make install` installs them below build/help/root.

HELP_SHELLS := bash zsh fish
HELP_ROOT := build/help/root

$(HELP_ROOT)/installed: build/bareprof docs/man.sh package/install_help.sh
	$(call say,COPY,$(@D))
	$Qrm -rf $(@D)
	$Qpackage/install_help.sh build/bareprof $(@D)/share
	$Qtouch $@

RESULTS_help := $(addprefix build/results/help/,man $(HELP_SHELLS))
build/results/help/man: $(HELP_ROOT)/installed tests/help/man.sh always
	@$(RECORD) $@ tests/help/man.sh build/bareprof $(HELP_ROOT)
$(HELP_SHELLS:%=build/results/help/%): build/results/help/%: $(HELP_ROOT)/installed tests/help/shell.sh \
		tests/help/complete.sh tests/help/cases.txt tests/help/hostile.txt always
	@$(RECORD) $@ tests/help/shell.sh $* build/bareprof $(HELP_ROOT)
