/* SPDX-License-Identifier: MIT */
/* Disjoint extents of code, each with one owner, from symbols that may alias, overlap or lack a size. O(n log n) for
 * any input. */
#ifndef FIRMWARE_EXTENTS_H
#define FIRMWARE_EXTENTS_H

#include "firmware/image.h"

/* In order of preference at one address. */
enum candidate_kind {
	CANDIDATE_FUNCTION, /* a sized function */
	CANDIDATE_OBJECT,   /* data among code: it has no extent, and labels inside it are ignored */
	CANDIDATE_LABEL,    /* a function or label without size */
};

struct candidate {
	const char *name;
	uint64_t start;
	uint64_t end; /* not beyond the section; for a label, the section's end */
	enum candidate_kind kind;
	bool is_label, is_local; /* as in struct image_function */
	unsigned rank;           /* lower ranks win at equal address and kind */
	size_t order;            /* position in the ELF, decides between equal ranks */
};

/*
 * Sorts candidates and makes extents of them. The caller frees *functions, which is NULL if there are none. If several
 * candidates have the same start, one of them owns the code, which ends where the longest of its kind does. Where
 * functions overlap, the one that starts last owns the bytes. A label inside a function or object is ignored; any other
 * label extends to the next candidate or the end of its section. False when out of memory.
 */
bool extents_make(struct candidate *candidates, size_t count, struct image_function **functions,
                  size_t *function_count);

#endif
