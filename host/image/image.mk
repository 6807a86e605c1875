# SPDX-License-Identifier: MIT
HOST_SOURCES += host/image/build_id.c host/image/divide.c host/image/elf.c host/image/entries.c host/image/functions.c host/image/identity.c \
	host/image/definitions.c host/image/dwarf_abbreviations.c host/image/dwarf_budget.c host/image/dwarf_cursor.c host/image/dwarf_forms.c \
	host/image/dwarf_lists.c host/image/dwarf_sections.c host/image/dwarf_tables.c host/image/dwarf_tree.c \
	host/image/inlines.c host/image/line_symbols.c \
	host/image/instrumentation.c host/image/line_units.c host/image/lines.c host/image/lookup.c host/image/mapping.c \
	host/image/names.c host/image/outline.c \
	host/image/regions.c host/image/scopes.c host/image/stretches.c host/image/symbol_file.c \
	host/image/symbol_table.c host/image/symbols.c
