@ SPDX-License-Identifier: MIT
@ hot() has code of two places of hot.c, cold() of one place of cold.c.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text
	.file 1 "hot.c"
	.file 2 "cold.c"
	.macro function name
	.global \name
	.type \name, %function
	.thumb_func
\name:
	.endm
.Lstart:
	function hot
	.loc 1 10
	nop
	.loc 1 11
	nop
	.loc 1 30
	nop
	.loc 1 31
	bx lr
	.size hot, . - hot
	function cold
	.loc 2 5
	nop
	.loc 2 6
	bx lr
	.size cold, . - cold
.Lend:
	.section .debug_abbrev
	.uleb128 1, 0x11 @ DW_TAG_compile_unit
	.byte 0
	.uleb128 0x10, 0x17 @ DW_AT_stmt_list, DW_FORM_sec_offset
	.uleb128 0x11, 0x01 @ DW_AT_low_pc, DW_FORM_addr
	.uleb128 0x12, 0x06 @ DW_AT_high_pc, DW_FORM_data4
	.byte 0, 0, 0
	.section .debug_info
	.4byte .Linfo_end - .Linfo
.Linfo:
	.2byte 4
	.4byte 0
	.byte 4
	.uleb128 1
	.4byte .Llines
	.4byte .Lstart
	.4byte .Lend - .Lstart
.Linfo_end:
	.section .debug_line
.Llines:
