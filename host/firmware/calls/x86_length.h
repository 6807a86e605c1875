/* SPDX-License-Identifier: MIT */
/* The length and the parts of an x86 instruction. Private to calls/. */
#ifndef FIRMWARE_CALLS_X86_LENGTH_H
#define FIRMWARE_CALLS_X86_LENGTH_H

#include <stdbool.h>
#include <stdint.h>

/* Opcode maps: one byte, two bytes (0F), three bytes (0F 38, 0F 3A), and others. */
enum x86_map { X86_MAP_BYTE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A, X86_MAP_OTHER };

struct x86_parts {
	unsigned length;   /* 0: truncated or invalid */
	bool is_truncated; /* truncated by the end of the bytes */
	enum x86_map map;
	uint8_t opcode;
	bool is_vector; /* VEX, EVEX or XOP */
	bool has_modrm;
	bool operand_16; /* 66 */
	bool address_16; /* 67 in 32-bit code */
	uint8_t rex;     /* 0: none */
	uint8_t modrm;
	/* The offsets, from the first byte, and sizes of the memory operand's displacement and of the immediate, in
	 * bytes. */
	unsigned displacement, displacement_size;
	unsigned immediate, immediate_size;
};

#define X86_MOD(parts) ((parts)->modrm >> 6)
#define X86_REG(parts) ((parts)->modrm >> 3 & 7)
#define X86_RM(parts)  ((parts)->modrm & 7)

/* Decodes the parts of the first instruction in bytes. wide: 64-bit code. */
void x86_decode_parts(const uint8_t *bytes, uint64_t size, bool wide, struct x86_parts *parts);

#endif
