/* SPDX-License-Identifier: MIT */
/*
 * From symbols that alias, overlap and have no size to extents of code with one owner each. Knows nothing of ELF.
 * Costs O(n log n), however the symbols lie.
 */
#ifndef FIRMWARE_EXTENTS_H
#define FIRMWARE_EXTENTS_H

#include "firmware/image.h"

/* In order of preference at one address. */
enum candidate_kind {
	CANDIDATE_FUNCTION, /* a function with a size */
	CANDIDATE_OBJECT,   /* data among code: owns nothing, but no label owns it either */
	CANDIDATE_LABEL,    /* a function or label without a size */
};

struct candidate {
	const char *name;
	uint64_t start;
	uint64_t end; /* not beyond the section; of a label: the section's end */
	enum candidate_kind kind;
	bool is_label, is_local; /* as of struct image_function */
	unsigned rank;           /* the lower one owns, where address and kind are the same */
	size_t order;            /* in the ELF; decides where the ranks are the same */
};

/*
 * Sorts candidates and makes extents of them. *functions is the caller's to free, NULL if there are none.
 * - Of several candidates at one start, one owns them all; it reaches as far as the longest of its kind.
 * - Where functions overlap, the one that starts last owns the bytes.
 * - A label inside a function or an object is ignored; another reaches to the next candidate or its section's end.
 * Returns false if memory is short.
 */
bool extents_make(struct candidate *candidates, size_t count, struct image_function **functions,
                  size_t *function_count);

#endif
