/* SPDX-License-Identifier: MIT */
/*
 * The RISC-V decoder for 32 and 64 bits with compressed instructions (The RISC-V Instruction Set Manual, Volume I,
 * chapters "RV32I", "RV64I" and "C"; link registers: "JALR"). Instructions are always little-endian. For
 * other extensions, it uses only the length of instructions and assumes that they write at most rd.
 */
#include "firmware/bits.h"
#include "firmware/calls/stack_effects.h"

#define ZERO 0u
#define RA   1u
#define GP   3u
#define A0   10u

#define OPCODE(word)     ((word)&0x7Fu)
#define OPCODE_LOAD      0x03u
#define OPCODE_LOAD_FP   0x07u
#define OPCODE_OP_IMM    0x13u
#define OPCODE_AUIPC     0x17u
#define OPCODE_OP_IMM_32 0x1Bu
#define OPCODE_STORE     0x23u
#define OPCODE_STORE_FP  0x27u
#define OPCODE_OP        0x33u
#define OPCODE_LUI       0x37u
#define OPCODE_BRANCH    0x63u
#define OPCODE_JALR      0x67u
#define OPCODE_JAL       0x6Fu
#define OPCODE_SYSTEM    0x73u
#define RD(word)         ((word) >> 7 & 0x1Fu)
#define RS1(word)        ((word) >> 15 & 0x1Fu)

/* Volume I, 1.5: the low bits of an instruction encode its length. */
static unsigned length_of(uint32_t half)
{
	if ((half & 0x03) != 0x03)
		return 2;
	if ((half & 0x1F) != 0x1F)
		return 4;
	if ((half & 0x3F) != 0x3F)
		return 6;
	return (half & 0x7F) == 0x3F ? 8 : 2;
}

static uint64_t jal_offset(uint32_t word)
{
	uint32_t offset = moved_bits(word, 21, 1, 10) | moved_bits(word, 20, 11, 1) | moved_bits(word, 12, 12, 8) |
	                  moved_bits(word, 31, 20, 1);

	return sign_extended(offset, 21);
}

static uint64_t compressed_jal_offset(uint32_t half)
{
	uint32_t offset = moved_bits(half, 3, 1, 3) | moved_bits(half, 11, 4, 1) | moved_bits(half, 2, 5, 1) |
	                  moved_bits(half, 7, 6, 1) | moved_bits(half, 6, 7, 1) | moved_bits(half, 9, 8, 2) |
	                  moved_bits(half, 8, 10, 1) | moved_bits(half, 12, 11, 1);

	return sign_extended(offset, 12);
}

/* The instruction being decoded. */
struct riscv_step {
	struct known_registers *registers;
	struct instruction *instruction;
	uint32_t code;
	uint64_t address;
	unsigned address_size;
};

static uint64_t wrap_to_xlen(const struct riscv_step *step, uint64_t value)
{
	return step->address_size == 4 ? value & UINT32_MAX : value;
}

/* x0 is always 0. */
static void set_unless_zero(const struct riscv_step *step, unsigned number, uint64_t value)
{
	if (number != ZERO)
		set_register(step->registers, number, wrap_to_xlen(step, value));
}

static void forget_unless_zero(const struct riscv_step *step, unsigned number)
{
	if (number != ZERO)
		forget_register(step->registers, number);
}

static void copy_unless_zero(const struct riscv_step *step, unsigned to, unsigned from)
{
	if (to != ZERO)
		copy_register(step->registers, to, from);
}

/* The result of an addition. A sum with a constant may complete an address; a sum with zero is a number. */
static void set_sum(const struct riscv_step *step, unsigned to, unsigned from, uint64_t sum)
{
	if (!register_is_known(step->registers, from)) {
		forget_unless_zero(step, to);
		return;
	}
	set_unless_zero(step, to, sum);
	step->instruction->has_constant = from != ZERO;
	step->instruction->constant = wrap_to_xlen(step, sum);
}

static void add_immediate(const struct riscv_step *step, unsigned to, unsigned from, uint64_t addend)
{
	set_sum(step, to, from, step->registers->values[from] + addend);
}

/* ADDIW sign-extends the low word. */
static void add_word_immediate(const struct riscv_step *step, unsigned to, unsigned from, uint64_t addend)
{
	set_sum(step, to, from, sign_extended((step->registers->values[from] + addend) & UINT32_MAX, 32));
}

static void transfer_by_offset(const struct riscv_step *step, enum instruction_flow flow, uint64_t offset)
{
	transfer_to(step->instruction, flow, wrap_to_xlen(step, step->address + offset));
}

/* An instruction that sets a link register is a call. */
static enum instruction_flow flow_of(unsigned link)
{
	return link == ZERO ? FLOW_JUMP : FLOW_CALL;
}

static void transfer_by_jalr(const struct riscv_step *step, unsigned link, unsigned base, uint64_t offset)
{
	step->instruction->flow = flow_of(link);
	if (link == ZERO && base == RA)
		step->instruction->returns = RETURN_BY_LINK;
	if (register_is_known(step->registers, base))
		transfer_to(step->instruction, flow_of(link),
		            wrap_to_xlen(step, (step->registers->values[base] + offset) & ~UINT64_C(1)));
	forget_unless_zero(step, link);
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

#define MRET         0x30200073u /* Volume II, 3.3.2 */
#define FUNCT3(word) ((word) >> 12 & 7u)

static void decode_word(const struct riscv_step *step)
{
	uint32_t word = step->code;
	unsigned rd = RD(word), rs1 = RS1(word);

	switch (OPCODE(word)) {
	case OPCODE_LUI:
		set_unless_zero(step, rd, immediate_of_u(word));
		break;
	case OPCODE_AUIPC:
		set_unless_zero(step, rd, step->address + immediate_of_u(word));
		break;
	case OPCODE_OP_IMM:
		if (FUNCT3(word) == 0)
			add_immediate(step, rd, rs1, immediate_of_i(word));
		else
			forget_unless_zero(step, rd);
		break;
	case OPCODE_OP_IMM_32:
		if (FUNCT3(word) == 0)
			add_word_immediate(step, rd, rs1, immediate_of_i(word));
		else
			forget_unless_zero(step, rd);
		break;
	case OPCODE_JAL:
		transfer_by_offset(step, flow_of(rd), jal_offset(word));
		forget_unless_zero(step, rd);
		break;
	case OPCODE_JALR:
		transfer_by_jalr(step, rd, rs1, immediate_of_i(word));
		break;
	case OPCODE_BRANCH:
		transfer_by_offset(step, FLOW_BRANCH, branch_offset(word));
		break;
	case OPCODE_STORE:
	case OPCODE_STORE_FP:
		break;
	case OPCODE_SYSTEM:
		if (FUNCT3(word) == 0) /* ECALL, MRET */
			forget_all(step->registers);
		else
			forget_unless_zero(step, rd);
		if (word == MRET)
			step->instruction->returns = RETURN_FROM_TRAP;
		break;
	default:
		forget_unless_zero(step, rd);
		break;
	}
}

/* --- 16 bits: named by quadrant (bits 1:0) and funct3 (bits 15:13). */

#define C_KIND(half)             ((half) >> 13 << 2 | ((half)&3u))
#define C_CASE(funct3, quadrant) ((funct3) << 2 | (quadrant))
#define C_RS2(half)              ((half) >> 2 & 0x1Fu)
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
static void decode_compressed_jal(const struct riscv_step *step)
{
	unsigned rd = RD(step->code);

	if (step->address_size == 4) {
		transfer_by_offset(step, FLOW_CALL, compressed_jal_offset(step->code));
		forget_unless_zero(step, RA);
	} else {
		add_word_immediate(step, rd, rd, compressed_immediate(step->code));
	}
}

static void decode_compressed_lui(const struct riscv_step *step)
{
	unsigned rd = RD(step->code);

	if (rd == 2) /* C.ADDI16SP */
		forget_unless_zero(step, rd);
	else
		set_unless_zero(step, rd, compressed_immediate(step->code) << 12);
}

/* C.JR, C.MV, C.EBREAK, C.JALR, C.ADD. */
static void decode_compressed_register(const struct riscv_step *step)
{
	unsigned rd = RD(step->code), rs2 = C_RS2(step->code);
	bool is_second = (step->code >> 12 & 1) != 0;

	if (rs2 == 0 && rd != 0)
		transfer_by_jalr(step, is_second ? RA : ZERO, rd, 0);
	else if (!is_second)
		copy_unless_zero(step, rd, rs2);
	else
		forget_unless_zero(step, rd);
}

static void decode_half(const struct riscv_step *step)
{
	uint32_t half = step->code;
	unsigned rd = RD(half);

	switch (C_KIND(half)) {
	case C_CASE(0u, 1u): /* C.ADDI */
		add_immediate(step, rd, rd, compressed_immediate(half));
		break;
	case C_CASE(1u, 1u):
		decode_compressed_jal(step);
		break;
	case C_CASE(2u, 1u): /* C.LI */
		set_unless_zero(step, rd, compressed_immediate(half));
		break;
	case C_CASE(3u, 1u):
		decode_compressed_lui(step);
		break;
	case C_CASE(4u, 1u):
		forget_unless_zero(step, C_SHORT_HIGH(half));
		break;
	case C_CASE(5u, 1u): /* C.J */
		transfer_by_offset(step, FLOW_JUMP, compressed_jal_offset(half));
		break;
	case C_CASE(6u, 1u): /* C.BEQZ, C.BNEZ */
	case C_CASE(7u, 1u):
		transfer_by_offset(step, FLOW_BRANCH, compressed_branch_offset(half));
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
		forget_unless_zero(step, rd);
		break;
	default: /* quadrant 0: C.ADDI4SPN and loads */
		forget_unless_zero(step, C_SHORT_LOW(half));
		break;
	}
}

static void decode_riscv(const struct code_place *place, struct known_registers *registers,
                         struct instruction *instruction)
{
	struct riscv_step step = {
	        .registers = registers,
	        .instruction = instruction,
	        .address = place->address,
	        .address_size = place->image->address_size,
	};

	set_register(registers, ZERO, 0);
	if (!read_half(place, 0, &step.code) || length_of(step.code) > place->size)
		return;
	instruction->length = length_of(step.code);
	if (instruction->length == 2)
		decode_half(&step);
	else if (instruction->length == 4 && read_word(place, 0, &step.code))
		decode_word(&step);
	else
		forget_all(registers);
}

/* --- Addresses. Linkers relax instructions ("Linker Relaxation" in the psABI), so the same source can
 * become different code: a call is AUIPC and JALR, JAL or C.JAL; data is addressed from LUI or AUIPC, gp or zero. */

#define IMMEDIATE_OF_I 0xFFF00000u
#define IMMEDIATE_OF_S 0xFE000F80u /* branches have other bits in the same place */
#define IMMEDIATE_OF_U 0xFFFFF000u
#define BASE           0x000F8000u
#define ALL            UINT32_MAX

/* Marks the offset of an instruction that adds it to a base; the whole offset if it is part of an address. */
static void find_offset(uint32_t word, uint32_t begun, uint32_t bits, struct address_bits *address)
{
	unsigned base = RS1(word);
	bool is_sum = OPCODE(word) == OPCODE_OP_IMM || OPCODE(word) == OPCODE_OP_IMM_32;
	bool is_jump = OPCODE(word) == OPCODE_JALR;
	bool is_fixed_base = base == GP || (base == ZERO && !is_sum);

	address->completes = (begun >> base & 1) != 0;
	address->register_number = base;
	if (address->completes || (is_fixed_base && !is_jump))
		set_word_bits(address, 0, bits);
}

static void begin_upper_address(uint32_t code, uint32_t bits, struct address_bits *address)
{
	address->begins = RD(code) != ZERO;
	address->register_number = RD(code);
	set_word_bits(address, 0, bits);
}

static void find_address_in_word(uint32_t word, uint32_t begun, struct address_bits *address)
{
	switch (OPCODE(word)) {
	case OPCODE_LUI:
		begin_upper_address(word, 0, address);
		break;
	case OPCODE_AUIPC:
		begin_upper_address(word, IMMEDIATE_OF_U, address);
		break;
	case OPCODE_OP_IMM:
	case OPCODE_OP_IMM_32:
		if (FUNCT3(word) == 0)
			find_offset(word, begun, IMMEDIATE_OF_I | BASE, address);
		break;
	case OPCODE_LOAD:
	case OPCODE_LOAD_FP:
		find_offset(word, begun, IMMEDIATE_OF_I | BASE, address);
		break;
	case OPCODE_STORE:
	case OPCODE_STORE_FP:
		find_offset(word, begun, IMMEDIATE_OF_S | BASE, address);
		break;
	case OPCODE_JALR:
		find_offset(word, begun, ALL, address);
		break;
	case OPCODE_JAL:
		set_word_bits(address, 0, ALL);
		break;
	case OPCODE_BRANCH:
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
		if (RD(half) != 2)
			begin_upper_address(half, 0, address);
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
	unsigned length = length_of(code);
	if (length == 2)
		find_address_in_half(code, place->image->address_size, address);
	else if (length == 4 && read_word(place, 0, &code))
		find_address_in_word(code, begun, address);
}

const struct decoder decoder_riscv = {
        .machine = EM_RISCV,
        .first_argument = A0,
        .link = RA,
        .passes_caller = true,
        .decode = decode_riscv,
        .find_address = find_riscv_address,
        .find_stack_effect = find_riscv_stack_effect,
};
