# SPDX-License-Identifier: MIT
# make_capture: makes the captures of golden tests.
GOLDEN_NEEDS += build/tests/make_capture
build/tests/make_capture: $(call host_objects,host,tests/block/make_capture.c tests/block/build_block.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ -o $@

# make_sampled: the same of captures that were sampled through a probe.
GOLDEN_NEEDS += build/tests/make_sampled
build/tests/make_sampled: $(call host_objects,host,tests/block/make_sampled.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@
