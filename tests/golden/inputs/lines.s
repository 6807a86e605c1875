@ SPDX-License-Identifier: MIT
@ What GCC makes of src/lines.c, with the lines of DWARF. Its code is at 0x8000; captures are described.
	.cpu cortex-m3
	.arch armv7-m
	.fpu softvfp
	.eabi_attribute 20, 1
	.eabi_attribute 21, 1
	.eabi_attribute 23, 3
	.eabi_attribute 24, 1
	.eabi_attribute 25, 1
	.eabi_attribute 26, 1
	.eabi_attribute 30, 1
	.eabi_attribute 34, 1
	.eabi_attribute 18, 4
	.file	"lines.c"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 1 "src/lines.c"
	.align	1
	.global	sum
	.syntax unified
	.thumb
	.thumb_func
	.type	sum, %function
sum:
.LVL0:
.LFB1:
	.loc 1 12 1 view -0
	.cfi_startproc
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	@ link register save eliminated.
	.loc 1 13 2 view .LVU1
	.loc 1 14 2 view .LVU2
.LBB7:
	.loc 1 14 7 view .LVU3
	.loc 1 14 20 view .LVU4
	cmp	r1, #0
	.loc 1 14 20 is_stmt 0 view .LVU5
	ble	.L4
	sub	ip, r0, #4
	add	r1, ip, r1, lsl #2
.LVL1:
	.loc 1 14 20 view .LVU6
.LBE7:
	.loc 1 13 6 view .LVU7
	movs	r0, #0
.LVL2:
.L3:
.LBB10:
	.loc 1 15 3 is_stmt 1 discriminator 3 view .LVU8
	.loc 1 15 13 is_stmt 0 discriminator 3 view .LVU9
	ldr	r2, [ip, #4]!
.LVL3:
.LBB8:
.LBI8:
	.loc 1 5 19 is_stmt 1 discriminator 3 view .LVU10
.LBB9:
	.loc 1 7 2 discriminator 3 view .LVU11
	.loc 1 8 2 discriminator 3 view .LVU12
	.loc 1 7 6 is_stmt 0 discriminator 3 view .LVU13
	add	r3, r2, r2, lsl #1
	.loc 1 8 16 discriminator 3 view .LVU14
	eor	r3, r3, r2, asr #2
.LBE9:
.LBE8:
	.loc 1 15 10 discriminator 3 view .LVU15
	add	r0, r0, r3
.LVL4:
	.loc 1 14 30 is_stmt 1 discriminator 3 view .LVU16
	.loc 1 14 20 discriminator 3 view .LVU17
	cmp	ip, r1
	bne	.L3
	bx	lr
.LVL5:
.L4:
	.loc 1 14 20 is_stmt 0 discriminator 3 view .LVU18
.LBE10:
	.loc 1 13 6 view .LVU19
	movs	r0, #0
.LVL6:
	.loc 1 16 2 is_stmt 1 view .LVU20
	.loc 1 17 1 is_stmt 0 view .LVU21
	bx	lr
	.cfi_endproc
.LFE1:
	.size	sum, .-sum
	.align	1
	.global	_ZN5table5firstEv
	.syntax unified
	.thumb
	.thumb_func
	.type	_ZN5table5firstEv, %function
_ZN5table5firstEv:
.LFB2:
	.loc 1 21 1 is_stmt 1 view -0
	.cfi_startproc
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	@ link register save eliminated.
	.loc 1 22 2 view .LVU23
	.loc 1 22 9 is_stmt 0 view .LVU24
	ldr	r3, .L7
	ldr	r3, [r3]
.LVL7:
.LBB11:
.LBI11:
	.loc 1 5 19 is_stmt 1 view .LVU25
.LBB12:
	.loc 1 7 2 view .LVU26
	.loc 1 8 2 view .LVU27
	.loc 1 7 6 is_stmt 0 view .LVU28
	add	r0, r3, r3, lsl #1
	.loc 1 8 16 view .LVU29
	eor	r0, r0, r3, asr #2
.LBE12:
.LBE11:
	.loc 1 23 1 view .LVU30
	adds	r0, r0, #1
	bx	lr
.L8:
	.align	2
.L7:
	.word	.LANCHOR0
	.cfi_endproc
.LFE2:
	.size	_ZN5table5firstEv, .-_ZN5table5firstEv
	.align	1
	.global	start
	.syntax unified
	.thumb
	.thumb_func
	.type	start, %function
start:
.LFB3:
	.loc 1 26 1 is_stmt 1 view -0
	.cfi_startproc
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	.cfi_def_cfa_offset 8
	.cfi_offset 4, -8
	.cfi_offset 14, -4
	.loc 1 27 2 view .LVU32
	.loc 1 27 9 is_stmt 0 view .LVU33
	movs	r1, #16
	ldr	r0, .L11
	bl	sum
.LVL8:
	mov	r4, r0
	.loc 1 27 26 view .LVU34
	bl	_ZN5table5firstEv
.LVL9:
	.loc 1 28 1 view .LVU35
	add	r0, r0, r4
	pop	{r4, pc}
.L12:
	.align	2
.L11:
	.word	.LANCHOR0
	.cfi_endproc
.LFE3:
	.size	start, .-start
	.global	table
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	table, %object
	.size	table, 64
table:
	.space	64
	.text
.Letext0:
	.section	.debug_info,"",%progbits
.Ldebug_info0:
	.4byte	0x1ac
	.2byte	0x5
	.byte	0x1
	.byte	0x4
	.4byte	.Ldebug_abbrev0
	.uleb128 0x6
	.4byte	.LASF6
	.byte	0x1d
	.4byte	.LASF7
	.4byte	.LASF8
	.4byte	.Ltext0
	.4byte	.Letext0-.Ltext0
	.4byte	.Ldebug_line0
	.uleb128 0x7
	.4byte	0x3d
	.4byte	0x36
	.uleb128 0x8
	.4byte	0x36
	.byte	0xf
	.byte	0
	.uleb128 0x9
	.byte	0x4
	.byte	0x7
	.4byte	.LASF0
	.uleb128 0xa
	.byte	0x4
	.byte	0x5
	.ascii	"int\000"
	.uleb128 0xb
	.4byte	0x3d
	.uleb128 0xc
	.4byte	.LASF4
	.byte	0x1
	.byte	0x3
	.byte	0x5
	.4byte	0x26
	.uleb128 0x5
	.byte	0x3
	.4byte	table
	.uleb128 0xd
	.4byte	.LASF1
	.byte	0x1
	.byte	0x19
	.byte	0x5
	.4byte	0x3d
	.4byte	.LFB3
	.4byte	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.4byte	0x9b
	.uleb128 0xe
	.4byte	.LVL8
	.4byte	0xe9
	.4byte	0x91
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x50
	.uleb128 0x5
	.byte	0x3
	.4byte	.LANCHOR0
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x51
	.uleb128 0x1
	.byte	0x40
	.byte	0
	.uleb128 0xf
	.4byte	.LVL9
	.4byte	0x9b
	.byte	0
	.uleb128 0x10
	.4byte	.LASF9
	.byte	0x1
	.byte	0x14
	.byte	0x1f
	.4byte	.LASF10
	.4byte	0x3d
	.4byte	.LFB2
	.4byte	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.4byte	0xe9
	.uleb128 0x2
	.4byte	0x189
	.4byte	.LBI11
	.byte	.LVU25
	.4byte	.LBB11
	.4byte	.LBE11-.LBB11
	.byte	0x16
	.byte	0x9
	.uleb128 0x3
	.4byte	0x196
	.4byte	.LLST7
	.4byte	.LVUS7
	.uleb128 0x4
	.4byte	0x1a2
	.4byte	.LLST8
	.4byte	.LVUS8
	.byte	0
	.byte	0
	.uleb128 0x11
	.ascii	"sum\000"
	.byte	0x1
	.byte	0xb
	.byte	0x1f
	.4byte	0x3d
	.4byte	.LFB1
	.4byte	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.4byte	0x183
	.uleb128 0x5
	.4byte	.LASF2
	.byte	0x2e
	.4byte	0x183
	.4byte	.LLST0
	.4byte	.LVUS0
	.uleb128 0x5
	.4byte	.LASF3
	.byte	0x3a
	.4byte	0x3d
	.4byte	.LLST1
	.4byte	.LVUS1
	.uleb128 0x12
	.4byte	.LASF5
	.byte	0x1
	.byte	0xd
	.byte	0x6
	.4byte	0x3d
	.4byte	.LLST2
	.4byte	.LVUS2
	.uleb128 0x13
	.4byte	.LLRL3
	.uleb128 0x14
	.ascii	"i\000"
	.byte	0x1
	.byte	0xe
	.byte	0xb
	.4byte	0x3d
	.4byte	.LLST4
	.4byte	.LVUS4
	.uleb128 0x2
	.4byte	0x189
	.4byte	.LBI8
	.byte	.LVU10
	.4byte	.LBB8
	.4byte	.LBE8-.LBB8
	.byte	0xf
	.byte	0xd
	.uleb128 0x3
	.4byte	0x196
	.4byte	.LLST5
	.4byte	.LVUS5
	.uleb128 0x4
	.4byte	0x1a2
	.4byte	.LLST6
	.4byte	.LVUS6
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x15
	.byte	0x4
	.4byte	0x44
	.uleb128 0x16
	.4byte	.LASF11
	.byte	0x1
	.byte	0x5
	.byte	0x13
	.4byte	0x3d
	.byte	0x3
	.uleb128 0x17
	.4byte	.LASF12
	.byte	0x1
	.byte	0x5
	.byte	0x1d
	.4byte	0x3d
	.uleb128 0x18
	.4byte	.LASF13
	.byte	0x1
	.byte	0x7
	.byte	0x6
	.4byte	0x3d
	.byte	0
	.byte	0
	.section	.debug_abbrev,"",%progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x49
	.byte	0
	.uleb128 0x2
	.uleb128 0x18
	.uleb128 0x7e
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x58
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x34
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0x21
	.sleb128 11
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x1b
	.uleb128 0xe
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0x48
	.byte	0
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x12
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x13
	.uleb128 0xb
	.byte	0x1
	.uleb128 0x55
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x14
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x15
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x16
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x17
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x18
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loclists,"",%progbits
	.4byte	.Ldebug_loc3-.Ldebug_loc2
.Ldebug_loc2:
	.2byte	0x5
	.byte	0x4
	.byte	0
	.4byte	0
.Ldebug_loc0:
.LVUS7:
	.uleb128 .LVU25
	.uleb128 .LVU28
.LLST7:
	.byte	0x4
	.uleb128 .LVL7-.Ltext0
	.uleb128 .LVL7-.Ltext0
	.uleb128 0x1
	.byte	0x53
	.byte	0
.LVUS8:
	.uleb128 .LVU27
	.uleb128 .LVU28
.LLST8:
	.byte	0x4
	.uleb128 .LVL7-.Ltext0
	.uleb128 .LVL7-.Ltext0
	.uleb128 0x5
	.byte	0x73
	.sleb128 0
	.byte	0x33
	.byte	0x1e
	.byte	0x9f
	.byte	0
.LVUS0:
	.uleb128 0
	.uleb128 .LVU8
	.uleb128 .LVU8
	.uleb128 .LVU18
	.uleb128 .LVU18
	.uleb128 .LVU20
	.uleb128 .LVU20
	.uleb128 0
.LLST0:
	.byte	0x4
	.uleb128 .LVL0-.Ltext0
	.uleb128 .LVL2-.Ltext0
	.uleb128 0x1
	.byte	0x50
	.byte	0x4
	.uleb128 .LVL2-.Ltext0
	.uleb128 .LVL5-.Ltext0
	.uleb128 0x4
	.byte	0xa3
	.uleb128 0x1
	.byte	0x50
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL5-.Ltext0
	.uleb128 .LVL6-.Ltext0
	.uleb128 0x1
	.byte	0x50
	.byte	0x4
	.uleb128 .LVL6-.Ltext0
	.uleb128 .LFE1-.Ltext0
	.uleb128 0x4
	.byte	0xa3
	.uleb128 0x1
	.byte	0x50
	.byte	0x9f
	.byte	0
.LVUS1:
	.uleb128 0
	.uleb128 .LVU6
	.uleb128 .LVU6
	.uleb128 .LVU18
	.uleb128 .LVU18
	.uleb128 0
.LLST1:
	.byte	0x4
	.uleb128 .LVL0-.Ltext0
	.uleb128 .LVL1-.Ltext0
	.uleb128 0x1
	.byte	0x51
	.byte	0x4
	.uleb128 .LVL1-.Ltext0
	.uleb128 .LVL5-.Ltext0
	.uleb128 0x4
	.byte	0xa3
	.uleb128 0x1
	.byte	0x51
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL5-.Ltext0
	.uleb128 .LFE1-.Ltext0
	.uleb128 0x1
	.byte	0x51
	.byte	0
.LVUS2:
	.uleb128 .LVU2
	.uleb128 .LVU8
	.uleb128 .LVU8
	.uleb128 .LVU18
	.uleb128 .LVU18
	.uleb128 0
.LLST2:
	.byte	0x4
	.uleb128 .LVL0-.Ltext0
	.uleb128 .LVL2-.Ltext0
	.uleb128 0x2
	.byte	0x30
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL2-.Ltext0
	.uleb128 .LVL5-.Ltext0
	.uleb128 0x1
	.byte	0x50
	.byte	0x4
	.uleb128 .LVL5-.Ltext0
	.uleb128 .LFE1-.Ltext0
	.uleb128 0x2
	.byte	0x30
	.byte	0x9f
	.byte	0
.LVUS4:
	.uleb128 .LVU4
	.uleb128 .LVU8
	.uleb128 .LVU18
	.uleb128 0
.LLST4:
	.byte	0x4
	.uleb128 .LVL0-.Ltext0
	.uleb128 .LVL2-.Ltext0
	.uleb128 0x2
	.byte	0x30
	.byte	0x9f
	.byte	0x4
	.uleb128 .LVL5-.Ltext0
	.uleb128 .LFE1-.Ltext0
	.uleb128 0x2
	.byte	0x30
	.byte	0x9f
	.byte	0
.LVUS5:
	.uleb128 .LVU10
	.uleb128 .LVU13
.LLST5:
	.byte	0x4
	.uleb128 .LVL3-.Ltext0
	.uleb128 .LVL3-.Ltext0
	.uleb128 0x1
	.byte	0x52
	.byte	0
.LVUS6:
	.uleb128 .LVU12
	.uleb128 .LVU13
.LLST6:
	.byte	0x4
	.uleb128 .LVL3-.Ltext0
	.uleb128 .LVL3-.Ltext0
	.uleb128 0x5
	.byte	0x72
	.sleb128 0
	.byte	0x33
	.byte	0x1e
	.byte	0x9f
	.byte	0
.Ldebug_loc3:
	.section	.debug_aranges,"",%progbits
	.4byte	0x1c
	.2byte	0x2
	.4byte	.Ldebug_info0
	.byte	0x4
	.byte	0
	.2byte	0
	.2byte	0
	.4byte	.Ltext0
	.4byte	.Letext0-.Ltext0
	.4byte	0
	.4byte	0
	.section	.debug_rnglists,"",%progbits
.Ldebug_ranges0:
	.4byte	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.2byte	0x5
	.byte	0x4
	.byte	0
	.4byte	0
.LLRL3:
	.byte	0x4
	.uleb128 .LBB7-.Ltext0
	.uleb128 .LBE7-.Ltext0
	.byte	0x4
	.uleb128 .LBB10-.Ltext0
	.uleb128 .LBE10-.Ltext0
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",%progbits
.Ldebug_line0:
	.section	.debug_str,"MS",%progbits,1
.LASF8:
	.ascii	"/firmware\000"
.LASF0:
	.ascii	"unsigned int\000"
.LASF2:
	.ascii	"values\000"
.LASF6:
	.ascii	"GNU C17 12.2.1 20221205 -mcpu=cortex-m3 -mthumb -mf"
	.ascii	"loat-abi=soft -march=armv7-m -g -O1\000"
.LASF12:
	.ascii	"value\000"
.LASF9:
	.ascii	"first\000"
.LASF10:
	.ascii	"_ZN5table5firstEv\000"
.LASF11:
	.ascii	"scale\000"
.LASF5:
	.ascii	"result\000"
.LASF7:
	.ascii	"src/lines.c\000"
.LASF3:
	.ascii	"count\000"
.LASF4:
	.ascii	"table\000"
.LASF1:
	.ascii	"start\000"
.LASF13:
	.ascii	"scaled\000"
	.ident	"GCC: (15:12.2.rel1-1) 12.2.1 20221205"
