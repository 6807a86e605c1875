/* SPDX-License-Identifier: MIT */
/*
 * The RISC-V decoder for 32 and 64 bits with compressed instructions (The RISC-V Instruction Set Manual, Volume I,
 * chapters "RV32I", "RV64I" and "C"; link registers: "JALR"). Instructions are always little-endian. Of other
 * extensions it only uses the length of instructions, and assumes that they write at most rd.
 */
#include "firmware/riscv.h"
#include "firmware/calls/decoder.h"

#define ZERO 0u
#define RA   RISCV_REGISTER_RA

/* The instruction being decoded. */
struct step {
	struct known_registers *registers;
	struct instruction *instruction;
	uint32_t code;
	uint64_t address;
	unsigned address_size;
};

static uint64_t in_address_space(const struct step *step, uint64_t value)
{
	return step->address_size == 4 ? value & UINT32_MAX : value;
}

/* x0 is always 0. */
static void set(const struct step *step, unsigned number, uint64_t value)
{
	if (number != ZERO)
		set_register(step->registers, number, in_address_space(step, value));
}

static void forget(const struct step *step, unsigned number)
{
	if (number != ZERO)
		forget_register(step->registers, number);
}

static void copy(const struct step *step, unsigned to, unsigned from)
{
	if (to != ZERO)
		copy_register(step->registers, to, from);
}

/* A sum with a constant may complete an address; a sum with zero is a number. */
static void add(const struct step *step, unsigned to, unsigned from, uint64_t addend)
{
	if (!is_known(step->registers, from)) {
		forget(step, to);
		return;
	}
	uint64_t sum = in_address_space(step, step->registers->values[from] + addend);
	set(step, to, sum);
	step->instruction->has_constant = from != ZERO;
	step->instruction->constant = sum;
}

static void lead(const struct step *step, enum instruction_flow flow, uint64_t offset)
{
	lead_to(step->instruction, flow, in_address_space(step, step->address + offset));
}

/* An instruction that sets a link register is a call. */
static enum instruction_flow flow_of(unsigned link)
{
	return link == ZERO ? FLOW_JUMP : FLOW_CALL;
}

static void lead_through(const struct step *step, unsigned link, unsigned base, uint64_t offset)
{
	step->instruction->flow = flow_of(link);
	if (link == ZERO && base == RA)
		step->instruction->returns = RETURN_BY_LINK;
	if (is_known(step->registers, base))
		lead_to(step->instruction, flow_of(link),
		        in_address_space(step, (step->registers->values[base] + offset) & ~UINT64_C(1)));
	forget(step, link);
}

/* --- 32 bits. */

static uint64_t immediate_of_i(uint32_t word)
{
	return sign_extended(word >> 20, 12);
}

static uint64_t immediate_of_u(uint32_t word)
{
	return sign_extended(word & 0xFFFFF000u, 32);
}

static uint64_t branch_offset(uint32_t word)
{
	return sign_extended(moved_bits(word, 8, 1, 4) | moved_bits(word, 25, 5, 6) | moved_bits(word, 7, 11, 1) |
	                             moved_bits(word, 31, 12, 1),
	                     13);
}

/* ADDIW sign-extends the low word. */
static void add_word(const struct step *step, unsigned to, unsigned from, uint64_t addend)
{
	if (!is_known(step->registers, from)) {
		forget(step, to);
		return;
	}
	uint64_t sum = (step->registers->values[from] + addend) & UINT32_MAX;
	set(step, to, sign_extended(sum, 32));
	step->instruction->has_constant = from != ZERO;
	step->instruction->constant = sign_extended(sum, 32);
}

#define FUNCT3(word) ((word) >> 12 & 7u)

static void decode_word(const struct step *step)
{
	uint32_t word = step->code;
	unsigned rd = RISCV_RD(word), rs1 = RISCV_RS1(word);
	switch (RISCV_OPCODE(word)) {
	case RISCV_OPCODE_LUI:
		set(step, rd, immediate_of_u(word));
		break;
	case RISCV_OPCODE_AUIPC:
		set(step, rd, step->address + immediate_of_u(word));
		break;
	case RISCV_OPCODE_OP_IMM:
		if (FUNCT3(word) == 0)
			add(step, rd, rs1, immediate_of_i(word));
		else
			forget(step, rd);
		break;
	case RISCV_OPCODE_OP_IMM_32:
		if (FUNCT3(word) == 0)
			add_word(step, rd, rs1, immediate_of_i(word));
		else
			forget(step, rd);
		break;
	case RISCV_OPCODE_JAL:
		lead(step, flow_of(rd), riscv_jal_offset(word));
		break;
	case RISCV_OPCODE_JALR:
		lead_through(step, rd, rs1, immediate_of_i(word));
		break;
	case RISCV_OPCODE_BRANCH:
		lead(step, FLOW_BRANCH, branch_offset(word));
		break;
	case RISCV_OPCODE_STORE:
	case RISCV_OPCODE_STORE_FP:
		break;
	case RISCV_OPCODE_SYSTEM:
		if (FUNCT3(word) == 0) /* ECALL, MRET */
			forget_all(step->registers);
		else
			forget(step, rd);
		break;
	default:
		forget(step, rd);
		break;
	}
}

/* --- 16 bits: named by quadrant (bits 1:0) and funct3 (bits 15:13). */

#define C_KIND(half)             ((half) >> 13 << 2 | ((half)&3u))
#define C_CASE(funct3, quadrant) ((funct3) << 2 | (quadrant))
#define C_RS2(half)              RISCV_RS2_OF_C(half)
#define C_SHORT_LOW(half)        (8 + ((half) >> 2 & 7u)) /* rd' of loads */
#define C_SHORT_HIGH(half)       (8 + ((half) >> 7 & 7u)) /* rd' of arithmetic */

static uint64_t compressed_immediate(uint32_t half)
{
	return sign_extended(moved_bits(half, 2, 0, 5) | moved_bits(half, 12, 5, 1), 6);
}

static uint64_t compressed_branch_offset(uint32_t half)
{
	return sign_extended(moved_bits(half, 3, 1, 2) | moved_bits(half, 10, 3, 2) | moved_bits(half, 2, 5, 1) |
	                             moved_bits(half, 5, 6, 2) | moved_bits(half, 12, 8, 1),
	                     9);
}

/* C.JAL of RV32 has the bits of C.ADDIW of RV64. */
static void decode_compressed_jal(const struct step *step)
{
	unsigned rd = RISCV_RD(step->code);
	if (step->address_size == 4)
		lead(step, FLOW_CALL, riscv_compressed_jal_offset(step->code));
	else
		add_word(step, rd, rd, compressed_immediate(step->code));
}

static void decode_compressed_lui(const struct step *step)
{
	unsigned rd = RISCV_RD(step->code);
	if (rd == 2) /* C.ADDI16SP */
		forget(step, rd);
	else
		set(step, rd, compressed_immediate(step->code) << 12);
}

/* C.JR, C.MV, C.EBREAK, C.JALR, C.ADD. */
static void decode_compressed_register(const struct step *step)
{
	unsigned rd = RISCV_RD(step->code), rs2 = C_RS2(step->code);
	bool is_second = (step->code >> 12 & 1) != 0;
	if (rs2 == 0 && rd != 0)
		lead_through(step, is_second ? RA : ZERO, rd, 0);
	else if (!is_second)
		copy(step, rd, rs2);
	else
		forget(step, rd);
}

static void decode_half(const struct step *step)
{
	uint32_t half = step->code;
	unsigned rd = RISCV_RD(half);
	switch (C_KIND(half)) {
	case C_CASE(0u, 1u): /* C.ADDI */
		add(step, rd, rd, compressed_immediate(half));
		break;
	case C_CASE(1u, 1u):
		decode_compressed_jal(step);
		break;
	case C_CASE(2u, 1u): /* C.LI */
		set(step, rd, compressed_immediate(half));
		break;
	case C_CASE(3u, 1u):
		decode_compressed_lui(step);
		break;
	case C_CASE(4u, 1u):
		forget(step, C_SHORT_HIGH(half));
		break;
	case C_CASE(5u, 1u): /* C.J */
		lead(step, FLOW_JUMP, riscv_compressed_jal_offset(half));
		break;
	case C_CASE(6u, 1u): /* C.BEQZ, C.BNEZ */
	case C_CASE(7u, 1u):
		lead(step, FLOW_BRANCH, compressed_branch_offset(half));
		break;
	case C_CASE(4u, 2u):
		decode_compressed_register(step);
		break;
	case C_CASE(5u, 0u): /* stores */
	case C_CASE(6u, 0u):
	case C_CASE(7u, 0u):
	case C_CASE(6u, 2u):
	case C_CASE(7u, 2u):
		break;
	case C_CASE(5u, 2u): /* C.FSDSP, or the pushes, pops and moves of Zcmp, which write several */
		forget_all(step->registers);
		step->instruction->may_be_table_jump = (half & 0xFC03u) == 0xA002u; /* CM.JT, CM.JALT */
		break;
	case C_CASE(0u, 2u): /* C.SLLI and loads from the stack */
	case C_CASE(1u, 2u):
	case C_CASE(2u, 2u):
	case C_CASE(3u, 2u):
		forget(step, rd);
		break;
	default: /* quadrant 0: C.ADDI4SPN and loads */
		forget(step, C_SHORT_LOW(half));
		break;
	}
}

static void decode_riscv(const struct code_place *place, struct known_registers *registers,
                         struct instruction *instruction)
{
	struct step step = {
	        .registers = registers,
	        .instruction = instruction,
	        .address = place->address,
	        .address_size = place->image->address_size,
	};
	set_register(registers, ZERO, 0);
	if (!read_half(place, 0, &step.code) || riscv_length(step.code) > place->size)
		return;
	instruction->length = riscv_length(step.code);
	if (instruction->length == 2)
		decode_half(&step);
	else if (instruction->length == 4 && read_word(place, 0, &step.code))
		decode_word(&step);
	else
		forget_all(registers);
}

/* --- Addresses. Linkers relax instruction sequences ("Linker Relaxation" in the psABI), so one source gives several
 * sequences: a call is AUIPC and JALR, JAL or C.JAL; data is addressed from LUI or AUIPC, or from gp or zero. */

#define IMMEDIATE_OF_I 0xFFF00000u
#define IMMEDIATE_OF_S 0xFE000F80u /* branches have other bits in the same place */
#define IMMEDIATE_OF_U 0xFFFFF000u
#define BASE           0x000F8000u
#define ALL            UINT32_MAX

/* Marks the offset of an instruction that adds it to a base; the whole offset if it is part of an address. */
static void find_offset(uint32_t word, uint32_t begun, uint32_t bits, struct address_bits *address)
{
	unsigned base = RISCV_RS1(word);
	bool is_sum = RISCV_OPCODE(word) == RISCV_OPCODE_OP_IMM || RISCV_OPCODE(word) == RISCV_OPCODE_OP_IMM_32;
	bool is_jump = RISCV_OPCODE(word) == RISCV_OPCODE_JALR;
	bool is_fixed_base = base == RISCV_REGISTER_GP || (base == ZERO && !is_sum);
	address->completes = (begun >> base & 1) != 0;
	address->register_number = base;
	if (address->completes || (is_fixed_base && !is_jump))
		set_word_bits(address, 0, bits);
}

static void begin_address(uint32_t code, uint32_t bits, struct address_bits *address)
{
	address->begins = RISCV_RD(code) != ZERO;
	address->register_number = RISCV_RD(code);
	set_word_bits(address, 0, bits);
}

static void find_address_in_word(uint32_t word, uint32_t begun, struct address_bits *address)
{
	switch (RISCV_OPCODE(word)) {
	case RISCV_OPCODE_LUI:
		begin_address(word, 0, address);
		break;
	case RISCV_OPCODE_AUIPC:
		begin_address(word, IMMEDIATE_OF_U, address);
		break;
	case RISCV_OPCODE_OP_IMM:
	case RISCV_OPCODE_OP_IMM_32:
		if (FUNCT3(word) == 0)
			find_offset(word, begun, IMMEDIATE_OF_I | BASE, address);
		break;
	case RISCV_OPCODE_LOAD:
	case RISCV_OPCODE_LOAD_FP:
		find_offset(word, begun, IMMEDIATE_OF_I | BASE, address);
		break;
	case RISCV_OPCODE_STORE:
	case RISCV_OPCODE_STORE_FP:
		find_offset(word, begun, IMMEDIATE_OF_S | BASE, address);
		break;
	case RISCV_OPCODE_JALR:
		find_offset(word, begun, ALL, address);
		break;
	case RISCV_OPCODE_JAL:
		set_word_bits(address, 0, ALL);
		break;
	case RISCV_OPCODE_BRANCH:
		set_word_bits(address, 0, IMMEDIATE_OF_S);
		break;
	default:
		break;
	}
}

static void find_address_in_half(uint32_t half, unsigned address_size, struct address_bits *address)
{
	switch (C_KIND(half)) {
	case C_CASE(1u, 1u): /* C.JAL, or C.ADDIW */
		set_half_bits(address, 0, address_size == 4 ? UINT16_MAX : 0);
		break;
	case C_CASE(3u, 1u): /* C.LUI, but not C.ADDI16SP */
		if (RISCV_RD(half) != 2)
			begin_address(half, 0, address);
		break;
	case C_CASE(5u, 1u): /* C.J */
		set_half_bits(address, 0, UINT16_MAX);
		break;
	case C_CASE(6u, 1u): /* C.BEQZ, C.BNEZ */
	case C_CASE(7u, 1u):
		set_half_bits(address, 0, 0x1C7C);
		break;
	default:
		break;
	}
}

static void find_riscv_address(const struct code_place *place, uint32_t begun, struct address_bits *address)
{
	uint32_t code = 0;
	read_half(place, 0, &code);
	unsigned length = riscv_length(code);
	if (length == 2)
		find_address_in_half(code, place->image->address_size, address);
	else if (length == 4 && read_word(place, 0, &code))
		find_address_in_word(code, begun, address);
}

const struct decoder decoder_riscv = {
        .machine = EM_RISCV,
        .alignment = 2,
        .first_argument = RISCV_REGISTER_A0,
        .decode = decode_riscv,
        .find_address = find_riscv_address,
};
