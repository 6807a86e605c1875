# SPDX-License-Identifier: MIT
# make_capture: what golden tests make their captures with.
GOLDEN_NEEDS += build/tests/make_capture
build/tests/make_capture: $(call host_objects,host,tests/block/make_capture.c tests/block/build_block.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ -o $@

-include build/host/tests/block/make_capture.d build/host/tests/block/build_block.d
