# Tests that run firmware in QEMU. firmware.txt says which test runs which firmware on which board.
EMULATED_TESTS += $(addprefix tests/emulated/,badstack.sh calls.sh cold.sh compilers.sh contexts.sh cores.sh cost.sh dither.sh early.sh exception.sh files.sh \
	frames.sh gmon.sh lines.sh link.sh live.sh masked.sh paths.sh regions.sh registers.sh repeat.sh rtos.sh self_times.sh scheduler.sh \
	semihosting.sh stacks.sh states.sh stress.sh tables.sh trustzone.sh warm.sh)
EMULATED_TEST_SUPPORT += tests/emulated/support.sh tests/emulated/landings.sh
build/tests/print_lines: $(call host_objects,host,tests/emulated/print_lines.c) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(HOST_LIBRARIES) -o $@

EMULATED_TEST_NEEDS += build/tests/print_lines build/tests/print_paths build/qemu/count.so build/qemu/first_load.so build/qemu/shadow.so

# TARGET_FIRMWARE_TEST is the firmware that a test runs. The entries of firmware.txt for the test `build` are only built.
# Each line of the file becomes an assignment: "cold mps2-an385 cold+WARM-1" becomes
#   TARGET_FIRMWARE_cold += build/firmware/mps2-an385/cold+WARM-1.elf
target_firmware := $(shell awk '!/^(\#|$$)/ { print $$1 ":build/firmware/" $$2 "/" $$3 ".elf" }' tests/emulated/firmware.txt)
$(foreach line,$(target_firmware),$(eval TARGET_FIRMWARE_$(subst :, += ,$(line))))
