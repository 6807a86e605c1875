/* SPDX-License-Identifier: MIT */
/* DWARF 4 (7.5) of 8 bytes of code that no compiler writes: entries in rings or, with LEVELS, one in another. */
	.syntax unified
	.thumb
	.file 1 "rings.c"
	.text
begin:
	.global f
	.type f, %function
	.thumb_func
f:
	.loc 1 1
	nop
	nop
	nop
	nop
end:
	.size f, 8

	.section .debug_line, ""
lines:

	.section .debug_abbrev, ""
abbreviations:
	/* 1: a compile unit with children: DW_AT_stmt_list, DW_AT_low_pc, DW_AT_high_pc */
	.byte 1, 0x11, 1, 0x10, 0x17, 0x11, 0x01, 0x12, 0x06, 0, 0
	/* 2: a subprogram with children: low, high, DW_AT_abstract_origin as DW_FORM_ref4 */
	.byte 2, 0x2e, 1, 0x11, 0x01, 0x12, 0x06, 0x31, 0x13, 0, 0
	/* 3: an inlined subroutine without children: low, high, origin, DW_AT_sibling */
	.byte 3, 0x1d, 0, 0x11, 0x01, 0x12, 0x06, 0x31, 0x13, 0x01, 0x13, 0, 0
	/* 4: an inlined subroutine with children: low, high */
	.byte 4, 0x1d, 1, 0x11, 0x01, 0x12, 0x06, 0, 0
	.byte 0

	.section .debug_info, ""
unit:
	.4byte end_of_unit - begin_of_unit
begin_of_unit:
	.2byte 4
	.4byte abbreviations
	.byte 4
	.byte 1
	.4byte lines, begin, end - begin
subprogram:
	.byte 2
	.4byte begin, end - begin, subprogram - unit
#ifdef LEVELS
	.rept LEVELS
	.byte 4
	.4byte begin, end - begin
	.endr
	.rept LEVELS
	.byte 0
	.endr
#else
first:
	.byte 3
	.4byte begin, 4, second - unit, subprogram - unit
second:
	.byte 3
	.4byte begin + 4, 4, first - unit, first - unit
#endif
	.byte 0
	.byte 0
end_of_unit:
