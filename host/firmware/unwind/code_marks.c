/* SPDX-License-Identifier: MIT */
/* See code_marks.h. */
#include "firmware/unwind/code_marks.h"

#include "firmware/bits.h"
#include "firmware/private.h"

#include <stdlib.h>

/* False outside code. */
static bool find_bit(const struct code_marks *marks, uint64_t address, unsigned kind, uint64_t *bit)
{
	const struct image_code *code = image_code_at(marks->image, address);

	if (code == NULL)
		return false;
	*bit = (marks->first_bit[code - marks->image->code] + (address - code->address)) * marks->kinds + kind;
	return true;
}

bool code_marks_create(struct code_marks *marks, const struct image *image, unsigned kinds)
{
	uint64_t count = 0;

	*marks = (struct code_marks){.image = image, .kinds = kinds};
	marks->first_bit = calloc(image->code_count + 1, sizeof *marks->first_bit);
	for (size_t i = 0; marks->first_bit != NULL && i < image->code_count; i++) {
		marks->first_bit[i] = count;
		count += image->code[i].size;
	}
	marks->bits = calloc(count * kinds / 8 + 1, 1);
	return marks->first_bit != NULL && marks->bits != NULL;
}

void code_marks_free(struct code_marks *marks)
{
	free(marks->bits);
	free(marks->first_bit);
}

void code_marks_add(struct code_marks *marks, uint64_t address, unsigned kind)
{
	uint64_t bit;

	if (find_bit(marks, address, kind, &bit))
		set_bit(marks->bits, bit);
}

bool code_marks_has(const struct code_marks *marks, uint64_t address, unsigned kind)
{
	uint64_t bit;

	return find_bit(marks, address, kind, &bit) && has_bit(marks->bits, bit);
}
