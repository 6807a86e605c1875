# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/profile/lines/,test_lines.c test_line_totals.c)
UNIT_SUPPORT_profile/lines += $(PROFILE_FIXTURES)

# Firmware that test_lines reads.
$(foreach suite,unit sanitize/unit,build/results/$(suite)/profile/lines/test_lines): build/firmware/mps2-an385/demo.elf \
	build/firmware/qemu-virt-rv32/demo.elf
