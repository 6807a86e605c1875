# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/profile/analysis/test_arcs.c \
	tests/unit/profile/analysis/test_break_cycles.c \
	tests/unit/profile/analysis/test_by_context.c \
	tests/unit/profile/analysis/test_cycles.c \
	tests/unit/profile/analysis/test_errors.c \
	tests/unit/profile/analysis/test_gmon.c \
	tests/unit/profile/analysis/test_handler.c \
	tests/unit/profile/analysis/test_lines.c \
	tests/unit/profile/analysis/test_line_totals.c \
	tests/unit/profile/analysis/test_measure.c \
	tests/unit/profile/analysis/test_owners.c \
	tests/unit/profile/analysis/test_parts.c \
	tests/unit/profile/analysis/test_poisson.c \
	tests/unit/profile/analysis/test_regions.c \
	tests/unit/profile/analysis/test_samples.c \
	tests/unit/profile/analysis/test_sharing.c \
	tests/unit/profile/analysis/test_solve_cycles.c \
	tests/unit/profile/analysis/test_stack_lengths.c \
	tests/unit/profile/analysis/test_stacks.c \
	tests/unit/profile/analysis/test_static_arcs.c
UNIT_SUPPORT_profile/analysis += tests/unit/profile/analysis/firmware.c tests/unit/profile/analysis/measured.c

# Firmware that test_lines reads.
$(foreach suite,unit sanitize/unit,build/results/$(suite)/profile/analysis/test_lines): build/firmware/mps2-an385/demo.elf \
	build/firmware/qemu-virt-rv32/demo.elf
