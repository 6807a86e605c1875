/* SPDX-License-Identifier: MIT */
/* Marks on the bytes of an image's code, of a few kinds. Private to unwind/. */
#ifndef FIRMWARE_UNWIND_CODE_MARKS_H
#define FIRMWARE_UNWIND_CODE_MARKS_H

#include "firmware/image.h"

struct code_marks {
	const struct image *image;
	unsigned kinds;
	uint8_t *bits;       /* one for each kind, by byte */
	uint64_t *first_bit; /* by code section */
};

/* kinds: the number of kinds, which count from 0. The image must outlive the marks. False when out of memory. The
 * caller frees the marks in either case. */
bool code_marks_create(struct code_marks *marks, const struct image *image, unsigned kinds);
/* Also frees marks that are all 0. */
void code_marks_free(struct code_marks *marks);

/* Does nothing outside code. */
void code_marks_add(struct code_marks *marks, uint64_t address, unsigned kind);
/* False outside code. */
bool code_marks_has(const struct code_marks *marks, uint64_t address, unsigned kind);

#endif
