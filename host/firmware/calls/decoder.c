/* SPDX-License-Identifier: MIT */
/* Helpers shared by the decoders, and veneers. */
#include "firmware/calls/decoder.h"

#include "firmware/bits.h"
#include "firmware/calls/segments.h"

void copy_register(struct known_registers *registers, unsigned to, unsigned from)
{
	if (register_is_known(registers, from))
		set_register(registers, to, registers->values[from]);
	else
		forget_register(registers, to);
}

bool read_half(const struct code_place *place, uint64_t offset, uint32_t *value)
{
	if (place->size < 2 || offset > place->size - 2)
		return false;
	*value = (uint32_t)number_at(place->bytes + offset, 2, false);
	return true;
}

bool read_word(const struct code_place *place, uint64_t offset, uint32_t *value)
{
	if (place->size < 4 || offset > place->size - 4)
		return false;
	*value = (uint32_t)number_at(place->bytes + offset, 4, false);
	return true;
}

uint64_t number_from(const struct image *image, const uint8_t *bytes, unsigned size)
{
	return number_at(bytes, size, image->big_endian);
}

bool read_literal(const struct image *image, uint64_t address, uint64_t *value)
{
	const struct image_code *code = image_code_at(image, address);

	if (code == NULL || code->size - (address - code->address) < image->address_size)
		return false;
	*value = number_from(image, code->bytes + (address - code->address), image->address_size);
	return true;
}

void set_half_bits(struct address_bits *address, unsigned offset, uint32_t bits)
{
	address->bits[offset] |= (uint8_t)(bits & UINT8_MAX);
	address->bits[offset + 1] |= (uint8_t)(bits >> 8 & UINT8_MAX);
}

void set_word_bits(struct address_bits *address, unsigned offset, uint32_t bits)
{
	set_half_bits(address, offset, bits);
	set_half_bits(address, offset + 2, bits >> 16);
}

void transfer_to(struct instruction *instruction, enum instruction_flow flow, uint64_t target)
{
	instruction->flow = flow;
	instruction->has_target = true;
	instruction->target = target;
}

/* --- Veneers. */

/* Instructions of the longest veneer that GNU ld generates: Armv6-M without literals, one MOVS or ADDS per byte of the
 * address. */
#define PARTS_MAX 12
/* One veneer for the distance and one for the instruction set; a longer chain is circular. */
#define CHAIN_MAX 8

/* Finds the target of the veneer at target; false if there is no veneer. */
static bool follow_veneer(const struct decoder *decoder, const struct image *image, uint64_t target, uint64_t *next)
{
	const struct image_code *code = image_code_at(image, target);

	if (code == NULL)
		return false;
	struct instruction_walk walk;
	const struct instruction *instruction = &walk.instruction;
	const struct segment segment = {code, NULL, target, code->address + code->size};
	instruction_walk_begin(&walk, decoder, image, &segment);
	for (unsigned i = 0; i < PARTS_MAX && instruction_walk_next(&walk) && instruction->is_veneer_part; i++) {
		if (instruction->flow == FLOW_NEXT)
			continue;
		*next = instruction->target;
		return instruction->flow == FLOW_JUMP && instruction->has_target &&
		       image_code_at(image, instruction->target) != NULL;
	}
	return false;
}

uint64_t veneer_end(const struct decoder *decoder, const struct image *image, uint64_t target)
{
	uint64_t end = target, next;

	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		if (!follow_veneer(decoder, image, end, &next))
			return end;
		end = next;
	}
	return target;
}
