# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/analysis/test_arcs.c \
	tests/unit/analysis/test_breaking.c \
	tests/unit/analysis/test_by_context.c \
	tests/unit/analysis/test_cycles.c \
	tests/unit/analysis/test_errors.c \
	tests/unit/analysis/test_gmon.c \
	tests/unit/analysis/test_handler.c \
	tests/unit/analysis/test_lines.c \
	tests/unit/analysis/test_owners.c \
	tests/unit/analysis/test_parts.c \
	tests/unit/analysis/test_poisson.c \
	tests/unit/analysis/test_samples.c \
	tests/unit/analysis/test_sharing.c \
	tests/unit/analysis/test_static_arcs.c \
	tests/unit/analysis/test_tangle.c
UNIT_SUPPORT_analysis += tests/unit/analysis/firmware.c

# Firmware that test_lines reads.
$(foreach suite,unit sanitize/unit,build/results/$(suite)/analysis/test_lines): build/firmware/mps2-an385/demo.elf \
	build/firmware/qemu-virt-rv32/demo.elf
