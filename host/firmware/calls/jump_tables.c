/* SPDX-License-Identifier: MIT */
/* See jump_tables.h. TBB and TBH: Armv7-M ARM A7.7.185. */
#include "firmware/calls/jump_tables.h"

#define TABLE_BRANCH_PC      0xE8DFF000u /* TBB [PC, Rm] */
#define TABLE_BRANCH_PC_MASK 0xFFFFFFE0u
#define TABLE_BRANCH_HALF    0x10u /* TBH */
#define ENTRIES_MAX          1024  /* hostile code may have such a jump at each word, all with one table */

void jump_table_each(const struct code_place *place, jump_found found, void *context)
{
	const struct image *image = place->image;
	const struct image_code *code = image_code_at(image, place->address);
	uint32_t first, second;
	if (image->isa != IMAGE_ISA_ARM || code == NULL || !read_half(place, 0, &first) ||
	    !read_half(place, 2, &second))
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
