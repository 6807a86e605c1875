@ SPDX-License-Identifier: MIT
@ The code of five.s with DWARF that costs its reader far more than its size: KIND is one of those below, SIZE is about how
@ many bytes of it there are.
	.include "../inputs/five.s"
	.set SHARED_ABBREVIATIONS, 1
	.set MANY_ATTRIBUTES, 2
	.set SHARED_RANGES, 3
	.set SHARED_RANGES_5, 4
	.set LONG_FOLDER, 5
	.set DEFINED_FILES, 6
	.set LONG_STRING_5, 7
	.set TABLES_IN_TABLES, 8
	.set DEEP_ENTRIES, 9
	.set LONG_ORIGIN, 10
	.set MANY_UNITS, 11
	.set MANY_ROWS, 12
	.set MANY_FUNCTIONS, 13
	.set LONG_ENTRY, 14

@ Contents of .debug_info: a unit whose first entry is abbreviation CODE and has nothing but the line table at LINES.
	.macro unit_begin version, code, lines
	.4byte 9f - 8f
8:	.2byte \version
	.if \version == 5
	.byte 1, 4
	.4byte 0
	.else
	.4byte 0
	.byte 4
	.endif
	.uleb128 \code
	.4byte \lines
	.endm
	.macro unit_end
9:
	.endm

@ A line table of version 4 with one row; FILES is a macro that writes folders and files, LENGTH bytes are claimed to follow.
	.macro table files, more
	.4byte 3f - 1f + (\more)
1:	.2byte 4
	.4byte 4f - 2f
2:	.byte 1, 1, 1, 0, 1, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1
	\files
4:	.byte 0, 5, 2
	.4byte start
	.byte 1, 2, 32, 0, 1, 1
3:
	.endm
	.macro one_file
	.byte 0
	.asciz "five.c"
	.byte 0, 0, 0, 0
	.endm
	.macro long_folder
	.fill SIZE / 2, 1, 'f'
	.byte 0, 0
	.rept SIZE / 12
	.asciz "a"
	.byte 1, 0, 0
	.endr
	.byte 0
	.endm
	.macro only_long_folder
	.fill SIZE / 2, 1, 'f'
	.byte 0, 0
	.asciz "five.c"
	.byte 0, 0, 0, 0
	.endm

	.section .debug_abbrev, ""
@ A unit with children and DW_AT_stmt_list; in version 5 it is followed by DW_AT_rnglists_base.
	.if KIND != SHARED_ABBREVIATIONS
	.byte 1, 0x11, 1, 0x10, 0x17
	.if KIND == SHARED_RANGES_5
	.byte 0x74, 0x17
	.endif
	.byte 0, 0
	.endif
	.section .debug_line, ""
	.section .debug_info, ""

	.if KIND == SHARED_ABBREVIATIONS
	.set COUNT, SIZE / 18
	.section .debug_abbrev, ""
	.set CODE, 1
	.rept COUNT
	.uleb128 CODE
	.byte 0x11, 0, 0x10, 0x17, 0, 0
	.set CODE, CODE + 1
	.endr
	.byte 0
	.section .debug_info, ""
	.rept SIZE / 34
	unit_begin 4, COUNT, 0
	unit_end
	.endr
	.endif

	.if KIND == MANY_ATTRIBUTES
	.section .debug_abbrev, ""
	.byte 2, 0x2e, 0, 0x11, 0x01
	.rept SIZE / 4
	.byte 0x3f, 0x19
	.endr
	.byte 0, 0, 3, 0x1d, 0
	.rept SIZE / 8
	.byte 0x3f, 0x19
	.endr
	.byte 0, 0, 0
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.fill SIZE / 4, 1, 3
	.byte 0
	unit_end
	.endif

	.if KIND == SHARED_RANGES || KIND == SHARED_RANGES_5
	.section .debug_abbrev, ""
	.if KIND == SHARED_RANGES
	.byte 2, 0x2e, 0, 0x55, 0x17, 0, 0, 0
	.section .debug_ranges, ""
	.rept SIZE / 16
	.4byte 0xffffffff, 0
	.endr
	.4byte 0, 2, 0, 0
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.rept SIZE / 10
	.byte 2
	.4byte 0
	.endr
	.else
	.byte 2, 0x2e, 0, 0x55, 0x23, 0, 0, 0
	.section .debug_rnglists, ""
	.4byte 7f - 6f
6:	.2byte 5
	.byte 4, 0
	.4byte 1
5:	.4byte 4f - 5b
4:
	.rept SIZE / 10
	.byte 5
	.4byte start
	.endr
	.byte 4, 0, 2, 0
7:
	.section .debug_info, ""
	unit_begin 5, 1, 0
	.4byte 12
	.rept SIZE / 4
	.byte 2, 0
	.endr
	.endif
	.byte 0
	unit_end
	.endif

	.if KIND == LONG_FOLDER || KIND == DEFINED_FILES
	.section .debug_line, ""
	.if KIND == LONG_FOLDER
	table long_folder, 0
	.else
	table only_long_folder, SIZE / 14 * 7
	.rept SIZE / 14
	.byte 0, 5, 3, 'a', 0, 1, 0
	.byte 0
	.endr
	.endif
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.byte 0
	unit_end
	.section .debug_abbrev, ""
	.byte 0
	.endif

	.if KIND == LONG_STRING_5
	.section .debug_line_str, ""
	.fill SIZE / 2, 1, 's'
	.byte 0
	.section .debug_line, ""
	.4byte 3f - 1f
1:	.2byte 5
	.byte 4, 0
	.4byte 4f - 2f
2:	.byte 1, 1, 1, 0, 1, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1
	.byte 1, 1, 0x1f
	.uleb128 1
	.4byte 0
	.byte 2, 1, 0x1f, 2, 0x0b
	.uleb128 SIZE / 10
	.rept SIZE / 10
	.4byte 0
	.byte 0
	.endr
4:	.byte 0, 5, 2
	.4byte start
	.byte 1, 2, 32, 0, 1, 1
3:
	.section .debug_info, ""
	unit_begin 5, 1, 0
	.byte 0
	unit_end
	.section .debug_abbrev, ""
	.byte 0
	.endif

	.if KIND == TABLES_IN_TABLES
	.set TABLES, SIZE / 130
	.set AT, 0
	.rept TABLES
	.section .debug_info, ""
	unit_begin 4, 1, AT
	.byte 0
	unit_end
	.section .debug_line, ""
	table one_file, (TABLES * 50 - AT - 50) + SIZE / 4
	.set AT, AT + 50
	.endr
	.fill SIZE / 4, 1, 1
	.section .debug_abbrev, ""
	.byte 0
	.endif

	.if KIND == DEEP_ENTRIES
	.section .debug_abbrev, ""
	.byte 2, 0x2e, 1, 0x11, 0x01, 0x12, 0x06, 0, 0
	.byte 3, 0x1d, 1, 0x11, 0x01, 0x12, 0x06, 0, 0, 0
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.byte 2
	.4byte start, 32
	.rept SIZE / 10
	.byte 3
	.4byte start, 32
	.endr
	.fill SIZE / 10 + 2, 1, 0
	unit_end
	.endif

	.if KIND == LONG_ORIGIN
	.section .debug_abbrev, ""
	@ A function with DW_AT_producer, DW_AT_name; calls with a call's file and line.
	.byte 2, 0x2e, 1, 0x11, 0x01, 0x12, 0x06, 0x25, 0x08, 0x03, 0x08, 0, 0
	.byte 3, 0x1d, 0, 0x31, 0x13, 0x58, 0x0b, 0x59, 0x0b, 0, 0, 0
	.section .debug_info, ""
5:	unit_begin 4, 1, 0
6:	.byte 2
	.4byte start, 32
	.fill SIZE / 2, 1, 'p'
	.byte 0
	.asciz "name"
	.rept SIZE / 14
	.byte 3
	.4byte 6b - 5b
	.byte 1, 1
	.endr
	.byte 0, 0
	unit_end
	.endif

	.if KIND == MANY_UNITS
	.section .debug_abbrev, ""
	.byte 0
	.section .debug_info, ""
	.rept SIZE / 16
	unit_begin 4, 1, 0
	unit_end
	.endr
	.endif

	.if KIND == MANY_FUNCTIONS
	.section .debug_abbrev, ""
	.byte 2, 0x1d, 0, 0, 0, 0
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.fill SIZE, 1, 2
	.byte 0
	unit_end
	.endif

	.if KIND == LONG_ENTRY
	.section .debug_abbrev, ""
	@ A function with a long name in front of its many ranges.
	.byte 2, 0x2e, 0, 0x03, 0x08, 0x55, 0x17, 0, 0, 0
	.section .debug_ranges, ""
	.set AT, 0
	.rept SIZE / 16
	.4byte start + AT % 32, start + AT % 32 + 2
	.set AT, AT + 2
	.endr
	.4byte 0, 0
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.byte 2
	.fill SIZE / 2, 1, 'n'
	.byte 0
	.4byte 0
	.byte 0
	unit_end
	.endif

	.if KIND == MANY_ROWS
	.section .debug_abbrev, ""
	.byte 0
	.section .debug_info, ""
	unit_begin 4, 1, 0
	.byte 0
	unit_end
	.section .debug_line, ""
	table one_file, SIZE + 3
	.byte 0, 5, 2
	.4byte start
	.fill SIZE - 7, 1, 1
	.byte 0, 1, 1
	.endif

	.if KIND == SHARED_ABBREVIATIONS || KIND == MANY_ATTRIBUTES || KIND == SHARED_RANGES || KIND == DEEP_ENTRIES || KIND == LONG_ORIGIN || KIND == MANY_UNITS || KIND == MANY_FUNCTIONS || KIND == LONG_ENTRY
	.section .debug_line, ""
	table one_file, 0
	.endif
	.if KIND == SHARED_RANGES_5
	.section .debug_line, ""
	.4byte 3f - 1f
1:	.2byte 5
	.byte 4, 0
	.4byte 4f - 2f
2:	.byte 1, 1, 1, 0, 1, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1
	.byte 1, 1, 8, 1
	.asciz "d"
	.byte 2, 1, 8, 2, 0x0b, 1
	.asciz "five.c"
	.byte 0
4:	.byte 0, 5, 2
	.4byte start
	.byte 1, 2, 32, 0, 1, 1
3:
	.endif
