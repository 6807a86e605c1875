/* SPDX-License-Identifier: MIT */
/*
 * The decoder for Thumb and Thumb-2, Armv4T to Armv8.1-M (Armv8-M ARM DDI0553, C2.2 "Top level T32 instruction set
 * encoding"; Armv7-A ARM DDI0406, A6). The tables in thumb_narrow.c and thumb_wide.c describe the instructions that
 * matter to calls; for all others, only the registers that they may write. Instructions are little-endian even in
 * big-endian firmware (BE8). The only A32 instructions it decodes are the jumps of veneers.
 */
#include "firmware/calls/stack_effects.h"
#include "firmware/calls/thumb_step.h"

/* Instructions of linker veneers: they save R0, load IP and jump to it, or load PC directly. */
static const struct {
	uint32_t mask, bits;
} veneer_parts[] = {
        {0xFFFFFFFF, 0x0000B401}, /* PUSH {R0} */
        {0xFFFFFF00, 0x00004800}, /* LDR R0, literal */
        {0xFFFFFF00, 0x00002000}, /* MOVS R0 */
        {0xFFFFF83F, 0x00000000}, /* LSLS R0, R0 */
        {0xFFFFFF00, 0x00003000}, /* ADDS R0 */
        {0xFFFFFFFF, 0x00004684}, /* MOV IP, R0 */
        {0xFFFFFFFF, 0x0000BC01}, /* POP {R0} */
        {0xFBF08F00, 0xF2400C00}, /* MOVW IP */
        {0xFBF08F00, 0xF2C00C00}, /* MOVT IP */
        {0xFFFFFFFF, 0x000044FC}, /* ADD IP, PC */
        {0xFFFFFFFF, 0x00004760}, /* BX IP */
        {0xFFFFFFFF, 0x00004778}, /* BX PC */
        {0xFF7FF000, 0xF85FF000}, /* LDR PC, literal */
};

static bool is_veneer_part(uint32_t code)
{
	for (size_t i = 0; i < sizeof veneer_parts / sizeof *veneer_parts; i++)
		if ((code & veneer_parts[i].mask) == veneer_parts[i].bits)
			return true;
	return false;
}

/* The instruction may have been skipped: registers that it writes become unknown, and a jump becomes a branch. */
static void make_conditional(const struct thumb_step *step, const struct known_registers *before)
{
	struct known_registers *after = step->registers;

	for (unsigned i = 0; i <= PC; i++)
		if (!register_is_known(before, i) || before->values[i] != after->values[i])
			forget_register(after, i);
	if (step->instruction->flow == FLOW_JUMP)
		step->instruction->flow = FLOW_BRANCH;
}

/* The instruction at place, of one or two half-words; NULL if it is truncated. */
static const struct pattern *pattern_at(const struct code_place *place, uint32_t *code)
{
	uint32_t second = 0;

	if (!read_half(place, 0, code))
		return NULL;
	const struct pattern *pattern = thumb_narrow;
	if (*code >= 0xE800) { /* DDI0553 C2.2.1 */
		if (!read_half(place, 2, &second))
			return NULL;
		*code = *code << 16 | second;
		pattern = thumb_wide;
	}
	while ((*code & pattern->mask) != pattern->bits)
		pattern++;
	return pattern;
}

static void decode_thumb(const struct code_place *place, struct known_registers *registers,
                         struct instruction *instruction)
{
	struct thumb_step step = {
	        .place = place, .registers = registers, .instruction = instruction, .pc = place->address + 4};
	const struct pattern *pattern = pattern_at(place, &step.code);

	if (pattern == NULL)
		return;
	instruction->length = step.code > UINT16_MAX ? 4 : 2;
	instruction->is_veneer_part = is_veneer_part(step.code);
	if (registers->conditional == 0) {
		pattern->decode(&step);
		return;
	}
	const struct known_registers before = *registers;
	registers->conditional--;
	pattern->decode(&step);
	make_conditional(&step, &before);
}

#define MOVW_MASK 0xFBF08000u
#define MOVW_BITS 0xF2400000u
#define MOVT_BITS 0xF2C00000u

/* MOVT keeps the lower half, which a MOVW anywhere before may have set. */
static void find_thumb_address(const struct code_place *place, uint32_t begun, struct address_bits *address)
{
	uint32_t code;
	const struct pattern *pattern = pattern_at(place, &code);

	(void)begun;
	if (pattern == NULL)
		return;
	if (code <= UINT16_MAX) {
		set_half_bits(address, 0, pattern->address);
		return;
	}
	address->register_number = FIELD(code, 8, 4);
	address->begins = (code & MOVW_MASK) == MOVW_BITS;
	address->completes = (code & MOVW_MASK) == MOVT_BITS;
	set_half_bits(address, 0, pattern->address >> 16);
	set_half_bits(address, 2, pattern->address);
}

/* --- Jump tables in code after TBB and TBH (Armv7-M ARM A7.7.185), which mapping symbols mark as data. */

#define TABLE_BRANCH_PC      0xE8DFF000u /* TBB [PC, Rm] */
#define TABLE_BRANCH_PC_MASK 0xFFFFFFE0u
#define TABLE_BRANCH_HALF    0x10u /* TBH */
#define ENTRIES_MAX          1024  /* hostile code may have such a jump at each word, all with one table */

static void each_table_target(const struct code_place *place, jump_found found, void *context)
{
	const struct image *image = place->image;
	const struct image_code *code = image_code_at(image, place->address);
	uint32_t first, second;

	if (code == NULL || !read_half(place, 0, &first) || !read_half(place, 2, &second))
		return;
	uint32_t word = first << 16 | second;
	if ((word & TABLE_BRANCH_PC_MASK) != TABLE_BRANCH_PC)
		return;
	unsigned size = (word & TABLE_BRANCH_HALF) != 0 ? 2 : 1;
	uint64_t table = place->address + 4, nearest = table + (uint64_t)ENTRIES_MAX * size;
	/* The table ends at its lowest target, because targets are after it. */
	for (uint64_t at = table; at - code->address + size <= code->size && at + size <= nearest; at += size) {
		const uint8_t *bytes = code->bytes + (at - code->address);
		uint64_t target = table + 2u * (bytes[0] | (size == 2 ? (uint32_t)bytes[1] << 8 : 0));

		if (target < at + size)
			return;
		nearest = target < nearest ? target : nearest;
		found(context, target);
	}
}

const struct decoder decoder_thumb = {
        .machine = EM_ARM,
        .first_argument = 0,
        .link = LR,
        .decode = decode_thumb,
        .find_address = find_thumb_address,
        .find_stack_effect = find_thumb_stack_effect,
        .each_table_target = each_table_target,
};
