/* SPDX-License-Identifier: MIT */
/*
 * Branches of Thumb (Armv7-M ARM A7.7) and of RISC-V (unprivileged ISA 2.5, 16.4). x1 and x5 are the link registers of
 * RISC-V's calling convention.
 */
#include "branches.h"

/* Bits high to low of a word. */
static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
	return word >> low & ((2u << (high - low)) - 1u);
}

/* The target at a signed distance, of width bits, from an address. */
static struct branch direct(enum branch_kind kind, bool is_unconditional, uint64_t from, uint32_t distance,
                            unsigned width)
{
	const uint64_t sign = UINT64_C(1) << (width - 1);

	return (struct branch){kind, true, from + (((uint64_t)distance ^ sign) - sign), is_unconditional, false};
}

static struct branch indirect(enum branch_kind kind)
{
	return (struct branch){.kind = kind, .is_unconditional = true};
}

static struct branch none(void)
{
	return (struct branch){.kind = BRANCH_NONE};
}

static struct branch decode_thumb_16(uint64_t address, uint32_t h)
{
	const uint64_t from = address + 4;

	if ((h & 0xF000u) == 0xD000u && bits(h, 11, 8) < 14)
		return direct(BRANCH_NONE, false, from, bits(h, 7, 0) << 1, 9);
	if ((h & 0xF800u) == 0xE000u)
		return direct(BRANCH_NONE, true, from, bits(h, 10, 0) << 1, 12);
	if ((h & 0xF500u) == 0xB100u)
		return direct(BRANCH_NONE, false, from, bits(h, 9, 9) << 6 | bits(h, 7, 3) << 1, 8);
	if ((h & 0xFF80u) == 0x4780u)
		return indirect(BRANCH_CALL);
	if ((h & 0xFF80u) == 0x4700u || (h & 0xFF87u) == 0x4687u)
		return indirect(bits(h, 6, 3) == 14 ? BRANCH_RETURN : BRANCH_JUMP);
	if ((h & 0xFF00u) == 0xBD00u)
		return indirect(BRANCH_RETURN);
	if ((h & 0xFF87u) == 0x4487u)
		return indirect(BRANCH_JUMP);
	return none();
}

/* The distance of BL and of B with the encoding T4: the bits J1 and J2 are exclusive-ored with the inverted sign. */
static uint32_t long_distance(uint32_t h, uint32_t g)
{
	const uint32_t sign = bits(h, 10, 10);
	const uint32_t i1 = 1u ^ bits(g, 13, 13) ^ sign, i2 = 1u ^ bits(g, 11, 11) ^ sign;

	return sign << 24 | i1 << 23 | i2 << 22 | bits(h, 9, 0) << 12 | bits(g, 10, 0) << 1;
}

static struct branch decode_thumb_branch(uint64_t from, uint32_t h, uint32_t g)
{
	const uint32_t conditional_distance = bits(h, 10, 10) << 20 | bits(g, 11, 11) << 19 | bits(g, 13, 13) << 18 |
	                                      bits(h, 5, 0) << 12 | bits(g, 10, 0) << 1;

	switch (g & 0xD000u) {
	case 0xD000u:
		return direct(BRANCH_CALL, true, from, long_distance(h, g), 25);
	case 0x9000u:
		return direct(BRANCH_NONE, true, from, long_distance(h, g), 25);
	case 0x8000u:
		return bits(h, 9, 6) < 14 ? direct(BRANCH_NONE, false, from, conditional_distance, 21) : none();
	default:
		return none();
	}
}

static struct branch decode_thumb_32(uint64_t address, uint32_t h, uint32_t g)
{
	const bool from_stack = bits(h, 3, 0) == 13;
	const bool loads_several = (h & 0xFFD0u) == 0xE890u || (h & 0xFFD0u) == 0xE910u;
	const bool loads_one = (h & 0xFF70u) == 0xF850u;

	if ((h & 0xF800u) == 0xF000u)
		return decode_thumb_branch(address + 4, h, g);
	if ((loads_several && bits(g, 15, 15) != 0) || (loads_one && bits(g, 15, 12) == 15))
		return indirect(from_stack ? BRANCH_RETURN : BRANCH_JUMP);
	if ((h & 0xFFF0u) == 0xE8D0u && (g & 0xFFE0u) == 0xF000u)
		return indirect(BRANCH_JUMP);
	return none();
}

static bool is_link_register(uint32_t number)
{
	return number == 1 || number == 5;
}

/* x5 also holds jump targets, which makes a jump of what may be a return. */
static enum branch_kind jump_by_register(uint32_t number)
{
	return number == 1 ? BRANCH_RETURN : BRANCH_JUMP;
}

static struct branch decode_compressed_jump(uint64_t address, uint32_t h, enum branch_kind kind)
{
	return direct(kind, true, address,
	              bits(h, 12, 12) << 11 | bits(h, 8, 8) << 10 | bits(h, 10, 9) << 8 | bits(h, 6, 6) << 7 |
	                      bits(h, 7, 7) << 6 | bits(h, 2, 2) << 5 | bits(h, 11, 11) << 4 | bits(h, 5, 3) << 1,
	              12);
}

static struct branch decode_riscv_16(enum branch_isa isa, uint64_t address, uint32_t h)
{
	const uint32_t register_number = bits(h, 11, 7);
	struct branch stack_access = {.uses_stack = true};

	switch (h & 0xE003u) {
	case 0x2001u:
		return isa == ISA_RV32 ? decode_compressed_jump(address, h, BRANCH_CALL) : none();
	case 0xA001u:
		return decode_compressed_jump(address, h, BRANCH_NONE);
	case 0xC001u:
	case 0xE001u:
		return direct(BRANCH_NONE, false, address,
		              bits(h, 12, 12) << 8 | bits(h, 6, 5) << 6 | bits(h, 2, 2) << 5 | bits(h, 11, 10) << 3 |
		                      bits(h, 4, 3) << 1,
		              9);
	case 0x8002u:
		if (bits(h, 6, 2) != 0 || register_number == 0)
			return none();
		return indirect(bits(h, 12, 12) != 0 ? BRANCH_CALL : jump_by_register(register_number));
	case 0x4002u:
	case 0x6002u:
	case 0xC002u:
	case 0xE002u:
		return stack_access;
	default:
		return none();
	}
}

static struct branch decode_riscv_32(uint64_t address, uint32_t word)
{
	const uint32_t destination = bits(word, 11, 7), source = bits(word, 19, 15);
	struct branch other = none();

	switch (word & 0x7Fu) {
	case 0x6F:
		return direct(is_link_register(destination) ? BRANCH_CALL : BRANCH_NONE, true, address,
		              bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 | bits(word, 20, 20) << 11 |
		                      bits(word, 30, 21) << 1,
		              21);
	case 0x67:
		return indirect(is_link_register(destination) ? BRANCH_CALL : jump_by_register(source));
	case 0x63:
		return direct(BRANCH_NONE, false, address,
		              bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 |
		                      bits(word, 11, 8) << 1,
		              13);
	case 0x03:
	case 0x23:
		other.uses_stack = source == 2;
		return other;
	default:
		if (word == 0x30200073u)
			return indirect(BRANCH_TRAP_RETURN);
		return other;
	}
}

struct branch branch_decode(enum branch_isa isa, uint64_t address, const uint8_t *bytes, size_t size)
{
	const uint32_t h = bytes[0] | (uint32_t)bytes[1] << 8;
	const uint32_t g = size == 4 ? bytes[2] | (uint32_t)bytes[3] << 8 : 0;

	if (isa == ISA_ARM_M)
		return size == 4 ? decode_thumb_32(address, h, g) : decode_thumb_16(address, h);
	return size == 4 ? decode_riscv_32(address, h | g << 16) : decode_riscv_16(isa, address, h);
}
