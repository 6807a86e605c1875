# SPDX-License-Identifier: MIT
# Instructions per call, averaged over all calls of a firmware, and how they differ between links of the same objects with
# random padding between functions, see relink.pl. `make check` makes RELINKINGS links of each, `make bench-relink` 200.

RELINKINGS := 8
RELINKED := mps2-an385/demo+sections+ROUNDS-200+ARCS-128 mps2-an385/crowded+sections+ROUNDS-200+ARCS-128 \
	mps2-an385/tasks+sections+ROUNDS-300 microbit/crowded+sections+ROUNDS-200+ARCS-128 \
	qemu-virt-rv32/crowded+sections+ROUNDS-200+ARCS-128 qemu-virt-rv32/tasks+sections+ROUNDS-300

# The command that links a firmware, without the name of the output, on one line.
relinked_board = $(patsubst %/,%,$(dir $1))
define relinked
build/bench/relinked/$1.link: build/firmware/$1.elf tests/bench/relink/relink.mk boards/boards.mk
	@mkdir -p $$(@D)
	@echo '$(call board_link,$(call relinked_board,$1)) $(call firmware_link_flags,$(call relinked_board,$1),$(notdir $1))' \
		'$(call firmware_objects,$(call relinked_board,$1),$(notdir $1))' \
		'$(call board_objects,$(call relinked_board,$1),gcc)' \
		'$(call firmware_library,$(call relinked_board,$1),$(notdir $1))' \
		'$$(call board_libgcc,$(call relinked_board,$1))' >$$@
endef
$(foreach firmware,$(RELINKED),$(eval $(call relinked,$(firmware))))

RELINK_NEEDS := tests/bench/relink/relink.pl build/qemu/count.so $(RELINKED:%=build/bench/relinked/%.link)

build/bench/relink.figures: $(RELINK_NEEDS)
	$(call say,RUN,$@)
	$Qperl tests/bench/relink/relink.pl $(RELINKINGS) $(RELINKED:%=build/bench/relinked/%.link) >$@

.PHONY: bench-relink print-relinked
bench-relink: ## Measure instructions per call over 200 links with random padding, on several boards
	@tests/check/deps.sh --quiet
	+@$(SUBMAKE) print-relinked

print-relinked: $(RELINK_NEEDS)
	@perl tests/bench/relink/relink.pl 200 $(RELINKED:%=build/bench/relinked/%.link)
