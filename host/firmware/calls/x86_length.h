/* SPDX-License-Identifier: MIT */
/* How long an x86 instruction is, and where its parts are. Knows nothing of what it does. Private to calls/. */
#ifndef FIRMWARE_CALLS_X86_LENGTH_H
#define FIRMWARE_CALLS_X86_LENGTH_H

#include <stdbool.h>
#include <stdint.h>

/* The tables that an opcode is looked up in: those of one byte, of two (0F), of three (0F 38, 0F 3A), and others. */
enum x86_map { X86_MAP_BYTE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A, X86_MAP_OTHER };

struct x86_parts {
	unsigned length; /* 0: cut, or no instruction */
	bool is_cut;     /* it may go on behind the bytes */
	enum x86_map map;
	uint8_t opcode;
	bool is_vector; /* VEX, EVEX or XOP */
	bool has_modrm;
	bool operand_16; /* 66 */
	bool address_16; /* 67 in 32-bit code */
	uint8_t rex;     /* 0 if there is none */
	uint8_t modrm;
	unsigned displacement, displacement_size; /* of the memory operand: offset from the first byte, and bytes */
	unsigned immediate, immediate_size;
};

#define X86_MOD(parts) ((parts)->modrm >> 6)
#define X86_REG(parts) ((parts)->modrm >> 3 & 7)
#define X86_RM(parts)  ((parts)->modrm & 7)

/* Takes the first instruction of bytes apart. wide: 64-bit code. */
void x86_take_apart(const uint8_t *bytes, uint64_t size, bool wide, struct x86_parts *parts);

#endif
