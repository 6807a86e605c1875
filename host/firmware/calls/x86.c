/* SPDX-License-Identifier: MIT */
/* The x86 decoder for 32 and 64 bits (Intel SDM, Volume 2, appendix A "Opcode Map" and the pages of CALL, JMP, Jcc,
 * LEA, MOV). It errs towards too many written registers. */
#include "firmware/bits.h"
#include "firmware/calls/decoder.h"
#include "firmware/calls/x86_length.h"

#include <string.h>

#define AX 0u
#define CX 1u
#define DX 2u

#define REX_W 8u

/* The instruction being decoded. */
struct step {
	const struct code_place *place;
	struct known_registers *registers;
	struct instruction *instruction;
	struct x86_parts parts;
	bool wide;
};

static unsigned reg_of(const struct step *step)
{
	return X86_REG(&step->parts) | (step->parts.rex & 4u) << 1;
}

static unsigned rm_of(const struct step *step)
{
	return X86_RM(&step->parts) | (step->parts.rex & 1u) << 3;
}

static bool is_register_operand(const struct step *step)
{
	return X86_MOD(&step->parts) == 3;
}

/* A signed number in the instruction. */
static uint64_t signed_number(const struct step *step, unsigned at, unsigned size)
{
	return size == 0 ? 0 : sign_extended(number_at(step->place->bytes + at, size, false), 8 * size);
}

static uint64_t immediate(const struct step *step)
{
	return signed_number(step, step->parts.immediate, step->parts.immediate_size);
}

static uint64_t in_address_space(const struct step *step, uint64_t address)
{
	return step->wide ? address : address & UINT32_MAX;
}

/* The address of a memory operand without registers; false if it has any. */
static bool constant_operand(const struct step *step, uint64_t *address)
{
	const struct x86_parts *parts = &step->parts;

	if (X86_MOD(parts) != 0 || X86_RM(parts) != 5 || parts->address_16)
		return false;
	uint64_t displacement = signed_number(step, parts->displacement, parts->displacement_size);
	uint64_t base = step->wide ? step->place->address + parts->length : 0;
	*address = in_address_space(step, base + displacement);
	return true;
}

/* --- Registers. */

/* Without a REX prefix, byte registers 4 to 7 are parts of registers 0 to 3. */
static void forget(const struct step *step, unsigned number)
{
	forget_register(step->registers, number);
	if (step->parts.rex == 0 && number >= 4 && number < 8)
		forget_register(step->registers, number & 3);
}

static void forget_rm(const struct step *step)
{
	if (is_register_operand(step))
		forget(step, rm_of(step));
}

static void forget_operands(const struct step *step)
{
	forget(step, reg_of(step));
	forget_rm(step);
}

/* Writing a 32-bit register clears its upper half. */
static void set(const struct step *step, unsigned number, uint64_t value)
{
	bool is_full = (step->parts.rex & REX_W) != 0;

	if (step->parts.operand_16 && !is_full)
		forget(step, number);
	else
		set_register(step->registers, number, is_full ? value : value & UINT32_MAX);
}

static void copy(const struct step *step, unsigned to, unsigned from)
{
	if (is_known(step->registers, from))
		set(step, to, step->registers->values[from]);
	else
		forget(step, to);
}

/* --- Constants. */

static void complete_constant(const struct step *step, uint64_t value)
{
	step->instruction->has_constant = true;
	step->instruction->constant = in_address_space(step, value);
}

/* Immediates are absolute addresses only in code with a fixed load address. */
static void complete_immediate(const struct step *step)
{
	if (step->parts.immediate_size >= 4 && !step->place->image->is_movable)
		complete_constant(step, immediate(step));
}

static void decode_address(const struct step *step)
{
	uint64_t address;

	forget(step, reg_of(step));
	if (is_register_operand(step) || !constant_operand(step, &address))
		return;
	set(step, reg_of(step), address);
	complete_constant(step, address);
}

/* MOV of an immediate to a register or memory. */
static void decode_move_constant(const struct step *step)
{
	complete_immediate(step);
	if (is_register_operand(step))
		set(step, rm_of(step), immediate(step));
}

/* --- Flow. */

static void transfer_by(const struct step *step, enum instruction_flow flow)
{
	uint64_t target = step->place->address + step->parts.length + immediate(step);
	uint64_t mask = step->parts.immediate_size == 2 ? UINT16_MAX : UINT64_MAX;

	transfer_to(step->instruction, flow, in_address_space(step, target) & mask);
}

/* A slot filled in by the linker. Those in .got.plt are replaced by the loader. */
static bool read_slot(const struct image *image, uint64_t address, uint64_t *value)
{
	for (size_t i = 0; i < image->data_count; i++) {
		const struct image_code *data = &image->data[i];
		uint64_t offset = address - data->address;

		if (strcmp(data->name, ".got") != 0 || address < data->address || data->size < image->address_size ||
		    offset > data->size - image->address_size)
			continue;
		*value = number_from(image, data->bytes + offset, image->address_size);
		return *value != 0;
	}
	return false;
}

static void transfer_through_operand(const struct step *step, enum instruction_flow flow)
{
	uint64_t address, target;

	step->instruction->flow = flow;
	if (is_register_operand(step) && is_known(step->registers, rm_of(step)))
		transfer_to(step->instruction, flow, step->registers->values[rm_of(step)]);
	else if (!is_register_operand(step) && constant_operand(step, &address) &&
	         read_slot(step->place->image, address, &target))
		transfer_to(step->instruction, flow, target);
}

/* FF: INC, DEC, CALL, CALL far, JMP, JMP far, PUSH. */
static void decode_group_5(const struct step *step)
{
	switch (X86_REG(&step->parts)) {
	case 2:
		transfer_through_operand(step, FLOW_CALL);
		break;
	case 3:
		step->instruction->flow = FLOW_CALL;
		break;
	case 4:
		transfer_through_operand(step, FLOW_JUMP);
		break;
	case 5:
		step->instruction->flow = FLOW_JUMP;
		break;
	default:
		forget_operands(step);
		break;
	}
}

/* --- Opcodes. */

static bool is_between(uint8_t opcode, uint8_t low, uint8_t high)
{
	return opcode >= low && opcode <= high;
}

/* One-byte opcodes without ModRM that write no register except the stack pointer. */
static bool writes_nothing(uint8_t opcode)
{
	return is_between(opcode, 0x50, 0x57) /* PUSH */ || opcode == 0x6A || opcode == 0x68 || opcode == 0x90 ||
	       opcode == 0x9B || opcode == 0x3C || opcode == 0x3D || opcode == 0xA8 || opcode == 0xA9 ||
	       opcode == 0xCC || opcode == 0xF5 || is_between(opcode, 0xF8, 0xFD);
}

static void decode_moves(const struct step *step)
{
	uint8_t opcode = step->parts.opcode;

	if (opcode == 0x89 && is_register_operand(step))
		copy(step, rm_of(step), reg_of(step));
	else if (opcode == 0x8B && is_register_operand(step))
		copy(step, reg_of(step), rm_of(step));
	else if (opcode == 0x8A || opcode == 0x8B || is_register_operand(step))
		forget_operands(step);
}

/* The register field of these is part of the opcode (appendix A.4, groups 1 to 4). */
static bool is_group(uint8_t opcode)
{
	return is_between(opcode, 0x80, 0x83) || opcode == 0xC0 || opcode == 0xC1 || is_between(opcode, 0xD0, 0xD3) ||
	       opcode == 0xF6 || opcode == 0xF7 || opcode == 0xFE;
}

static void decode_operands(const struct step *step)
{
	uint8_t opcode = step->parts.opcode;

	if (is_between(opcode, 0x88, 0x8B))
		decode_moves(step);
	else if (opcode == 0x8D)
		decode_address(step);
	else if (opcode == 0xC7)
		decode_move_constant(step);
	else if (opcode == 0xFF)
		decode_group_5(step);
	else if (is_group(opcode))
		forget_rm(step);
	else if (!is_between(opcode, 0x38, 0x3B) && opcode != 0x84 && opcode != 0x85) /* CMP, TEST */
		forget_operands(step);
	if (opcode == 0xF6 || opcode == 0xF7) { /* MUL, DIV */
		forget(step, AX);
		forget(step, DX);
	}
}

static void decode_without_operands(const struct step *step)
{
	uint8_t opcode = step->parts.opcode;
	unsigned low_register = (opcode & 7u) | (step->parts.rex & 1u) << 3;

	if (is_between(opcode, 0xB8, 0xBF)) {
		complete_immediate(step);
		set(step, low_register, immediate(step));
	} else if (is_between(opcode, 0x58, 0x5F) || is_between(opcode, 0xB0, 0xB7)) {
		forget(step, low_register);
	} else if (opcode == 0x68) {
		complete_immediate(step);
	} else if (!writes_nothing(opcode)) {
		forget_all(step->registers);
	}
}

static void decode_one_byte(const struct step *step)
{
	uint8_t opcode = step->parts.opcode;

	switch (opcode) {
	case 0xE8:
		transfer_by(step, FLOW_CALL);
		break;
	case 0xE9:
	case 0xEB:
		transfer_by(step, FLOW_JUMP);
		break;
	case 0x9A: /* CALL far */
		step->instruction->flow = FLOW_CALL;
		break;
	case 0xC2: /* RET, IRET, HLT */
	case 0xC3:
	case 0xCA:
	case 0xCB:
	case 0xCF:
	case 0xF4:
		step->instruction->returns = RETURN_BY_LINK;
		step->instruction->flow = FLOW_JUMP;
		break;
	case 0xEA: /* JMP far */
		step->instruction->flow = FLOW_JUMP;
		break;
	default:
		if (is_between(opcode, 0x70, 0x7F) || is_between(opcode, 0xE0, 0xE3)) {
			transfer_by(step, FLOW_BRANCH);
			if (opcode >= 0xE0) /* LOOP */
				forget(step, CX);
		} else if (step->parts.has_modrm) {
			decode_operands(step);
		} else {
			decode_without_operands(step);
		}
		break;
	}
}

static void decode_two_bytes(const struct step *step)
{
	uint8_t opcode = step->parts.opcode;
	bool is_exchange = opcode == 0xB0 || opcode == 0xB1; /* CMPXCHG */

	if (opcode == 0x0B) /* UD2 */
		step->instruction->flow = FLOW_JUMP;
	else if (is_between(opcode, 0x80, 0x8F))
		transfer_by(step, FLOW_BRANCH);
	else if (!step->parts.has_modrm || opcode == 0x01 || opcode == 0xC7 || opcode == 0xA6 || opcode == 0xA7)
		forget_all(step->registers);
	else if (opcode != 0x1E && opcode != 0x1F) /* NOP, ENDBR */
		forget_operands(step);
	if (is_exchange)
		forget(step, AX);
}

static void decode_parts(const struct step *step)
{
	if (step->parts.is_vector || step->parts.map == X86_MAP_OTHER) {
		forget_all(step->registers);
	} else if (step->parts.map == X86_MAP_BYTE) {
		decode_one_byte(step);
	} else if (step->parts.map == X86_MAP_0F) {
		decode_two_bytes(step);
	} else { /* PCMPESTRI and similar instructions write CX */
		forget_operands(step);
		forget(step, CX);
	}
}

/* Instructions of PLT entries: ENDBR and JMP through a slot. */
static bool is_veneer_part(const struct x86_parts *parts)
{
	bool is_end_branch = parts->map == X86_MAP_0F && parts->opcode == 0x1E && X86_MOD(parts) == 3;
	bool is_slot_jump = parts->map == X86_MAP_BYTE && parts->opcode == 0xFF && X86_REG(parts) == 4 &&
	                    X86_MOD(parts) == 0 && X86_RM(parts) == 5;

	return is_end_branch || is_slot_jump;
}

static void decode_x86(const struct code_place *place, struct known_registers *registers,
                       struct instruction *instruction)
{
	struct step step = {
	        .place = place,
	        .registers = registers,
	        .instruction = instruction,
	        .wide = place->image->address_size == 8,
	};

	x86_decode_parts(place->bytes, place->size, step.wide, &step.parts);
	if (step.parts.is_truncated)
		return;
	instruction->length = step.parts.length;
	instruction->is_veneer_part = is_veneer_part(&step.parts);
	if (step.parts.length != 0) {
		decode_parts(&step);
		return;
	}
	/* Invalid: retry at the next byte. */
	instruction->length = 1;
	forget_all(registers);
}

/* --- Addresses. */

static void set_bytes(struct address_bits *address, unsigned at, unsigned size)
{
	for (unsigned i = 0; i < size && at + i < sizeof address->bits; i++)
		address->bits[at + i] = UINT8_MAX;
}

static bool is_relative_branch(const struct x86_parts *parts)
{
	if (parts->is_vector)
		return false;
	if (parts->map == X86_MAP_0F)
		return is_between(parts->opcode, 0x80, 0x8F);
	return parts->map == X86_MAP_BYTE &&
	       (is_between(parts->opcode, 0x70, 0x7F) || is_between(parts->opcode, 0xE0, 0xE3) ||
	        parts->opcode == 0xE8 || parts->opcode == 0xE9 || parts->opcode == 0xEB);
}

static bool holds(const struct image_code *sections, size_t count, uint64_t value)
{
	for (size_t i = 0; i < count; i++)
		if (value >= sections[i].address && value - sections[i].address <= sections[i].size)
			return true;
	return false;
}

/* Whether a number points into the image. */
static bool is_in_image(const struct image *image, uint64_t value)
{
	return holds(image->memory, image->memory_count, value) || holds(image->code, image->code_count, value) ||
	       holds(image->data, image->data_count, value);
}

static void find_x86_address(const struct code_place *place, uint32_t begun, struct address_bits *address)
{
	struct step step = {.place = place, .wide = place->image->address_size == 8};
	const struct x86_parts *parts = &step.parts;

	(void)begun;
	x86_decode_parts(place->bytes, place->size, step.wide, &step.parts);
	if (parts->length == 0)
		return;
	bool is_pointer = parts->immediate_size >= 4 && !place->image->is_movable &&
	                  is_in_image(place->image, in_address_space(&step, immediate(&step)));
	if (parts->displacement_size == 4)
		set_bytes(address, parts->displacement, 4);
	if (is_pointer || is_relative_branch(parts))
		set_bytes(address, parts->immediate, parts->immediate_size);
}

const struct decoder decoder_x86 = {
        .machine = EM_386,
        .alignment = 1,
        .first_argument = NO_REGISTER,
        .decode = decode_x86,
        .find_address = find_x86_address,
};

/* The first argument is in RDI (System V ABI for x86-64). */
const struct decoder decoder_x86_64 = {
        .machine = EM_X86_64,
        .alignment = 1,
        .first_argument = 7,
        .decode = decode_x86,
        .find_address = find_x86_address,
};
