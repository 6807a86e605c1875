/* SPDX-License-Identifier: MIT */
/* Fields of RISC-V instructions (The RISC-V Instruction Set Manual, Volume I, 1.5 and the chapters "RV32I" and "C"). */
#ifndef FIRMWARE_RISCV_H
#define FIRMWARE_RISCV_H

#include "firmware/bits.h"

#define RISCV_REGISTER_RA 1u
#define RISCV_REGISTER_GP 3u
#define RISCV_REGISTER_A0 10u

#define RISCV_OPCODE(word)     ((word)&0x7Fu)
#define RISCV_OPCODE_LOAD      0x03u
#define RISCV_OPCODE_LOAD_FP   0x07u
#define RISCV_OPCODE_OP_IMM    0x13u
#define RISCV_OPCODE_AUIPC     0x17u
#define RISCV_OPCODE_OP_IMM_32 0x1Bu
#define RISCV_OPCODE_STORE     0x23u
#define RISCV_OPCODE_STORE_FP  0x27u
#define RISCV_OPCODE_OP        0x33u
#define RISCV_OPCODE_LUI       0x37u
#define RISCV_OPCODE_BRANCH    0x63u
#define RISCV_OPCODE_JALR      0x67u
#define RISCV_OPCODE_JAL       0x6Fu
#define RISCV_OPCODE_SYSTEM    0x73u
#define RISCV_RD(word)         ((word) >> 7 & 0x1Fu)
#define RISCV_RS2_OF_C(half)   ((half) >> 2 & 0x1Fu)
#define RISCV_RS1(word)        ((word) >> 15 & 0x1Fu)

/* Volume I, 1.5: the low bits of an instruction encode its length. */
static inline unsigned riscv_length(uint32_t half)
{
	if ((half & 0x03) != 0x03)
		return 2;
	if ((half & 0x1F) != 0x1F)
		return 4;
	if ((half & 0x3F) != 0x3F)
		return 6;
	return (half & 0x7F) == 0x3F ? 8 : 2;
}

static inline uint64_t riscv_jal_offset(uint32_t word)
{
	uint32_t offset = moved_bits(word, 21, 1, 10) | moved_bits(word, 20, 11, 1) | moved_bits(word, 12, 12, 8) |
	                  moved_bits(word, 31, 20, 1);
	return sign_extended(offset, 21);
}

static inline uint64_t riscv_compressed_jal_offset(uint32_t half)
{
	uint32_t offset = moved_bits(half, 3, 1, 3) | moved_bits(half, 11, 4, 1) | moved_bits(half, 2, 5, 1) |
	                  moved_bits(half, 7, 6, 1) | moved_bits(half, 6, 7, 1) | moved_bits(half, 9, 8, 2) |
	                  moved_bits(half, 8, 10, 1) | moved_bits(half, 12, 11, 1);
	return sign_extended(offset, 12);
}

#endif
