/* SPDX-License-Identifier: MIT */
/*
 * Thumb and Thumb-2, Armv4T to Armv8.1-M (Armv8-M ARM DDI0553, C2.2 "Top level T32 instruction set encoding"; Armv7-A
 * ARM DDI0406, A6). Tables in thumb_narrow.c and thumb_wide.c tell what matters to calls; of all other instructions
 * only which register they may write. Instructions are little-endian also in big-endian firmware (BE8). Of A32 what
 * veneers jump with is known, no more.
 */
#include "calls/thumb_step.h"

/* What linkers make veneers of: R0 is saved, IP loaded and jumped to, or PC loaded at once. */
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

/* The instruction may have been passed over: what it wrote is not known, and it jumps perhaps. */
static void make_conditional(const struct step *step, const struct known_registers *before)
{
	struct known_registers *after = step->registers;
	for (unsigned i = 0; i <= PC; i++)
		if (!is_known(before, i) || before->values[i] != after->values[i])
			forget_register(after, i);
	if (step->instruction->flow == FLOW_JUMP)
		step->instruction->flow = FLOW_BRANCH;
}

static void run(const struct step *step, const struct pattern *pattern)
{
	while ((step->code & pattern->mask) != pattern->bits)
		pattern++;
	pattern->decode(step);
}

static void decode_thumb(const struct code_place *place, struct known_registers *registers,
                         struct instruction *instruction)
{
	struct step step = {
	        .place = place, .registers = registers, .instruction = instruction, .pc = place->address + 4};
	uint32_t second = 0;
	if (!read_half(place, 0, &step.code))
		return;
	bool is_wide = step.code >= 0xE800; /* DDI0553 C2.2.1 */
	if (is_wide && !read_half(place, 2, &second))
		return;
	if (is_wide)
		step.code = step.code << 16 | second;
	instruction->length = is_wide ? 4 : 2;
	instruction->is_veneer_part = is_veneer_part(step.code);
	if (registers->conditional == 0) {
		run(&step, is_wide ? thumb_wide : thumb_narrow);
		return;
	}
	const struct known_registers before = *registers;
	registers->conditional--;
	run(&step, is_wide ? thumb_wide : thumb_narrow);
	make_conditional(&step, &before);
}

const struct decoder decoder_thumb = {.isa = IMAGE_ISA_ARM, .decode = decode_thumb};
