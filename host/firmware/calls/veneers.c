/* SPDX-License-Identifier: MIT */
/* See veneers.h. */
#include "firmware/calls/veneers.h"

/* Instructions of the longest veneer that GNU ld generates: Armv6-M without literals, one MOVS or ADDS per byte of the
 * address. */
#define PARTS_MAX 12
/* One veneer for the distance and one for the instruction set; more is a circle. */
#define CHAIN_MAX 8

/* Finds the target of the veneer at target; false if there is no veneer. */
static bool follow(const struct decoder *decoder, const struct image *image, uint64_t target, uint64_t *next)
{
	const struct image_code *code = image_code_at(image, target);
	struct known_registers registers = {.known = 0};
	uint64_t offset = code == NULL ? 0 : target - code->address;
	for (unsigned i = 0; i < PARTS_MAX && code != NULL && offset < code->size; i++) {
		const struct code_place place = {image, code->bytes + offset, code->size - offset,
		                                 code->address + offset};
		struct instruction instruction = {.length = 0};
		decoder->decode(&place, &registers, &instruction);
		offset += instruction.length;
		if (instruction.length == 0 || !instruction.is_veneer_part)
			return false;
		if (instruction.flow != FLOW_NEXT) {
			*next = instruction.target;
			return instruction.flow == FLOW_JUMP && instruction.has_target &&
			       image_code_at(image, instruction.target) != NULL;
		}
	}
	return false;
}

uint64_t veneer_end(const struct decoder *decoder, const struct image *image, uint64_t target)
{
	uint64_t end = target, next;
	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		if (!follow(decoder, image, end, &next))
			return end;
		end = next;
	}
	return target;
}
