# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/firmware/, \
	build_id.c \
	compilation.c \
	definitions.c \
	divide.c \
	dwarf_budget.c \
	dwarf_cursor.c \
	dwarf_forms.c \
	dwarf_sections.c \
	dwarf_tree.c \
	elf.c \
	entries.c \
	functions.c \
	identity.c \
	line_units.c \
	lines.c \
	lookup.c \
	mapping.c \
	names.c \
	recorder.c \
	regions.c \
	scopes.c \
	split_inlined.c \
	extents.c \
	symbol_file.c \
	symbol_table.c \
	symbols.c)
HOST_SOURCES += $(addprefix host/firmware/calls/, \
	call_sites.c \
	calls.c \
	code_map.c \
	code_unit.c \
	decoder.c \
	decoders.c \
	fingerprint.c \
	riscv.c \
	riscv_stack.c \
	segments.c \
	spurious_callers.c \
	thumb.c \
	thumb_narrow.c \
	thumb_stack.c \
	thumb_wide.c)
HOST_SOURCES += $(addprefix host/firmware/unwind/, \
	code_marks.c \
	compile.c \
	epilogues.c \
	frame_code.c \
	frame_program.c \
	frame_section.c \
	frame_table.c \
	leaves.c \
	rows.c \
	save_restore.c \
	subroutines.c \
	table.c \
	table_encode.c \
	table_rows.c \
	unwind.c)
