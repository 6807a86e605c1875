# SPDX-License-Identifier: MIT
# The pipes over TinyUSB, compiled against a header of our own with the same declarations. tests/porting/tinyusb.sh
# compiles what their page shows.
UNIT_TESTS += tests/unit/target/tinyusb/test_tinyusb.c
UNIT_LIBRARIES_target/tinyusb = build/tinyusb/$1/bareprof_cdc.o build/tinyusb/$1/bareprof_vendor.o

define tinyusb_object
build/tinyusb/$1/%.o: package/tinyusb/%.c package/tinyusb/bareprof_tinyusb.h tests/unit/target/tinyusb/tusb.h
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$($1_CC) $$(HOST_FLAGS) $$($1_FLAGS) -Itests/unit/target/tinyusb -c $$< -o $$@
endef
$(foreach variant,host sanitize,$(eval $(call tinyusb_object,$(variant))))
